import assert from "node:assert/strict";
import { test } from "node:test";
import { carried, carry, standingHeaders, STANDING_HEADER } from "../src/answers.js";
import { clientOf, network } from "../src/client.js";
import type { Config } from "../src/config-type.js";
import { Memory } from "../src/memory.js";
import { Metrics } from "../src/metrics.js";
import { nearestReplica } from "../src/regions.js";
import { limitsFor, normalPath } from "../src/routes.js";
import { Cached, contains, networkSet } from "../src/settings.js";
import { requestEvent, value } from "./events.js";
import { sample as config } from "./sample.js";

test("the nearest replica is chosen from the running region", () => {
  const replicas = ["eu-central-1", "ap-southeast-1"];
  const from = (running: string) => nearestReplica(running, "us-east-1", replicas);
  assert.equal(from("eu-central-1"), "eu-central-1");
  assert.equal(from("eu-west-2"), "eu-central-1");
  assert.equal(from("ap-northeast-1"), "ap-southeast-1");
  assert.equal(from("sa-east-1"), "us-east-1");
  assert.equal(from("us-west-2"), "us-east-1");
  assert.equal(from("xx-new-1"), "us-east-1", "a region that is not known counts at home");
  assert.equal(nearestReplica("ap-south-1", "us-east-1", []), "us-east-1");
});

test("other spellings of a path are no way around its limit", () => {
  for (const uri of ["/oauth/token", "//oauth/token", "/oauth/./token", "/x/../oauth/token", "/%6fauth/token", "/oauth%2Ftoken", "/oauth/x/%2e%2e/token"])
    assert.equal(normalPath(uri), "/oauth/token", uri);
  assert.equal(normalPath("/api/"), "/api/");
  assert.equal(normalPath("/%zz"), "/%zz");
  assert.equal(normalPath("/"), "/");
  assert.equal(normalPath("/../.."), "/");
});

test("the longest prefix wins, a route's methods count, and the rest is global", () => {
  const route = (name: string, path: string, exact: boolean, methods: string[] = []) => ({ ...config.global, name, path, exact, methods });
  const routes = [route("api", "/api/", false), route("orders", "/api/orders", false), route("one", "/api/orders", true), route("post", "/api/orders/new", false, ["POST"])];
  const changed: Config = { ...config, routes };
  const name = (method: string, path: string) => limitsFor(changed, method, path).name;
  assert.equal(name("GET", "/api/users"), "api");
  assert.equal(name("GET", "/api/orders/7"), "orders");
  assert.equal(name("GET", "/api/orders"), "one");
  assert.equal(name("POST", "/api/orders/new"), "post");
  assert.equal(name("GET", "/api/orders/new"), "orders");
  assert.equal(name("GET", "/index.html"), "global");
});

test("headers name client and tier only where the configuration trusts them", () => {
  const headers = { "x-client-id": "acme", "x-client-tier": "pro" };
  const { request } = requestEvent({}, headers).Records[0]!.cf;
  assert.deepEqual(clientOf(request, config), { identity: "ip:203.0.113.178", tier: "anonymous" });
  const trusting: Config = { ...config, trustedHeaders: { client: "X-Client-Id", tier: "X-Client-Tier" } };
  assert.deepEqual(clientOf(request, trusting), { identity: "client:acme", tier: "pro" });
  const tier = (tier: string) => clientOf(requestEvent({}, { "x-client-id": "acme", "x-client-tier": tier }).Records[0]!.cf.request, trusting).tier;
  assert.equal(tier("authenticated"), "authenticated");
  assert.equal(tier("platinum"), "free", "unknown: the default");
  assert.equal(clientOf(requestEvent({}, { "x-client-id": "acme" }).Records[0]!.cf.request, trusting).tier, "free");
  const odd = requestEvent({}, { "x-client-id": "a#global", "x-client-tier": "pro" }).Records[0]!.cf.request;
  assert.deepEqual(clientOf(odd, trusting), { identity: "ip:203.0.113.178", tier: "anonymous" });
});

