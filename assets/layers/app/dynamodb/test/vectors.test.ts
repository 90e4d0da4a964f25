// The decisions of ratewaf's own limiters, in Rust, on the same requests: `ratewaf replay --algorithm` and
// this code say the same. vectors.json is written by ratewaf emit.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';

import type { Limit } from '../src/types.js';
import { caller, Store } from './store.js';

interface Vector {
  about: string;
  limit: Limit;
  /** Time of the clock in milliseconds, whether the request passes, and the milliseconds to wait. */
  requests: [at: number, passes: boolean, waitMs: number][];
}

const file = new URL('../../test/vectors.json', import.meta.url);
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vector[];

let store: Store;
before(async () => {
  store = await Store.start();
});
after(() => store.stop());

assert.ok(vectors.length > 0);
vectors.forEach(({ about, limit, requests }, place) => {
  test(`${limit.algorithm} ${limit.limit} in ${limit.windowSeconds} s: ${about}`, async () => {
    let now = 0;
    const limiter = store.limiter([limit], { clock: () => now });
    for (const [step, [at, passes, waitMs]] of requests.entries()) {
      now = at;
      const decision = await limiter.decide(limit.name, caller(place));
      const told = `request ${step} at ${at}`;
      assert.deepEqual([decision.allowed, decision.waitMs], [passes, waitMs], told);
    }
  });
});
