import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { config } from '../src/config.js';
import { cleanUp, ofClient, ofCluster } from '../src/connection.js';
import type { Decision } from '../src/decision.js';
import { Limiter } from '../src/limiter.js';
import type { Config, Scenario } from '../src/types.js';
import { Store } from './store.js';

const base = { fail: 'open', answer: 'refuse' } as const;
const login: Scenario = {
  ...base,
  name: 'login',
  dimensions: [
    { by: ['user', 'activity'], limit: 3, windowSeconds: 60 },
    { by: ['ip'], limit: 5, windowSeconds: 600 },
  ],
};
const crowd: Scenario = {
  ...base,
  name: 'crowd',
  dimensions: [{ by: ['user'], limit: 50, windowSeconds: 600 }],
};
const devices: Scenario = {
  ...base,
  name: 'devices',
  dimensions: [{ by: ['device'], limit: 100, windowSeconds: 60 }],
  accountsPerDevice: { limit: 2, windowSeconds: 60 },
  answer: 'silent',
};
const brief: Scenario = {
  ...base,
  name: 'brief',
  dimensions: [{ by: ['user'], limit: 2, windowSeconds: 1 }],
  fail: 'closed',
};
const total = { limit: 50, windowSeconds: 86_400, burst: 50, fail: 'closed' } as const;
const all: Config = {
  prefix: 'test',
  timeoutMs: 20_000,
  scenarios: [login, crowd, devices, brief],
  total,
};
const START = 1_788_825_600_000;

let store: Store;
before(async () => {
  store = await Store.start();
});
after(() => store.end());

const passed = (decisions: Decision[]) => decisions.filter(({ allowed }) => allowed).length;
const keysOf = async (match: string) => (await store.client.keys(match)).sort();

test('200 callers at once get the limit, to the last one', async () => {
  // Four connections, as four processes have: they have only the server in common.
  const clients = await Promise.all(Array.from({ length: 4 }, () => store.another()));
  const limiters = clients.map((client) => new Limiter(all, ofClient(client)));
  const crowd = (ask: (limiter: Limiter) => Promise<Decision>) =>
    Promise.all(Array.from({ length: 50 }, () => limiters.map(ask)).flat());
  const scenario = await crowd((limiter) => limiter.decide('crowd', { user: 'everybody' }));
  assert.deepEqual([scenario.length, passed(scenario)], [200, 50]);
  const together = await crowd((limiter) => limiter.decideTotal());
  assert.deepEqual([together.length, passed(together)], [200, 50]);
  // Two dimensions: whoever is refused by the one has charged none, so that the other is full to the last one.
  const both = await crowd((limiter) =>
    limiter.decide('login', { user: randomUUID(), ip: '192.0.2.9', activity: 'pin' }),
  );
  assert.equal(passed(both), 5);
  for (const client of clients) client.destroy();
});

test('a bucket lets its burst pass around an edge of its window, and not twice as much', async () => {
  const limiter = store.onClock({ ...all, prefix: 'edge' });
  const ask = async () => passed(await Promise.all(Array.from({ length: 60 }, () => limiter.decideTotal())));
  await store.setClock(START - 1);
  const before = await ask();
  await store.setClock(START);
  assert.deepEqual([before, await ask()], [50, 0]);
});

test('a dimension that is full charges no other', async () => {
  const limiter = store.onClock(all);
  await store.setClock(START);
  const ask = (user: string) => limiter.decide('login', { user, ip: '192.0.2.1', activity: 'pin' });
  assert.equal(passed([await ask('a'), await ask('a'), await ask('a')]), 3);
  // The user is refused ten times; the address still has two of its five left.
  for (let time = 0; time < 10; time += 1) assert.equal((await ask('a')).limit, 3);
  const others = [await ask('b'), await ask('b'), await ask('b')];
  assert.deepEqual(others.map(({ allowed }) => allowed), [true, true, false]);
  assert.deepEqual([others[2]?.limit, others[2]?.waitMs], [5, 600_000]);
  // And `b` was charged twice only: from another address it has one left.
  const elsewhere = () => limiter.decide('login', { user: 'b', ip: '192.0.2.2', activity: 'pin' });
  assert.deepEqual([(await elsewhere()).allowed, (await elsewhere()).allowed], [true, false]);
});

test('twice the limit around the edge of a window does not pass', async () => {
  const limiter = store.onClock(all);
  const ask = (user: string) => limiter.decide('crowd', { user });
  await store.setClock(START + 599_999);
  for (let time = 0; time < 50; time += 1) assert.ok((await ask('edge')).allowed);
  await store.setClock(START + 600_000);
  assert.deepEqual([(await ask('edge')).allowed, (await ask('edge')).waitMs], [false, 599_999]);
});

