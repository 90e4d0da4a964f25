// What a client is told: headers of both families, and the answers that end a request here.
import { header, setHeader, type Headers, type Request, type Response } from "./cloudfront.js";

/** Where a client stands after this request. */
export interface Standing {
  name: string;
  limit: number;
  windowSeconds: number;
  remaining: number;
  /** Milliseconds until the window ends or, if refused, until one more request fits. */
  reset: number;
}

/** Carries the standing from viewer-request to viewer-response. A viewer's own is removed. */
export const STANDING_HEADER = "x-limiter-standing";

/**
 * `X-RateLimit-*` as many APIs have it (reset: seconds since 1970), and `RateLimit` with `RateLimit-Policy`
 * of draft-ietf-httpapi-ratelimit-headers (t: seconds from now).
 */
export function standingHeaders(standing: Standing, now: number): Headers {
  const seconds = Math.max(1, Math.ceil(standing.reset / 1000));
  const headers: Headers = {};
  setHeader(headers, "X-RateLimit-Limit", String(standing.limit));
  setHeader(headers, "X-RateLimit-Remaining", String(standing.remaining));
  setHeader(headers, "X-RateLimit-Reset", String(Math.ceil((now + standing.reset) / 1000)));
  setHeader(headers, "RateLimit-Policy", `"${standing.name}";q=${standing.limit};w=${standing.windowSeconds}`);
  setHeader(headers, "RateLimit", `"${standing.name}";r=${standing.remaining};t=${seconds}`);
  return headers;
}

export function carry(request: Request, standing: Standing, now: number): void {
  const { name, limit, windowSeconds, remaining, reset } = standing;
  const value = [name, limit, windowSeconds, remaining, now + reset].join(";");
  setHeader(request.headers, STANDING_HEADER, value);
}

/** What `carry` wrote, if it did. */
export function carried(request: Request, now: number): Standing | undefined {
  const parts = header(request.headers, STANDING_HEADER)?.split(";") ?? [];
  const [name, limit, windowSeconds, remaining, until] = parts;
  if (parts.length !== 5 || name === undefined) return undefined;
  return {
    name,
    limit: Number(limit),
    windowSeconds: Number(windowSeconds),
    remaining: Number(remaining),
    reset: Math.max(0, Number(until) - now),
  };
}

export function tooMany(standing: Standing, now: number): Response {
  const seconds = Math.max(1, Math.ceil(standing.reset / 1000));
  return json("429", "Too Many Requests", seconds, standingHeaders(standing, now), {
    error: "too_many_requests",
    message: `No more than ${standing.limit} requests in ${standing.windowSeconds} seconds. Try again in ${seconds} seconds.`,
    limit: standing.limit,
    window_seconds: standing.windowSeconds,
    retry_after_seconds: seconds,
  });
}

export function unavailable(): Response {
  return json("503", "Service Unavailable", 5, {}, {
    error: "limiter_unavailable",
    message: "This request cannot be checked right now. Try again in 5 seconds.",
    retry_after_seconds: 5,
  });
}

export function redirect(location: string, standing: Standing, now: number): Response {
  const headers = standingHeaders(standing, now);
  setHeader(headers, "Location", location);
  setHeader(headers, "Cache-Control", "no-store");
  return { status: "302", statusDescription: "Found", headers };
}

function json(status: string, description: string, retry: number, headers: Headers, body: object): Response {
  setHeader(headers, "Content-Type", "application/json");
  setHeader(headers, "Cache-Control", "no-store");
  setHeader(headers, "Retry-After", String(retry));
  return { status, statusDescription: description, headers, body: JSON.stringify(body) };
}
