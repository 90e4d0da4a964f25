import assert from 'node:assert/strict';
import { test } from 'node:test';

import { full, fullInMs, refill, take, tokens, waitMs, type Bucket } from '../src/bucket.js';

const rule = { limit: 50, windowSeconds: 3600, burst: 10 };

function drained(at: number): Bucket {
  let bucket: Bucket | undefined = full(rule, at);
  for (let request = 0; request < rule.burst; request += 1) bucket = bucket && take(rule, bucket);
  assert.ok(bucket);
  return bucket;
}

test('a full bucket gives its burst and no more', () => {
  assert.equal(take(rule, drained(0)), undefined);
  assert.equal(tokens(rule, drained(0)), 0);
});

test('one token comes back after a window divided by the limit, to the millisecond', () => {
  assert.equal(waitMs(rule, drained(0)), 72_000);
  assert.equal(take(rule, refill(rule, drained(0), 71_999)), undefined);
  assert.ok(take(rule, refill(rule, drained(0), 72_000)));
});

test('it never holds more than its burst, after however long', () => {
  assert.equal(tokens(rule, refill(rule, drained(0), Number.MAX_SAFE_INTEGER)), rule.burst);
  assert.equal(fullInMs(rule, full(rule, 0)), 0);
});

test('a clock that goes back brings nothing, and nothing twice when it comes forward again', () => {
  const later = drained(100_000);
  const back = refill(rule, later, 1_000);
  assert.deepEqual(back, later);
  assert.deepEqual(refill(rule, back, 100_000), later);
});

test('many small steps bring as much as one large one', () => {
  let stepped = drained(0);
  for (let at = 1; at <= 10_007; at += 1) stepped = refill(rule, stepped, at);
  assert.deepEqual(stepped, refill(rule, drained(0), 10_007));
});

test('the largest limit that a policy takes is counted exactly', () => {
  const largest = { limit: 1_000_000, windowSeconds: 2_678_400, burst: 1_000_000 };
  const once = take(largest, full(largest, 0));
  assert.ok(once && Number.isSafeInteger(once.parts));
  assert.equal(tokens(largest, once), 999_999);
  assert.equal(tokens(largest, refill(largest, once, 2_679)), 1_000_000);
});