test('a refund gives back once, in every dimension, and the same id is counted once', async () => {
  const limiter = store.onClock(all);
  await store.setClock(START + 10_000_000);
  const asked = { user: 'refund', ip: '192.0.2.3', activity: 'pin' };
  for (const id of ['1', '2', '3', '3', '3']) assert.ok((await limiter.decide('login', asked, id)).allowed);
  assert.equal((await limiter.decide('login', asked, '4')).allowed, false);
  assert.equal(await limiter.refund('login', asked, '2'), true);
  assert.equal(await limiter.refund('login', asked, '2'), false);
  assert.equal(await limiter.refund('login', asked, 'never-asked'), false);
  assert.equal((await limiter.decide('login', asked, '5')).allowed, true);
  assert.equal((await limiter.decide('login', asked, '6')).allowed, false);
});

test('a device has so many accounts and no more; those it has may come again', async () => {
  const limiter = store.onClock(all);
  await store.setClock(START + 20_000_000);
  const ask = (user: string) => limiter.decide('devices', { user, device: 'phone-1' });
  const seen = [await ask('a'), await ask('b'), await ask('c'), await ask('a'), await ask('b')];
  assert.deepEqual(seen.map(({ allowed }) => allowed), [true, true, false, true, true]);
  assert.ok(seen.every(({ silent }) => silent));
  assert.deepEqual([seen[2]?.limit, seen[2]?.waitMs], [2, 60_000]);
  await store.setClock(START + 20_060_000);
  assert.ok((await ask('c')).allowed);
});

test('no live window is lost and no idle key is kept', async () => {
  const limiter = new Limiter(all, store.connection);
  const ask = () => limiter.decide('brief', { user: 'idle' });
  await ask();
  const [key = ''] = await keysOf('test:{brief}:*');
  const ttl = await store.client.pTTL(key);
  assert.ok(ttl > 0 && ttl <= 1_000, `${ttl}`);
  await sleep(1_100);
  assert.deepEqual(await keysOf('test:{brief}:*'), []);
  // A server whose clock was ahead: the key lives as long as the request counts.
  await store.setClock(START + 30_000_000);
  const ahead = store.onClock(all);
  await ahead.decide('login', { user: 'skew', ip: '192.0.2.4', activity: 'pin' }, 'one');
  await store.setClock(START + 29_950_000);
  await ahead.decide('login', { user: 'skew', ip: '192.0.2.4', activity: 'pin' }, 'two');
  const skewed = await store.client.pTTL('test:{login}:60:user=skew#activity=pin');
  assert.ok(skewed > 60_000 && skewed <= 110_000, `${skewed}`);
});

test('what is no value of a key is refused before the store is asked', async () => {
  const limiter = new Limiter(all, store.connection);
  for (const device of ['x'.repeat(129), 'a}b', 'a{b', 'a b', 'a#b', 'a\n', 'ä', '-', '*']) {
    const { allowed, reason } = await limiter.decide('devices', { user: 'a', device });
    assert.deepEqual([allowed, reason], [false, 'invalid'], device);
  }
  // Who leaves it out is one with all who do.
  const decisions = [];
  for (const user of ['u1', 'u2', 'u3']) decisions.push(await limiter.decide('devices', { user }));
  assert.equal(passed(decisions), 2);
});

test('what is no text is refused before the store is asked, also by a limit that fails open', async () => {
  const told: unknown[] = [];
  const dead = { send: () => Promise.reject(new Error('the store is not to be asked')) };
  const limiter = new Limiter(all, dead, { onError: (error) => told.push(error) });
  const deep = JSON.parse('['.repeat(9_000) + ']'.repeat(9_000));
  const hostile = [null, 0, 5, false, [], [[['x']]], ['192.0.2.1'], {}, { toString: 0 }, { toString: null, valueOf: null }, deep];
  for (const given of hostile as string[]) {
    for (const asked of [{ user: given }, { ip: given }, { activity: given }]) {
      const { allowed, reason } = await limiter.decide('login', asked);
      assert.deepEqual([allowed, reason], [false, 'invalid']);
      assert.equal(await limiter.refund('login', asked, 'id'), false);
    }
    assert.equal((await limiter.decide('devices', { device: given })).reason, 'invalid');
    assert.equal((await limiter.decide('login', { user: 'a' }, given)).reason, 'invalid');
  }
  for (const ip of ['192.0.2.1, 192.0.2.2', 'unknown', 'x'.repeat(1_000_000)])
    assert.equal((await limiter.decide('login', { ip })).reason, 'invalid');
  assert.deepEqual(told, []);
  assert.equal((await limiter.decide('login', { user: 'a' })).reason, 'unavailable', 'the store itself');
  assert.equal(told.length, 1);
});

