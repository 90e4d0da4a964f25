// One decision: counts a request in the table and says where its client stands.
import type { Algorithm } from "./config-type.js";
import { Memory } from "./memory.js";
import type { Store } from "./store.js";
import { room, untilEnd, untilFree, windowAt } from "./windows.js";

export interface Question {
  /** `identity#route` */
  key: string;
  algorithm: Algorithm;
  limit: number;
  /** How many times the limit are counted: 2 where there is a CAPTCHA between one and two times, else 1. */
  band: number;
}

export interface Decision {
  verdict: "allowed" | "challenge" | "limited";
  remaining: number;
  /** Milliseconds: see `Standing.reset`. */
  reset: number;
}

/** Of how many clients an instance remembers something: some megabytes of its 128. */
const MOST_REMEMBERED = 10_000;

interface Refusal {
  limit: number;
  band: number;
  until: number;
}

export class Limiter {
  /** What the window before held: it no longer changes, so it is read once a window. */
  private readonly previous = new Memory<number>(MOST_REMEMBERED);
  /** A window's count never falls, so a refusal holds until the moment it named, without asking again. */
  private readonly refusals = new Memory<Refusal>(MOST_REMEMBERED);

  private latest = 0;

  constructor(
    private readonly store: Store,
    private readonly region: string,
    private readonly windowSeconds: number,
  ) {}

  /** Fails if the store does. `time`: milliseconds since 1970; one that goes back counts as the latest seen. */
  async decide(question: Question, time: number): Promise<Decision> {
    const { key, algorithm, limit, band } = question;
    const now = (this.latest = Math.max(this.latest, time));
    const refusal = this.refusals.get(key);
    if (refusal !== undefined && now < refusal.until && refusal.limit === limit && refusal.band === band)
      return { verdict: "limited", remaining: 0, reset: refusal.until - now };

    const window = windowAt(now, this.windowSeconds * 1000);
    const before = algorithm === "sliding-window" ? await this.before(key, window.index) : 0;
    const most = room(algorithm, limit, before, window);
    // Kept for one more window, whose estimate needs it, and a minute for clocks that differ.
    const expires = (window.index + 2) * this.windowSeconds + 60;
    const answer = await this.store.count(key, this.name(window.index), most + (band - 1) * limit, expires);

    if (answer.counted && answer.count <= most)
      return { verdict: "allowed", remaining: most - answer.count, reset: untilEnd(window) };
    const reset = untilFree(algorithm, limit, before, answer.count, window);
    if (answer.counted) return { verdict: "challenge", remaining: 0, reset };
    // With a band, the moment for one more challenge comes earlier than `reset`: not remembered.
    if (band === 1) this.refusals.set(key, { limit, band, until: now + reset });
    return { verdict: "limited", remaining: 0, reset };
  }

  private async before(key: string, index: number): Promise<number> {
    const known = `${index}#${key}`;
    const remembered = this.previous.get(known);
    if (remembered !== undefined) return remembered;
    const item = await this.store.read(key, this.name(index - 1));
    const count = Number(item?.["count"]?.N ?? 0);
    this.previous.set(known, count);
    return count;
  }

  /** Sort key: the window, and the region, because two regions must not write to one item. */
  private name(index: number): string {
    return `${index * this.windowSeconds}#${this.region}`;
  }
}
