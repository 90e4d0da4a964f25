// The decisions of ratewaf's own limiters, in Rust, on the same requests. vectors.json is written by
// ratewaf emit.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';

import type { Asked } from '../src/keys.js';
import type { Scenario, Total } from '../src/types.js';
import { Store } from './store.js';

interface Sliding {
  about: string;
  scenario: Scenario;
  /** When, what, the request's id, whose; whether it passes (or is given back), and the wait. */
  requests: [number, 'take' | 'refund', string, Asked, boolean, number][];
}

interface Bucket {
  about: string;
  total: Total;
  requests: [at: number, passes: boolean, waitMs: number][];
}

const file = new URL('../../test/vectors.json', import.meta.url);
const vectors = JSON.parse(readFileSync(file, 'utf8')) as (Sliding | Bucket)[];

let store: Store;
before(async () => {
  store = await Store.start();
});
after(() => store.end());

assert.ok(vectors.length > 0);
vectors.forEach((vector, place) => {
  const prefix = `vector-${place}`;
  if ('total' in vector) {
    const { limit, windowSeconds } = vector.total;
    test(`total ${limit} in ${windowSeconds} s: ${vector.about}`, async () => {
      const config = { prefix, timeoutMs: 20_000, scenarios: [], total: vector.total };
      const limiter = store.onClock(config);
      for (const [step, [at, passes, waitMs]] of vector.requests.entries()) {
        await store.setClock(at);
        const decision = await limiter.decideTotal();
        assert.deepEqual([decision.allowed, decision.waitMs], [passes, waitMs], `step ${step}`);
      }
    });
    return;
  }
  const { scenario, about, requests } = vector;
  test(`${scenario.name}: ${about}`, async () => {
    const limiter = store.onClock({ prefix, timeoutMs: 20_000, scenarios: [scenario] });
    for (const [step, [at, action, id, asked, passes, wait]] of requests.entries()) {
      await store.setClock(at);
      if (action === 'refund') {
        assert.equal(await limiter.refund(scenario.name, asked, id), passes, `step ${step}`);
        continue;
      }
      const decision = await limiter.decide(scenario.name, asked, id);
      assert.deepEqual([decision.allowed, decision.waitMs], [passes, wait], `step ${step}`);
    }
  });
});
