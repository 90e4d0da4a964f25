// Counts for CloudWatch in its embedded metric format, by tier and route. They arrive in the region that the
// function ran in. What an instance has not yet written when it is shut down is lost.

export type Outcome = "Allowed" | "Limited" | "Challenged" | "Passed" | "FailedOpen" | "FailedClosed";

/** The format allows 100 values of a metric in a line. */
const MOST_VALUES = 100;

interface Sum {
  tier: string;
  route: string;
  outcomes: Partial<Record<Outcome, number>>;
  milliseconds: number[];
}

export class Metrics {
  private sums = new Map<string, Sum>();
  private due = 0;

  constructor(
    private readonly namespace: string,
    private readonly flushSeconds: number,
    private readonly write: (line: string) => void,
  ) {}

  /** `milliseconds`: what the store took, if it was asked. */
  count(tier: string, route: string, outcome: Outcome, now: number, milliseconds?: number): void {
    const key = `${tier}#${route}`;
    const sum = this.sums.get(key) ?? { tier, route, outcomes: {}, milliseconds: [] };
    this.sums.set(key, sum);
    sum.outcomes[outcome] = (sum.outcomes[outcome] ?? 0) + 1;
    if (milliseconds !== undefined && sum.milliseconds.length < MOST_VALUES) sum.milliseconds.push(milliseconds);
    if (this.due === 0) this.due = now + this.flushSeconds * 1000;
    if (now >= this.due) this.flush(now);
  }

  flush(now: number): void {
    for (const sum of this.sums.values()) this.write(this.line(sum, now));
    this.sums.clear();
    this.due = 0;
  }

  private line(sum: Sum, now: number): string {
    const metrics: { Name: string; Unit: string }[] = Object.keys(sum.outcomes).map((Name) => ({ Name, Unit: "Count" }));
    if (sum.milliseconds.length > 0) metrics.push({ Name: "StoreTime", Unit: "Milliseconds" });
    return JSON.stringify({
      _aws: {
        Timestamp: now,
        CloudWatchMetrics: [{ Namespace: this.namespace, Dimensions: [["Tier", "Route"]], Metrics: metrics }],
      },
      Tier: sum.tier,
      Route: sum.route,
      ...sum.outcomes,
      ...(sum.milliseconds.length > 0 ? { StoreTime: sum.milliseconds } : {}),
    });
  }
}
