// The configuration that the tests know; `config.test.ts` is about the one that is deployed.
import type { Config } from "../src/config-type.js";

export const sample: Config = {
  table: {
    name: "edge-rate-limits",
    home: "us-east-1",
    replicas: ["eu-central-1", "ap-southeast-1"],
    timeoutMilliseconds: 250,
  },
  windowSeconds: 60,
  ipv6Prefix: 64,
  tiers: ["anonymous", "authenticated", "free", "pro"],
  defaultTier: "free",
  trustedHeaders: null,
  untrustedHeaders: ["x-client-id", "x-client-tier"],
  neverLimited: [
    { path: "/healthz", exact: true },
    { path: "/webhooks/", exact: false },
  ],
  allowlist: ["198.51.100.7/32", "2001:db8:7::/64"],
  settingsSeconds: 300,
  global: {
    name: "global",
    algorithm: "fixed-window",
    limits: { anonymous: 300, authenticated: 600, free: 600, pro: 3000 },
    failure: "open",
  },
  routes: [
    {
      name: "token",
      path: "/oauth/token",
      exact: true,
      methods: ["POST"],
      algorithm: "sliding-window",
      limits: { anonymous: 20, authenticated: 60, free: 60, pro: 300 },
      failure: "closed",
    },
    {
      name: "search",
      path: "/api/search",
      exact: false,
      methods: [],
      algorithm: "sliding-window",
      limits: { anonymous: 60, authenticated: 120, free: 120, pro: 600 },
      failure: "open",
    },
  ],
  captcha: { page: "/captcha", passSeconds: 1800, ticketSeconds: 600 },
  metrics: { namespace: "RateLimit/Edge", flushSeconds: 10 },
};