test('a verified user has a limit of its own, whatever is in the name', async () => {
  const limiter = store.onClock(all);
  await store.setClock(START + 40_000_000);
  const users = ["o'brien@example.com", 'müller', 'a b', 'a#b', 'a}b{', 'x'.repeat(129), 'x'.repeat(9_999), '-', ' -', '*', 'a\n'];
  const crowd = await Promise.all(users.map((user) => limiter.decide('crowd', { user })));
  assert.deepEqual(crowd.map(({ remaining }) => remaining), users.map(() => 49), 'no two are one');
  assert.ok((await keysOf('test:{crowd}:*')).every((key) => key.length < 200));
  const long = 'i'.repeat(1_000_000);
  assert.equal((await limiter.decide('crowd', { user: 'id' }, long)).remaining, 49);
  assert.equal((await limiter.decide('crowd', { user: 'id' }, long)).remaining, 49, 'the same request');
  assert.equal(await limiter.refund('crowd', { user: 'id' }, long), true);
});

test('all keys of a decision have one tag, and are removed by SCAN', async () => {
  const limiter = new Limiter(all, store.connection);
  for (let user = 0; user < 1_500; user += 100) {
    const some = Array.from({ length: 100 }, (_, place) =>
      limiter.decide('crowd', { user: `user-${user + place}` }),
    );
    await Promise.all(some);
  }
  await store.client.configResetStat();
  const before = (await keysOf('test:{crowd}:*')).length;
  assert.ok(before >= 1_500);
  assert.equal(await cleanUp(store.connection, 'test', 'crowd'), before);
  assert.deepEqual(await keysOf('test:{crowd}:*'), []);
  assert.ok((await keysOf('test:{*}:*')).length > 0, 'those of other scenarios stay');
});

test('a cluster takes every script: all keys of a decision are of one slot', async () => {
  const cluster = await Store.cluster();
  const limiter = new Limiter(all, ofCluster(cluster.client));
  const asked = { user: 'u', ip: '192.0.2.1', activity: 'pin', device: 'phone-1' };
  for (const name of ['login', 'devices', 'login']) {
    assert.equal((await limiter.decide(name, asked, name)).reason, 'counted', name);
  }
  assert.equal(await limiter.refund('login', asked, 'login'), true);
  assert.equal((await limiter.decideTotal()).reason, 'counted');
  await cluster.end();
});

test('scripts that the server has forgotten are loaded again', async () => {
  const limiter = new Limiter(all, store.connection);
  assert.ok((await limiter.decide('login', { user: 'new', ip: '192.0.2.5' })).allowed);
  await store.client.scriptFlush();
  assert.ok((await limiter.decide('login', { user: 'new', ip: '192.0.2.5' })).allowed);
});

/** `login` fails open; `brief` and the total fail closed. */
async function failures(limiter: Limiter, user: string): Promise<void> {
  const login = await limiter.decide('login', { user, ip: '192.0.2.6' });
  const brief = await limiter.decide('brief', { user });
  const decisions = [login, brief, await limiter.decideTotal()];
  const seen = decisions.map(({ allowed, reason, waitMs }) => [allowed, reason, waitMs]);
  const closed = [false, 'unavailable', 1_000];
  assert.deepEqual(seen, [[true, 'unavailable', 0], closed, closed]);
}

test('a store that is slow makes each scenario fail as its policy says, in time', async () => {
  const other = await Store.start();
  const told: string[] = [];
  const onError = (_: unknown, name: string) => told.push(name);
  const limiter = new Limiter({ ...all, timeoutMs: 100 }, other.connection, { onError });
  other.proxy.delayMs = 2_000;
  const started = performance.now();
  await failures(limiter, 'slow');
  assert.ok(performance.now() - started < 1_900, 'nobody waits for the store');
  assert.deepEqual(told, ['login', 'brief', 'total']);
  const lenient = { ...all, timeoutMs: 100, total: { ...total, fail: 'open' as const } };
  const open = await new Limiter(lenient, other.connection, { onError }).decideTotal();
  assert.deepEqual([open.allowed, open.reason], [true, 'unavailable']);
  await other.end();
});

test('a store that is down, too', async () => {
  const other = await Store.start();
  const limiter = new Limiter(all, other.connection, { onError: () => undefined });
  assert.ok((await limiter.decide('brief', { user: 'down' })).allowed);
  await other.stop();
  await failures(limiter, 'down');
  assert.equal(await limiter.refund('login', { user: 'down' }, 'id'), false);
  await other.end();
});

test('every scenario of the policy lets its first request pass', async () => {
  const limiter = new Limiter({ ...config, timeoutMs: 20_000 }, store.connection);
  for (const { name } of config.scenarios) {
    const asked = { user: 'a-user', device: 'a-device', ip: '192.0.2.8', activity: 'an-activity' };
    assert.ok((await limiter.decide(name, asked)).allowed, name);
  }
  await assert.rejects(limiter.decide('no-such-scenario', {}), /no scenario `no-such-scenario`/);
});
