/** What a bucket may hold, and how fast it fills. */
export interface Rule {
  /** Tokens that come back in a window. */
  limit: number;
  windowSeconds: number;
  /** Tokens that it holds at most. */
  burst: number;
}

/**
 * What a bucket holds at a time. Tokens are counted in parts of a token, as many as the window has
 * milliseconds: then a millisecond brings back `limit` of them, all numbers are whole and below 2^53, and
 * no rounding adds up.
 */
export interface Bucket {
  parts: number;
  /** Milliseconds since 1970. */
  at: number;
}

const partsOfToken = (rule: Rule) => rule.windowSeconds * 1000;
const mostParts = (rule: Rule) => rule.burst * partsOfToken(rule);

export function full(rule: Rule, at: number): Bucket {
  return { parts: mostParts(rule), at };
}

/** The bucket at a later time. A time before its own changes nothing. */
export function refill(rule: Rule, bucket: Bucket, now: number): Bucket {
  const at = Math.max(bucket.at, now);
  // Longer than it takes to fill it is the same as that.
  const passed = Math.min(at - bucket.at, Math.floor(mostParts(rule) / rule.limit) + 1);
  return { parts: Math.min(mostParts(rule), bucket.parts + passed * rule.limit), at };
}

/** The bucket after one token is taken; `undefined` if there is none. */
export function take(rule: Rule, bucket: Bucket): Bucket | undefined {
  const parts = bucket.parts - partsOfToken(rule);
  return parts < 0 ? undefined : { ...bucket, parts };
}

/** Whole tokens. */
export function tokens(rule: Rule, bucket: Bucket): number {
  return Math.floor(bucket.parts / partsOfToken(rule));
}

/** Milliseconds until there is a token. */
export function waitMs(rule: Rule, bucket: Bucket): number {
  return Math.ceil(Math.max(0, partsOfToken(rule) - bucket.parts) / rule.limit);
}

/** Milliseconds until it is full. */
export function fullInMs(rule: Rule, bucket: Bucket): number {
  return Math.ceil((mostParts(rule) - bucket.parts) / rule.limit);
}
