/** Tokens that come back one by one. */
export interface TokenBucketLimit {
  name: string;
  algorithm: 'token_bucket';
  /** Requests per window. */
  limit: number;
  windowSeconds: number;
  /** Requests that may come at once. */
  burst: number;
  client: 'subject' | 'address';
  fail: 'open' | 'closed';
}

/** A counter that starts anew with each window of the clock (UTC). */
export interface FixedWindowLimit {
  name: string;
  algorithm: 'fixed_window';
  limit: number;
  windowSeconds: number;
  client: 'subject' | 'address';
  fail: 'open' | 'closed';
}

export type Limit = TokenBucketLimit | FixedWindowLimit;

export interface Config {
  region: string;
  table: string;
  /** Milliseconds that a decision may take. */
  timeoutMs: number;
  limits: readonly Limit[];
}
