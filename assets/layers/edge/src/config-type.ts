// What `config.ts` has to hold. That file is generated; everything else here is constant.

export type Algorithm = "fixed-window" | "sliding-window";

/** A path, not encoded. How requests are compared with it: README.md, "How paths are compared". */
export interface PathMatch {
  path: string;
  /** false: every path that starts with it. */
  exact: boolean;
}

export interface Limits {
  /** Letters, digits, `-` and `_`: part of the table's key, of the headers and of the metrics. */
  name: string;
  algorithm: Algorithm;
  /** Requests in a window, for each tier of `Config.tiers`. */
  limits: Record<string, number>;
  /** What happens when the table does not answer: "open" lets the request through, "closed" answers 503. */
  failure: "open" | "closed";
}

export interface Route extends Limits, PathMatch {
  /** In capitals. Empty: every method. */
  methods: string[];
}

export interface Captcha {
  /** A path of this site that shows the CAPTCHA (see `captcha-page.ts`). Never limited. */
  page: string;
  /** For how long a solved CAPTCHA lifts the limit. */
  passSeconds: number;
  /** For how long the page accepts the ticket that the redirect brings along. */
  ticketSeconds: number;
}

export interface Config {
  table: {
    name: string;
    /** Region of the table that the replicas are copies of: us-east-1. */
    home: string;
    /** The other regions. Empty: every edge counts in the home region, which is exact and farther away. */
    replicas: string[];
    /** A store that is slower than this counts as one that does not answer. Far below Lambda@Edge's 5 s. */
    timeoutMilliseconds: number;
  };
  windowSeconds: number;
  /** Addresses are counted by this prefix: 64, because a home has a whole /64, or 128. */
  ipv6Prefix: number;
  /** Names of the tiers: "anonymous", "authenticated" and the plans. */
  tiers: string[];
  /** Tier of a known client whose tier header is missing or unknown. */
  defaultTier: string;
  /**
   * Headers that an authorizer in front of this distribution sets. A viewer can send any header, so name
   * them only if whatever stands in front removes them from what it receives. null: nobody is trusted, the
   * headers named in `untrustedHeaders` are removed, and everybody is anonymous.
   */
  trustedHeaders: { client: string; tier: string } | null;
  untrustedHeaders: string[];
  /** Paths that are never limited: signed webhooks, health checks. */
  neverLimited: PathMatch[];
  /** Networks that are never limited, besides those of the table's item (see `settings.ts`). */
  allowlist: string[];
  /** How long allowlist and secret stay in memory. */
  settingsSeconds: number;
  /** Where no route matches. */
  global: Limits;
  routes: Route[];
  /** null: between one and two times the limit the answer is 429, as above. */
  captcha: Captcha | null;
  metrics: {
    namespace: string;
    /** Counts are added up in memory for so long. 0: a line for each request. */
    flushSeconds: number;
  };
}
