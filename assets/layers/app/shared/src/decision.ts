/** What was decided about one request. */
export interface Decision {
  allowed: boolean;
  /**
   * counted: there was room. limited: there was none. contended: too many of one client's requests at the
   * same moment. invalid: a value that may not become part of a key; the store was not asked. unavailable: the
   * store did not answer in time, and the limit's `fail` decided.
   */
  reason: 'counted' | 'limited' | 'contended' | 'invalid' | 'unavailable';
  /** The name of the limit. */
  name: string;
  /** Requests per window. */
  limit: number;
  windowSeconds: number;
  /** Requests that would pass now. */
  remaining: number;
  /** Milliseconds until one more passes; 0 when this one did. */
  waitMs: number;
  /** Milliseconds until all of the limit is there again. */
  resetMs: number;
  /** Nobody outside may learn that there is a limit. */
  silent?: boolean;
}

/** HTTP status of a request that does not pass. */
export function status(decision: Decision): 400 | 429 | 503 {
  if (decision.reason === 'invalid') return 400;
  return decision.reason === 'unavailable' ? 503 : 429;
}

const seconds = (milliseconds: number) => Math.ceil(milliseconds / 1000);

/**
 * Both families of headers: X-RateLimit-*, which clients know (reset: seconds since 1970, as at the edge), and
 * RateLimit-Policy and RateLimit of the IETF draft (draft-ietf-httpapi-ratelimit-headers; t: seconds from
 * `now`). A store that does not answer tells nothing.
 */
export function headers(decision: Decision, now: number = Date.now()): Record<string, string> {
  const { name, limit, windowSeconds, remaining, allowed } = decision;
  const wait = String(Math.max(1, seconds(decision.waitMs)));
  if (decision.silent || decision.reason === 'invalid') return {};
  if (decision.reason === 'unavailable') return allowed ? {} : { 'Retry-After': wait };
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(seconds(now + decision.resetMs)),
    'RateLimit-Policy': `"${name}";q=${limit};w=${windowSeconds}`,
    RateLimit: `"${name}";r=${remaining};t=${seconds(decision.resetMs)}`,
    ...(allowed ? {} : { 'Retry-After': wait }),
  };
}

/** JSON for whoever does not pass. */
export function body(decision: Decision): string {
  if (status(decision) === 400) return '{"error":"bad_request","message":"A value is not valid."}';
  return status(decision) === 503
    ? '{"error":"unavailable","message":"Try again later."}'
    : '{"error":"too_many_requests","message":"Rate limit exceeded. Try again later."}';
}
