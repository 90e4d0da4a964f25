// Written by ratewaf emit --layer, from ratewaf.yaml: change the limits there and emit again.

import type { Config } from './config-type.js';

export const config: Config = {
  table: {
    name: 'shop-edge-limits',
    home: 'us-east-1',
    replicas: ['eu-central-1', 'ap-southeast-1'],
    timeoutMilliseconds: 250,
  },
  windowSeconds: 60,
  ipv6Prefix: 64,
  tiers: ['anonymous', 'authenticated', 'free', 'pro-plan'],
  defaultTier: 'free',
  trustedHeaders: {
    client: 'x-client-id',
    tier: 'x-client-tier',
  },
  untrustedHeaders: [],
  neverLimited: [
    {
      path: '/healthz',
      exact: true,
    },
    {
      path: '/webhooks/',
      exact: false,
    },
  ],
  allowlist: ['198.51.100.7/32', '2001:db8:7::/64'],
  settingsSeconds: 300,
  global: {
    name: 'global',
    algorithm: 'fixed-window',
    limits: {
      anonymous: 300,
      authenticated: 600,
      free: 600,
      'pro-plan': 3000,
    },
    failure: 'open',
  },
  routes: [
    {
      name: 'token',
      algorithm: 'sliding-window',
      limits: {
        anonymous: 20,
        authenticated: 60,
        free: 60,
        'pro-plan': 300,
      },
      failure: 'closed',
      path: '/oauth/token',
      exact: true,
      methods: ['POST'],
    },
    {
      name: 'search',
      algorithm: 'sliding-window',
      limits: {
        anonymous: 60,
        authenticated: 120,
        free: 120,
        'pro-plan': 600,
      },
      failure: 'open',
      path: '/api/search',
      exact: false,
      methods: [],
    },
  ],
  captcha: {
    page: '/captcha',
    passSeconds: 1800,
    ticketSeconds: 600,
  },
  metrics: {
    namespace: 'RateLimit/Edge',
    flushSeconds: 10,
  },
};
