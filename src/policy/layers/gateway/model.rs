//! What the section `layers.gateway` means.

/// Usage plans and keys of a stage of a REST API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GatewayLayer {
    /// What the names of plans and keys begin with.
    pub name: String,
    /// The Region of the API.
    pub region: String,
    /// The id of the REST API.
    pub rest_api: String,
    /// The deployed stage.
    pub stage: String,
    /// What all clients together may send; `None` for what the account has.
    pub total: Option<Ceiling>,
    /// In the order of the file.
    pub plans: Vec<Plan>,
    /// Clients and their plans, in the order of the file.
    pub keys: Vec<(String, String)>,
}

/// What may be sent: a token bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Throttle {
    /// Requests per window.
    pub limit: u32,
    /// Seconds.
    pub window: u32,
    /// Requests that may come at once.
    pub burst: u32,
}

/// What all clients together may send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ceiling {
    /// By every method.
    pub throttle: Throttle,
    /// By single methods.
    pub routes: Vec<MethodLimit>,
}

/// A usage plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Its name.
    pub name: String,
    /// What one key may send.
    pub throttle: Throttle,
    /// Requests in a period.
    pub quota: Option<(u32, Period)>,
    /// What one key may send by single methods.
    pub routes: Vec<MethodLimit>,
}

/// A limit of one method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodLimit {
    /// The method, in capitals.
    pub method: &'static str,
    /// The path of the resource, with its slash.
    pub path: String,
    /// What may be sent.
    pub throttle: Throttle,
}

/// In which time a quota is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Period {
    /// A day.
    Day,
    /// A week.
    Week,
    /// A month.
    Month,
}
