import { randomUUID } from 'node:crypto';

import { harmless, InvalidValue, textOf } from './client.js';
import { run, type Connection } from './connection.js';
import { within } from './deadline.js';
import type { Decision } from './decision.js';
import { keysOf, totalKey, type Asked } from './keys.js';
import { BUCKET, SLIDING, type Script } from './scripts.js';
import type { Config, Scenario } from './types.js';

/** What can be replaced in tests. */
export interface Parts {
  sliding?: Script;
  bucket?: Script;
  /** Told of every error of the store. */
  onError?: (error: unknown, name: string) => void;
}

/** Decides by what Redis holds. One for the life of a process. */
export class Limiter {
  private readonly scenarios: ReadonlyMap<string, Scenario>;
  private readonly sliding: Script;
  private readonly bucket: Script;
  private readonly onError: (error: unknown, name: string) => void;

  constructor(
    private readonly config: Config,
    private readonly connection: Connection,
    parts: Parts = {},
  ) {
    this.scenarios = new Map(config.scenarios.map((scenario) => [scenario.name, scenario]));
    this.sliding = parts.sliding ?? SLIDING;
    this.bucket = parts.bucket ?? BUCKET;
    this.onError =
      parts.onError ?? ((error, name) => console.error(`limit ${name}: no decision:`, error));
  }

  /**
   * Whether a request passes in a scenario. `id` is the request's own, made by the server: the same id
   * again is the same request, and is not counted twice. Never throws for the store.
   */
  async decide(name: string, asked: Asked, id: string = randomUUID()): Promise<Decision> {
    const scenario = this.scenario(name);
    const first = scenario.dimensions[0];
    const silent = scenario.answer === 'silent';
    const told = (limit: { limit: number; windowSeconds: number } | undefined) => ({
      name,
      limit: limit?.limit ?? 0,
      windowSeconds: limit?.windowSeconds ?? 0,
      resetMs: (limit?.windowSeconds ?? 0) * 1000,
      silent,
    });
    const command = this.commandOf(scenario, 'take', asked, id);
    if (!command) return { ...told(first), allowed: false, reason: 'invalid', remaining: 0, waitMs: 0 };
    try {
      const [passes, which = 0, remaining = 0, waitMs = 0] = await this.send(command);
      const limit = which === 0 ? scenario.accountsPerDevice : scenario.dimensions[which - 1];
      const reason = passes === 1 ? 'counted' : 'limited';
      return { ...told(limit), allowed: passes === 1, reason, remaining, waitMs };
    } catch (error) {
      this.onError(error, name);
      return { ...told(first), ...unavailable(scenario.fail) };
    }
  }

  /**
   * Takes a request back, such as one that failed for our own fault. Again is the same as once; what could
   * not be counted cannot be taken back.
   */
  async refund(name: string, asked: Asked, id: string): Promise<boolean> {
    const command = this.commandOf(this.scenario(name), 'refund', asked, id);
    if (!command) return false;
    try {
      const [givenBack = 0] = await this.send(command);
      return givenBack > 0;
    } catch (error) {
      this.onError(error, name);
      return false;
    }
  }

  /** Whether all requests together leave room for one more. */
  async decideTotal(): Promise<Decision> {
    const { total, prefix, timeoutMs } = this.config;
    if (!total) throw new Error('config.ts has no `total`');
    const { limit, windowSeconds, burst, fail } = total;
    const told = { name: 'total', limit, windowSeconds };
    try {
      const values = [limit, windowSeconds * 1000, burst];
      const [passes, remaining = 0, waitMs = 0, resetMs = 0] = await within(timeoutMs, () =>
        run(this.connection, this.bucket, [totalKey(prefix)], values),
      );
      const reason = passes === 1 ? 'counted' : 'limited';
      return { ...told, allowed: passes === 1, reason, remaining, waitMs, resetMs };
    } catch (error) {
      this.onError(error, 'total');
      return { ...told, resetMs: 0, ...unavailable(fail) };
    }
  }

  private scenario(name: string): Scenario {
    const scenario = this.scenarios.get(name);
    if (!scenario) throw new Error(`config.ts has no scenario \`${name}\``);
    return scenario;
  }

  /**
   * Keys and values of the script; `undefined` if one of them may be neither. Made before the store is asked:
   * what a client sends must never look like a store that does not answer, which may let it pass.
   */
  private commandOf(scenario: Scenario, action: 'take' | 'refund', asked: Asked, id: string): Command | undefined {
    try {
      const { keys, account } = keysOf(this.config.prefix, scenario, asked);
      const own = textOf('id', id);
      if (own === undefined) return undefined;
      const accounts = scenario.accountsPerDevice;
      const limits = scenario.dimensions.flatMap((one) => [one.limit, one.windowSeconds * 1000]);
      const ofAccounts = [accounts?.limit ?? 0, (accounts?.windowSeconds ?? 0) * 1000];
      return { keys, values: [action, harmless(own), account, ...ofAccounts, ...limits] };
    } catch (error) {
      if (error instanceof InvalidValue) return undefined;
      throw error;
    }
  }

  private send({ keys, values }: Command): Promise<number[]> {
    return within(this.config.timeoutMs, () => run(this.connection, this.sliding, keys, values));
  }
}

interface Command {
  keys: string[];
  values: (string | number)[];
}

function unavailable(fail: 'open' | 'closed') {
  const allowed = fail === 'open';
  return { allowed, reason: 'unavailable' as const, remaining: 0, waitMs: allowed ? 0 : 1000 };
}
