// The configuration that is deployed: inside the limits of Lambda@Edge, and each of its limits holds to the request.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { config } from "../src/config.js";
import type { Limits } from "../src/config-type.js";
import { isExempt, limitsFor } from "../src/routes.js";
import { viewerRequest } from "../src/viewer-request.js";
import { isResponse, requestEvent, value } from "./events.js";
import { table, type Table } from "./table.js";

const START = 1_800_000_000_000;

let store: Table;
before(async () => {
  store = await table();
});
after(() => store.stop());

test("the package is inside the limits", () => {
  for (const tool of ["package.js", "check-limits.js"]) execFileSync(process.execPath, [join(__dirname, "../tools", tool)], { stdio: ["ignore", "ignore", "inherit"] });
});

const tiers = config.trustedHeaders === null ? ["anonymous"] : config.tiers;
const places: { limits: Limits; uri: string; method: string }[] = config.routes.map((route) => ({
  limits: route,
  uri: encodeURI(route.path),
  method: route.methods[0] ?? "GET",
}));
places.push({ limits: config.global, uri: "/a-path-of-no-route", method: "GET" });

for (const { limits, uri, method } of places) {
  for (const [at, tier] of tiers.entries()) {
    // Another rule comes first.
    if (isExempt(config, uri) || limitsFor(config, method, uri, tier).name !== limits.name) continue;
    test(`${limits.name}: request ${limits.limits[tier]} of tier ${tier} passes, the next one does not`, async () => {
      const limit = limits.limits[tier] ?? 0;
      const clientIp = `203.0.113.${at + 1}`;
      const headers: Record<string, string> = {};
      if (config.trustedHeaders !== null && tier !== "anonymous") {
        headers[config.trustedHeaders.client] = "client-1";
        headers[config.trustedHeaders.tier] = tier;
      }
      const identity = tier === "anonymous" ? `ip:${clientIp}` : "client:client-1";
      const window = Math.ceil(START / 1000 / config.windowSeconds) * config.windowSeconds;
      await store.put(`${identity}#${limits.name}`, `${window}#${tier}`, { count: { N: String(limit - 1) } });
      const changed = { ...config, captcha: null, allowlist: [] };
      const surroundings = { store: store.store, region: tier, now: () => window * 1000, write: () => undefined };
      const handler = viewerRequest(changed, surroundings);
      assert.ok(!isResponse(await handler(requestEvent({ uri, method, clientIp }, headers))));
      const refused = await handler(requestEvent({ uri, method, clientIp }, headers));
      assert.ok(isResponse(refused));
      assert.equal(refused.status, "429");
      assert.equal(value(refused.headers, "RateLimit-Policy"), `"${limits.name}";q=${limit};w=${config.windowSeconds}`);
    });
  }
}
