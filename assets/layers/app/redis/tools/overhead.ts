// What the limiter takes beyond a bare command, behind a Redis that takes 1 ms: `npm run overhead`.

import { Limiter } from '../src/limiter.js';
import type { Config } from '../src/types.js';
import { Store } from '../test/store.js';
import { compare } from './rounds.js';

const config: Config = {
  prefix: 'test',
  timeoutMs: 5_000,
  scenarios: [
    {
      name: 'login',
      dimensions: [
        { by: ['user', 'activity'], limit: 10_000, windowSeconds: 60 },
        { by: ['ip'], limit: 10_000, windowSeconds: 600 },
      ],
      fail: 'closed',
      answer: 'refuse',
    },
  ],
  total: { limit: 1_000_000, windowSeconds: 60, burst: 1_000_000, fail: 'closed' },
};

const store = await Store.start();
store.proxy.delayMs = 1;
const limiter = new Limiter(config, store.connection);
const get = () => store.client.get('bare');
await compare(Number(process.argv[2] ?? 400), [
  { name: 'scenario', bare: get, limited: () => limiter.decide('login', { user: 'u', ip: '192.0.2.1' }) },
  { name: 'total', bare: get, limited: () => limiter.decideTotal() },
]);
await store.end();
