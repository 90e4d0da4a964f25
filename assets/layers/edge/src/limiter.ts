// One decision: counts a request in the table and says where its client stands.
import type { Algorithm } from "./config-type.js";
import { Memory } from "./memory.js";
import type { Counted, Store } from "./store.js";
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

/** How many windows a clock may go back before it is taken for one that had been ahead. */
const MOST_BACK = 2;

interface Refusal {
  limit: number;
  /** Milliseconds since 1970: until then nothing is counted, not even for a CAPTCHA. */
  until: number;
  /** When a request would pass. */
  free: number;
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

  /** Fails if the store does. `time`: milliseconds since 1970. */
  async decide(question: Question, time: number): Promise<Decision> {
    const { key, algorithm, limit, band } = question;
    const now = this.at(time);
    const refused = `${band}#${key}`;
    const refusal = this.refusals.get(refused);
    if (refusal !== undefined && now < refusal.until && refusal.limit === limit)
      return { verdict: "limited", remaining: 0, reset: refusal.free - now };

    const window = windowAt(now, this.windowSeconds * 1000);
    // Kept for one more window, whose estimate needs it, and a minute for clocks that differ.
    const expires = (window.index + 2) * this.windowSeconds + 60;
    const count = (most: number): Promise<Counted> => this.store.count(key, this.name(window.index), most, expires);

    let before = algorithm === "fixed-window" ? 0 : this.previous.get(`${window.index}#${key}`);
    let answer: Counted | undefined;
    if (before === undefined) {
      // Both at once, to wait only once: what fits beside a full window before fits beside any.
      const least = room(algorithm, limit, band * limit, window);
      [before, answer] = await Promise.all([this.before(key, window.index), least > 0 ? count(least) : undefined]);
    }
    const most = room(algorithm, limit, before, window);
    if (answer === undefined || !answer.counted) answer = await count(most + (band - 1) * limit);

    if (answer.counted && answer.count <= most)
      return { verdict: "allowed", remaining: most - answer.count, reset: untilEnd(window) };
    const reset = untilFree(algorithm, limit, before, answer.count, window);
    if (answer.counted && band > 1) return { verdict: "challenge", remaining: 0, reset };
    // With a band, the moment for one more challenge may come earlier than that for one more request.
    const until = band === 1 ? reset : Math.min(reset, untilFree(algorithm, band * limit, before, answer.count, window));
    this.refusals.set(refused, { limit, until: now + until, free: now + reset });
    return { verdict: "limited", remaining: 0, reset };
  }

  /**
   * A time that goes back counts as the latest one: what was handed out stays handed out. If it goes far back
   * the clock had been ahead before, and what was learnt from it is forgotten; what is counted is in the table.
   */
  private at(time: number): number {
    if (time < this.latest - MOST_BACK * this.windowSeconds * 1000) {
      this.refusals.clear();
      this.previous.clear();
      this.latest = time;
    }
    return (this.latest = Math.max(this.latest, time));
  }

  private async before(key: string, index: number): Promise<number> {
    const item = await this.store.read(key, this.name(index - 1));
    const count = Number(item?.["count"]?.N ?? 0);
    this.previous.set(`${index}#${key}`, count);
    return count;
  }

  /** Sort key: the window, and the region, because two regions must not write to one item. */
  private name(index: number): string {
    return `${index * this.windowSeconds}#${this.region}`;
  }
}
