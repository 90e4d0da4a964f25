import { setTimeout as sleep } from 'node:timers/promises';

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

import { full, fullInMs, refill, take, tokens, waitMs, type Bucket } from './bucket.js';
import { clientKey, InvalidValue, type Caller } from './client.js';
import { neverBackwards, type Clock } from './clock.js';
import { within } from './deadline.js';
import type { Decision } from './decision.js';
import { Table, type Stored } from './table.js';
import { Turns, type Turn } from './turns.js';
import type { Config, FixedWindowLimit, Limit, TokenBucketLimit } from './types.js';

/** Times that a bucket is written before its client is told to come back: see README.md, "Contention". */
const ATTEMPTS = 12;
/** Milliseconds of the first pause between two attempts; each further one may be twice as long. */
const FIRST_PAUSE = 4;
const LONGEST_PAUSE = 64;
/** Seconds that an item is kept after it has lost its meaning: clocks of machines differ. */
const KEPT = 60;

/** What can be replaced in tests. */
export interface Parts {
  client?: DynamoDBClient;
  clock?: Clock;
  /** Told of every error of the store. */
  onError?: (error: unknown, limit: Limit) => void;
}

/** Decides by what a DynamoDB table holds. One for the life of a process. */
export class Limiter {
  private readonly limits: ReadonlyMap<string, Limit>;
  private readonly table: Table;
  private readonly turns = new Turns();
  private readonly now: Clock;
  private readonly onError: (error: unknown, limit: Limit) => void;

  constructor(
    private readonly config: Config,
    parts: Parts = {},
  ) {
    this.limits = new Map(config.limits.map((limit) => [limit.name, limit]));
    const client = parts.client ?? new DynamoDBClient({ region: config.region, maxAttempts: 2 });
    this.table = new Table(client, config.table);
    this.now = neverBackwards(parts.clock);
    this.onError =
      parts.onError ??
      ((error, limit) => console.error(`limit ${limit.name}: fails ${limit.fail}:`, error));
  }

  /** Whether one request of a caller passes, by the limit of this name. Never throws for the store. */
  async decide(name: string, caller: Caller): Promise<Decision> {
    const limit = this.limits.get(name);
    if (!limit) throw new Error(`config.ts has no limit \`${name}\``);
    // Before the store is asked: what a client sends must never look like a store that does not answer.
    const client = keyOf(limit, caller);
    if (client === undefined) return decision(limit, 'invalid', false, 0, 0, 0);
    const key = `${limit.name}#${client}`;
    const race: Race = { lost: 0 };
    try {
      return await within(this.config.timeoutMs, (signal) =>
        limit.algorithm === 'token_bucket'
          ? this.turns.take(
              key,
              (turn) => (race.turn = turn),
              () => this.fromBucket(limit, key, race, signal),
            )
          : this.inWindow(limit, key, signal),
      );
    } catch (error) {
      // The store answers, and one client's own requests are in each other's way: were they let through,
      // whoever sends enough of them at once would have no limit.
      if (race.lost > 0 || race.turn?.contended()) return contended(limit);
      this.onError(error, limit);
      const allowed = limit.fail === 'open';
      return decision(limit, 'unavailable', allowed, 0, allowed ? 0 : 1000, 0);
    }
  }

  /** A function that asks for one limit, for `limited` and `middleware`. */
  for(name: string): (caller: Caller) => Promise<Decision> {
    if (!this.limits.has(name)) throw new Error(`config.ts has no limit \`${name}\``);
    return (caller) => this.decide(name, caller);
  }

  private async fromBucket(
    limit: TokenBucketLimit,
    key: string,
    race: Race,
    signal: AbortSignal,
  ): Promise<Decision> {
    signal.throwIfAborted();
    let stored = await this.table.read(key, signal);
    while (race.lost < ATTEMPTS) {
      const now = this.now();
      const before = stored ? refill(limit, of(limit, stored), now) : full(limit, now);
      const after = take(limit, before);
      // Whoever is refused writes nothing: an attack costs reads only, and cannot wear the bucket out.
      if (!after) return fromBucket(limit, 'limited', before);
      const expires = Math.ceil((after.at + fullInMs(limit, after)) / 1000) + KEPT;
      const written = { bucket: after, windowSeconds: limit.windowSeconds };
      if (await this.table.write(key, written, stored?.version, expires, signal)) {
        return fromBucket(limit, 'counted', after);
      }
      const longest = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** race.lost);
      race.lost += 1;
      await sleep(Math.random() * longest, undefined, { signal });
      stored = await this.table.read(key, signal);
    }
    return contended(limit);
  }

  private async inWindow(
    limit: FixedWindowLimit,
    key: string,
    signal: AbortSignal,
  ): Promise<Decision> {
    const width = limit.windowSeconds * 1000;
    const now = this.now();
    const end = (Math.floor(now / width) + 1) * width;
    const counted = await this.table.countUp(
      `${key}#${end / 1000}`,
      limit.limit,
      end / 1000 + KEPT,
      signal,
    );
    return counted === undefined
      ? decision(limit, 'limited', false, 0, end - now, end - now)
      : decision(limit, 'counted', true, limit.limit - counted, 0, end - now);
  }
}

/** The client's part of a key; `undefined` if what was given may be none. */
function keyOf(limit: Limit, caller: Caller): string | undefined {
  try {
    return clientKey(limit.client, caller);
  } catch (error) {
    if (error instanceof InvalidValue) return undefined;
    throw error;
  }
}

/** How one request fares against others of the same client. */
interface Race {
  /** Times that another one wrote first. */
  lost: number;
  turn?: Turn;
}

/** What was stored, in the parts of the limit as it is now. */
function of(limit: TokenBucketLimit, stored: Stored): Bucket {
  const { bucket, windowSeconds } = stored;
  if (windowSeconds === limit.windowSeconds) return bucket;
  return { ...bucket, parts: Math.floor((bucket.parts / windowSeconds) * limit.windowSeconds) };
}

function fromBucket(limit: TokenBucketLimit, reason: Decision['reason'], bucket: Bucket): Decision {
  const allowed = reason === 'counted';
  const wait = allowed ? 0 : waitMs(limit, bucket);
  return decision(limit, reason, allowed, tokens(limit, bucket), wait, fullInMs(limit, bucket));
}

function contended(limit: Limit): Decision {
  return decision(limit, 'contended', false, 0, 1000, 1000);
}

function decision(
  limit: Limit,
  reason: Decision['reason'],
  allowed: boolean,
  remaining: number,
  wait: number,
  reset: number,
): Decision {
  const { name, windowSeconds } = limit;
  const told = { limit: limit.limit, windowSeconds, remaining, waitMs: wait, resetMs: reset };
  return { allowed, reason, name, ...told };
}
