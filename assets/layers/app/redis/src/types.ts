/** What requests are told apart by. */
export type Part = 'user' | 'device' | 'ip' | 'activity';

/** A limit over one combination of parts. */
export interface Dimension {
  by: readonly Part[];
  /** Requests in any window. */
  limit: number;
  windowSeconds: number;
}

/** Limits that are asked for together: all of them have room, or nothing is counted. */
export interface Scenario {
  name: string;
  dimensions: readonly Dimension[];
  /** Different users of one device in any window. */
  accountsPerDevice?: { limit: number; windowSeconds: number };
  fail: 'open' | 'closed';
  /** silent: whoever is refused gets an answer like everybody's, and no header tells of a limit. */
  answer: 'refuse' | 'silent';
}

/** A token bucket for all requests together. */
export interface Total {
  limit: number;
  windowSeconds: number;
  burst: number;
  fail: 'open' | 'closed';
}

export interface Config {
  /** What all keys begin with. */
  prefix: string;
  /** Milliseconds that a decision may take. */
  timeoutMs: number;
  scenarios: readonly Scenario[];
  total?: Total;
}
