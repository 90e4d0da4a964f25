// Written by ratewaf emit --layer, from ratewaf.yaml: change the limits there and emit again.

import type { Config } from './types.js';

export const config: Config = {
  prefix: 'shop',
  timeoutMs: 100,
  scenarios: [
    {
      name: 'login',
      dimensions: [
        {
          by: ['user', 'activity'],
          limit: 5,
          windowSeconds: 60,
        },
        {
          by: ['ip'],
          limit: 30,
          windowSeconds: 600,
        },
      ],
      accountsPerDevice: {
        limit: 3,
        windowSeconds: 86400,
      },
      fail: 'closed',
      answer: 'silent',
    },
    {
      name: 'search',
      dimensions: [
        {
          by: ['user'],
          limit: 60,
          windowSeconds: 60,
        },
      ],
      fail: 'open',
      answer: 'refuse',
    },
  ],
  total: {
    limit: 2000,
    windowSeconds: 1,
    burst: 3000,
    fail: 'open',
  },
};
