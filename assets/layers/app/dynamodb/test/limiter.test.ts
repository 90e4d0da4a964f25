import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { GetItemCommand } from '@aws-sdk/client-dynamodb';

import { config } from '../src/config.js';
import { Limiter } from '../src/limiter.js';
import type { FixedWindowLimit, TokenBucketLimit } from '../src/types.js';
import { caller, Store } from './store.js';

const bucket: TokenBucketLimit = {
  name: 'bucket',
  algorithm: 'token_bucket',
  limit: 50,
  windowSeconds: 86_400,
  burst: 50,
  client: 'subject',
  fail: 'open',
};
const quota: FixedWindowLimit = {
  name: 'quota',
  algorithm: 'fixed_window',
  limit: 50,
  windowSeconds: 60,
  client: 'subject',
  fail: 'closed',
};
/** A minute's start. */
const MINUTE = 1_788_825_600_000;

let store: Store;
before(async () => {
  store = await Store.start();
});
after(() => store.stop());

const silent = { onError: () => undefined };
const passed = (decisions: { allowed: boolean }[]) =>
  decisions.filter(({ allowed }) => allowed).length;

const isUnknown = ({ reason }: { reason: string }) => reason === 'unavailable';

/** Of 200 callers at once: README.md, "Contention", says why a bucket may let a few less through. */
const SLACK = { bucket: 5, quota: 0 };

for (const limit of [bucket, quota]) {
  test(`200 callers at once of one ${limit.name} never get more than the limit`, async () => {
    // Four limiters, as four processes have: they have only the table in common. On a machine that is too slow for
    // the store to answer at all, this has to fail and not to pass everybody.
    const clock = () => MINUTE;
    const strict = { ...limit, fail: 'closed' as const };
    const limiters = Array.from({ length: 4 }, () => store.limiter([strict], { clock }, 120_000));
    const all = Array.from({ length: 200 }, (_, place) =>
      limiters[place % 4]?.decide(limit.name, { subject: 'everybody' }),
    );
    const decisions = (await Promise.all(all)).filter((one) => one !== undefined);
    assert.equal(decisions.length, 200);
    const through = passed(decisions);
    const least = limit.limit - SLACK[limit.name as 'bucket' | 'quota'];
    assert.ok(through <= limit.limit && through >= least, `${through} of ${limit.limit}`);
    for (const { allowed, waitMs } of decisions) assert.equal(allowed, waitMs === 0);
  });
}

test('twice the limit passes around the edge of a fixed window, and not out of a bucket', async () => {
  const limit = { ...quota, name: 'edge', limit: 5 };
  const tokens = { ...bucket, name: 'edge-bucket', limit: 5, burst: 5, windowSeconds: 60 };
  let now = MINUTE - 1;
  const limiter = store.limiter([limit, tokens], { clock: () => now });
  const ask = async (name: string, times: number) => {
    const decisions = [];
    for (let time = 0; time < times; time += 1) {
      decisions.push(await limiter.decide(name, caller(1)));
    }
    return passed(decisions);
  };
  const before = [await ask('edge', 6), await ask('edge-bucket', 6)];
  now = MINUTE;
  assert.deepEqual([before, await ask('edge', 6), await ask('edge-bucket', 6)], [[5, 5], 5, 0]);
});

test('who is refused by a bucket writes nothing', async () => {
  const limit = { ...bucket, name: 'one', limit: 1, burst: 1 };
  const limiter = store.limiter([limit]);
  const read = async () => {
    const Key = { id: { S: 'one#a:192.0.2.7' } };
    return (await store.client.send(new GetItemCommand({ TableName: 'limits', Key }))).Item;
  };
  assert.ok((await limiter.decide('one', caller(7))).allowed);
  const item = await read();
  assert.ok(item);
  assert.equal((await limiter.decide('one', caller(7))).reason, 'limited');
  assert.deepEqual(await read(), item);
});

test('items are gone when they mean nothing any more: seconds since 1970, as the TTL wants them', async () => {
  const limiter = store.limiter([bucket, quota], { clock: () => MINUTE });
  const expires = async (id: string) => {
    const command = new GetItemCommand({ TableName: 'limits', Key: { id: { S: id } } });
    return Number((await store.client.send(command)).Item?.['expires']?.N);
  };
  await limiter.decide('bucket', caller(8));
  // One token of 50 a day is back after 1,728 s.
  assert.equal(await expires('bucket#a:192.0.2.8'), MINUTE / 1000 + 1_728 + 60);
  await limiter.decide('quota', caller(8));
  assert.equal(
    await expires(`quota#a:192.0.2.8#${MINUTE / 1000 + 60}`),
    MINUTE / 1000 + 60 + 60,
  );
});