test("an IPv6 address counts by its network, however it is written", () => {
  for (const address of ["2001:db8:7:1::9", "2001:0db8:0007:0001:ffff:0:0:1", "2001:db8:7:1:0:0:192.0.2.1"])
    assert.equal(network(address, 64), "2001:db8:7:1:0:0:0:0/64", address);
  assert.equal(network("2001:db8::1", 128), "2001:db8:0:0:0:0:0:1/128");
  assert.equal(network("2001:db8:0:ff00::1", 56), "2001:db8:0:ff00:0:0:0:0/56");
  assert.equal(network("192.0.2.1", 64), "192.0.2.1");
});

test("a list of networks knows both families and skips what is none", () => {
  const set = networkSet(["198.51.100.0/24", "2001:db8::/32", "nonsense", "192.0.2.1/99", "203.0.113.9"]);
  assert.ok(contains(set, "198.51.100.77") && contains(set, "2001:db8::7") && contains(set, "203.0.113.9"));
  assert.ok(!contains(set, "192.0.2.1") && !contains(set, "203.0.113.8") && !contains(set, "nonsense"));
});

test("settings are read anew after their time, and an error keeps the old value for half a minute", async () => {
  let loads = 0;
  let broken = false;
  const cached = new Cached(async () => {
    loads++;
    if (broken) throw new Error("no store");
    return loads;
  }, 300_000);
  assert.equal(await cached.refresh(1_000), 1);
  assert.equal(await cached.refresh(300_999), 1);
  broken = true;
  assert.equal(await cached.refresh(301_000), 1);
  assert.equal(await cached.refresh(330_999), 1);
  assert.equal(loads, 2);
  broken = false;
  assert.equal(await cached.refresh(331_000), 3);
});

test("both families of headers, and the way from request to response", () => {
  const standing = { name: "search", limit: 60, windowSeconds: 60, remaining: 12, reset: 34_200 };
  const headers = standingHeaders(standing, 1_800_000_000_000);
  assert.equal(value(headers, "X-RateLimit-Limit"), "60");
  assert.equal(value(headers, "X-RateLimit-Remaining"), "12");
  assert.equal(value(headers, "X-RateLimit-Reset"), "1800000035");
  assert.equal(value(headers, "RateLimit-Policy"), '"search";q=60;w=60');
  assert.equal(value(headers, "RateLimit"), '"search";r=12;t=35');
  const { request } = requestEvent().Records[0]!.cf;
  carry(request, standing, 1_800_000_000_000);
  assert.deepEqual(carried(request, 1_800_000_000_200), { ...standing, reset: 34_000 });
  request.headers[STANDING_HEADER] = [{ value: "half;a" }];
  assert.equal(carried(request, 0), undefined);
});

test("metrics add up by tier and route and leave as one line each", () => {
  const lines: string[] = [];
  const metrics = new Metrics("Space", 10, (line) => lines.push(line));
  metrics.count("free", "search", "Allowed", 1_000, 4);
  metrics.count("free", "search", "Allowed", 2_000, 6);
  metrics.count("free", "search", "Limited", 3_000);
  metrics.count("pro", "global", "FailedOpen", 4_000);
  assert.equal(lines.length, 0);
  metrics.count("pro", "global", "FailedOpen", 11_000);
  assert.deepEqual(lines.map((it) => JSON.parse(it) as object), [
    {
      _aws: {
        Timestamp: 11_000,
        CloudWatchMetrics: [
          {
            Namespace: "Space",
            Dimensions: [["Tier", "Route"]],
            Metrics: [
              { Name: "Allowed", Unit: "Count" },
              { Name: "Limited", Unit: "Count" },
              { Name: "StoreTime", Unit: "Milliseconds" },
            ],
          },
        ],
      },
      Tier: "free",
      Route: "search",
      Allowed: 2,
      Limited: 1,
      StoreTime: [4, 6],
    },
    {
      _aws: {
        Timestamp: 11_000,
        CloudWatchMetrics: [{ Namespace: "Space", Dimensions: [["Tier", "Route"]], Metrics: [{ Name: "FailedOpen", Unit: "Count" }] }],
      },
      Tier: "pro",
      Route: "global",
      FailedOpen: 2,
    },
  ]);
});

test("a memory forgets the oldest first", () => {
  const memory = new Memory<number>(2);
  memory.set("a", 1);
  memory.set("b", 2);
  memory.set("a", 3);
  memory.set("c", 4);
  assert.deepEqual([memory.get("a"), memory.get("b"), memory.get("c")], [3, undefined, 4]);
});
