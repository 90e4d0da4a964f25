//! What requests are for, told by method and path only.

/// What the requests of a route are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// A webhook: its sender is one machine that has to pass and does not slow down.
    Webhook,
    /// A health check: its sender is a load balancer or a monitor.
    HealthCheck,
    /// A password, a code or a token is tried.
    Credentials,
    /// Something is changed.
    Change,
    /// Something is read.
    Read,
}

const HEALTH: [&str; 14] = [
    "health",
    "healthz",
    "healthcheck",
    "health-check",
    "_health",
    "livez",
    "live",
    "readyz",
    "ready",
    "ping",
    "heartbeat",
    "alive",
    "status",
    "up",
];

const HOOKS: [&str; 6] = ["webhook", "webhooks", "hook", "hooks", "ipn", "callbacks"];

/// Words of a segment, which `-`, `_` and `.` separate.
const CREDENTIALS: [&str; 22] = [
    "2fa",
    "auth",
    "authenticate",
    "authorize",
    "login",
    "logon",
    "mfa",
    "oauth",
    "oauth2",
    "otp",
    "passcode",
    "passwd",
    "password",
    "passwords",
    "pin",
    "register",
    "session",
    "sessions",
    "signin",
    "signup",
    "token",
    "tokens",
];

impl Purpose {
    /// By methods in capitals (none: every method) and a path; what varies in the path may be left out or be
    /// a placeholder.
    #[must_use]
    pub fn of<T: AsRef<str>>(methods: &[T], path: &str) -> Self {
        let all = |wanted: &[&str]| {
            !methods.is_empty() && methods.iter().all(|method| wanted.contains(&method.as_ref()))
        };
        let mut segments = path.split('/').filter(|segment| !segment.is_empty());
        if all(&["POST", "PUT"])
            && segments
                .clone()
                .any(|segment| HOOKS.contains(&segment) || segment.ends_with("-webhook"))
        {
            return Self::Webhook;
        }
        let is_credential = |word: &str| CREDENTIALS.contains(&word.to_ascii_lowercase().as_str());
        let is_tried = segments.clone().any(|segment| {
            let plain = segment.replace(['-', '_'], "");
            is_credential(&plain) || segment.split(['-', '_', '.']).any(is_credential)
        });
        if all(&["GET", "HEAD"]) && segments.next_back().is_some_and(|it| HEALTH.contains(&it)) {
            return Self::HealthCheck;
        }
        if is_tried {
            Self::Credentials
        } else if all(&["POST", "PUT", "PATCH", "DELETE"]) {
            Self::Change
        } else {
            Self::Read
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Purpose;

    #[test]
    fn methods_and_paths_tell() {
        for (methods, path, wanted) in [
            (&["POST"][..], "/payments/webhook", Purpose::Webhook),
            (&["PUT"], "/stripe-webhook", Purpose::Webhook),
            (&["GET"], "/payments/webhook", Purpose::Read),
            (&["GET", "HEAD"], "/api/healthz", Purpose::HealthCheck),
            (&["GET"], "/health/records", Purpose::Read),
            (&[], "/health", Purpose::Read),
            (&["GET"], "/oauth/token", Purpose::Credentials),
            (&["POST"], "/api/v1/Sign-In", Purpose::Credentials),
            (&["POST"], "/password_reset", Purpose::Credentials),
            (&["POST"], "/orders", Purpose::Change),
            (&["PATCH", "DELETE"], "/orders/", Purpose::Change),
            (&["GET", "POST"], "/orders", Purpose::Read),
            (&["GET"], "/tokenizer", Purpose::Read),
            (&[], "", Purpose::Read),
        ] {
            assert_eq!(Purpose::of(methods, path), wanted, "{methods:?} {path}");
        }
    }
}
