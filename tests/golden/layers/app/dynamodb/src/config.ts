// Written by ratewaf emit --layer, from ratewaf.yaml: change the limits there and emit again.

import type { Config } from './types.js';

export const config: Config = {
  region: 'eu-central-1',
  table: 'shop-limits',
  timeoutMs: 200,
  limits: [
    {
      name: 'orders',
      algorithm: 'token_bucket',
      limit: 50,
      windowSeconds: 3600,
      burst: 10,
      client: 'subject',
      fail: 'closed',
    },
    {
      name: 'exports',
      algorithm: 'fixed_window',
      limit: 20,
      windowSeconds: 86400,
      client: 'address',
      fail: 'open',
    },
    {
      name: '__proto__',
      algorithm: 'token_bucket',
      limit: 1000000,
      windowSeconds: 2678400,
      burst: 1000000,
      client: 'subject',
      fail: 'open',
    },
  ],
};