test('a changed window keeps what a client has left', async () => {
  const short = { ...bucket, name: 'changed', limit: 10, burst: 10, windowSeconds: 60 };
  const clock = () => MINUTE;
  const before = store.limiter([short], { clock });
  for (let time = 0; time < 4; time += 1) await before.decide('changed', caller(9));
  const after = store.limiter([{ ...short, windowSeconds: 3600 }], { clock });
  assert.equal((await after.decide('changed', caller(9))).remaining, 5);
});

/** Either algorithm, failing either way. */
const failing = [bucket, quota].flatMap((limit) => [
  { ...limit, name: `${limit.name}-open`, fail: 'open' as const },
  { ...limit, name: `${limit.name}-closed`, fail: 'closed' as const },
]);

async function failures(limiter: Limiter): Promise<void> {
  for (const { name, fail } of failing) {
    const { allowed, reason, waitMs } = await limiter.decide(name, caller(2));
    const wanted = [fail === 'open', 'unavailable', fail === 'open' ? 0 : 1_000];
    assert.deepEqual([allowed, reason, waitMs], wanted, name);
  }
}

test('a store that is slow makes each limit fail as its policy says, in time', async () => {
  const limiter = store.limiter(failing, silent, 100);
  store.proxy.delayMs = 60_000;
  const started = performance.now();
  await failures(limiter);
  store.proxy.delayMs = 0;
  assert.ok(performance.now() - started < 30_000);
  const again = await store.limiter([bucket]).decide('bucket', caller(3));
  assert.equal(again.reason, 'counted');
});

test('a store that is down, too, and whoever runs it is told', async () => {
  const other = await Store.start();
  const told: unknown[] = [];
  const parts = { onError: (error: unknown) => told.push(error) };
  const limiter = other.limiter(failing, parts);
  for (const { name } of failing) assert.ok((await limiter.decide(name, caller(4))).allowed);
  await other.stop();
  await failures(limiter);
  assert.equal(told.length, failing.length);
});

test('what is no value of a key is refused before the store is asked, also by a limit that fails open', async () => {
  const told: unknown[] = [];
  const limiter = new Limiter(
    { region: 'eu-central-1', table: 'no-such-table', timeoutMs: 1, limits: [bucket, { ...quota, client: 'address' }] },
    { client: store.client, onError: (error: unknown) => told.push(error) },
  );
  for (const given of [null, 5, [], ['192.0.2.1'], {}, { toString: 0 }] as unknown as string[]) {
    for (const [name, asked] of [['bucket', { subject: given }], ['bucket', { address: given }], ['quota', { address: given }]] as const) {
      const { allowed, reason } = await limiter.decide(name, asked);
      assert.deepEqual([allowed, reason], [false, 'invalid']);
    }
  }
  for (const address of ['192.0.2.1, 198.51.100.1', 'unknown'])
    assert.equal((await limiter.decide('quota', { address })).reason, 'invalid');
  assert.deepEqual(told, []);
  assert.equal((await limiter.decide('bucket', { subject: 'a' })).reason, 'unavailable', 'the store itself');
});

test('a port is no part of a client', async () => {
  const limit = { ...quota, name: 'port', limit: 2 };
  const limiter = store.limiter([limit], { clock: () => MINUTE });
  const seen = [];
  for (const address of ['192.0.2.77:55', '192.0.2.77:56', '::ffff:192.0.2.77', '::ffff:c000:24d'])
    seen.push((await limiter.decide('port', { address })).allowed);
  assert.deepEqual(seen, [true, true, false, false]);
});

test('every limit of the policy lets its first request pass', async () => {
  const limiter = store.limiter(config.limits);
  for (const { name } of config.limits) {
    assert.ok((await limiter.for(name)({ subject: 'a-user', address: '192.0.2.1' })).allowed, name);
  }
  assert.throws(() => new Limiter(config).for('no-such-limit'), /no limit `no-such-limit`/);
});

test('a crowd of one client that runs out of time is refused, although the limit fails open', async () => {
  const limit = { ...bucket, name: 'crowd', limit: 1_000, burst: 1_000 };
  // Each of them takes 40 ms at least, one after the other.
  store.proxy.delayMs = 20;
  const limiter = store.limiter([limit], silent, 3_000);
  const crowd = Array.from({ length: 200 }, () => limiter.decide('crowd', caller(5)));
  const decisions = await Promise.all(crowd);
  store.proxy.delayMs = 0;
  const counted = decisions.filter(({ reason }) => reason === 'counted').length;
  assert.ok(counted > 0 && counted < 200, `${counted}`);
  assert.equal(passed(decisions) - counted, decisions.filter(isUnknown).length);
  assert.ok(decisions.filter(isUnknown).length <= 1, 'at most the one that was under way');
});
