import assert from "node:assert/strict";
import { test } from "node:test";
import { carried, carry, standingHeaders, STANDING_HEADER } from "../src/answers.js";
import { clientOf, network } from "../src/client.js";
import type { Config } from "../src/config-type.js";
import { Memory } from "../src/memory.js";
import { Metrics } from "../src/metrics.js";
import { nearestReplica } from "../src/regions.js";
import { isComparable, isExempt, limitsFor, readingsOf } from "../src/routes.js";
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

/** How the same path is written so that one server or another reads something else, or the same, in it. */
const SPELLINGS = [
  "//oauth//token", "/oauth/./token", "/x/../oauth/token", "/%6fauth/token", "/oauth%2Ftoken", "/oauth%2ftoken", "/oauth/x/%2e%2e/token",
  "/OAUTH/TOKEN", "/oauth/token/", "/oauth/token//", "/oauth/token;x=1", "/oauth;a/token", "/oauth/token;", "/oauth/token%3bx=1", "/oauth%252ftoken",
  "/oauth%25252ftoken", "/%254fauth/%2574oken/", "/oauth\\token", "/oauth%5ctoken", "/x;/..;/oauth/token", "/oauth/token//..", "/oauth/token/;/..",
  "/oauth/%74oken/a%2fb/%2e%2e", "/oauth/token/..;/..", "/OAuth%2f.%2fTOKEN;a=b/", "/%6Fauth/token/%ff/..", "/oauth/token/%ff%2f..",
];

test("no other spelling of a path is a way around its limit", () => {
  for (const uri of ["/oauth/token", ...SPELLINGS]) {
    assert.equal(limitsFor(config, "POST", uri, "anonymous").name, "token", uri);
    assert.equal(isExempt(config, uri), false, uri);
  }
  for (const uri of ["/api/search", "/API/search", "/api//search", "/api/%73earch/%ff", "/api/search%ff", "/api/search/..%2f..%2f..%2fcaptcha", "/api/search/x/../../../healthz", "/api/search\\..\\..\\..\\captcha"])
    assert.equal(limitsFor(config, "GET", uri, "anonymous").name, "search", uri);
  for (const uri of ["/oauth/tokens", "/oauth", "/", "", "/%zz", "/%", "/..", "/oauth/token/x"])
    assert.equal(limitsFor(config, "POST", uri, "anonymous").name, "global", uri);
});

test("the strictest limit of all readings holds, and the strictest of all where there are too many", () => {
  const limit = (name: string, anonymous: number) => ({ ...config.global, name, limits: { anonymous } });
  const routes = [
    { ...limit("bulk", 5000), path: "/bulk/", exact: false, methods: [] },
    { ...limit("login", 5), path: "/login", exact: true, methods: [] },
    { ...limit("named", 9000), path: "/ä b/", exact: false, methods: [] },
  ];
  const changed: Config = { ...config, global: limit("global", 300), routes };
  const name = (uri: string) => limitsFor(changed, "GET", uri, "anonymous").name;
  assert.equal(name("/bulk/x"), "bulk", "as it is written the larger limit of a route holds");
  assert.equal(name("/bulk/a%20b"), "bulk");
  for (const uri of ["/%C3%A4%20b/x", "/%c3%a4%20b/"]) assert.equal(name(uri), "named", uri);
  for (const uri of ["/BULK/x", "/bulk/../x", "/bulk/..%2fx", "/bulk%2fx", "/x/../bulk/"]) assert.equal(name(uri), "global", uri);
  for (const uri of ["/bulk/../login", "/login/../bulk/..//login/", "/bulk/%2e%2e%2fLOGIN"]) assert.equal(name(uri), "login", uri);
  const long = `/bulk/${"%25".repeat(100)}2e%2e`.replaceAll("%25", "%2525");
  assert.equal(readingsOf(`/%${"25".repeat(60)}2e`), undefined);
  assert.equal(name(`/bulk/%${"25".repeat(60)}2e`), "login");
  assert.ok((readingsOf(long) ?? []).length <= 32);
});

test("the largest path that CloudFront takes is read in no time", () => {
  for (const part of ["%252e%252e/", "..;/", "//;/./", "a%5c..%2f", "%25", "\\"]) {
    const uri = `/${part.repeat(8_000 / part.length)}`;
    const started = performance.now();
    limitsFor(config, "POST", uri, "anonymous");
    isExempt(config, uri);
    assert.ok(performance.now() - started < 1_000, part);
  }
});

test("HEAD is limited as GET is, and a method in small letters as in capitals", () => {
  const route = (name: string, methods: string[]) => ({ ...config.global, name, path: "/a", exact: true, methods });
  const only: Config = { ...config, routes: [route("get", ["GET"])] };
  assert.equal(limitsFor(only, "HEAD", "/a", "anonymous").name, "get");
  assert.equal(limitsFor(only, "get", "/a", "anonymous").name, "get");
  assert.equal(limitsFor(only, "POST", "/a", "anonymous").name, "global");
  const both: Config = { ...config, routes: [route("get", ["GET"]), route("head", ["HEAD"])] };
  assert.equal(limitsFor(both, "HEAD", "/a", "anonymous").name, "head");
});

test("a path is exempt in the letters of the configuration only", () => {
  const changed: Config = { ...config, neverLimited: [...config.neverLimited, { path: "/ä b/", exact: false }] };
  for (const uri of ["/captcha", "/healthz", "/webhooks/", "/webhooks/stripe", "/webhooks/a.b/c:d@e/", "/%C3%A4%20b/x", "/%c3%a4%20b/"])
    assert.ok(isExempt(changed, uri), uri);
  for (const uri of [
    "/captcha/", "/CAPTCHA", "/captcha;x", "/captcha/.", "//captcha", "/%63aptcha", "/captcha%00", "/captcha%ff", "/captch%61",
    "/x/../captcha", "/x%2f..%2fcaptcha", "/x/%2e%2e/captcha", "/x\\..\\captcha", "/x/%252e%252e/captcha", "/x/..;/captcha",
    "/api/search/..%2f..%2f..%2fcaptcha", "/api/search/x/../../../healthz", "/oauth/token/../../webhooks/x", "/api/search%2f..%2f..%2fwebhooks%2f",
    "/webhooks/../api/search", "/webhooks/..", "/webhooks/.", "/webhooks//x", "/webhooks/%2e%2e/api/search", "/webhooks/..%2fapi/search",
    "/webhooks/..%252fapi/search", "/webhooks/..\\api", "/webhooks/..%5capi", "/webhooks/..;/api", "/webhooks/a%20b", "/webhooks/ü",
    "/webhooks", "/webhook%73/x", "", "/",
  ])
    assert.ok(!isExempt(changed, uri), uri);
  const partial: Config = { ...config, neverLimited: [{ path: "/x/.", exact: false }] };
  assert.ok(!isExempt(partial, "/x/../api/search") && isExempt(partial, "/x/.well"));
  assert.ok(!isExempt({ ...config, captcha: null }, "/captcha"));
});

test("paths that can be compared", () => {
  for (const path of ["/", "/a", "/a/", "/ä b/c.d", "/.well-known/x"]) assert.ok(isComparable(path), path);
  for (const path of ["", "a", "//", "/a//b", "/./a", "/a/..", "/captcha/.", "/a%20b", "/a?b", "/a#b", "/a\n", "/a;b", "/a\\b"]) assert.ok(!isComparable(path), path);
});

test("the longest prefix wins, a route's methods count, and the rest is global", () => {
  const route = (name: string, path: string, exact: boolean, methods: string[] = []) => ({ ...config.global, name, path, exact, methods });
  const routes = [route("api", "/api/", false), route("orders", "/api/orders", false), route("one", "/api/orders", true), route("post", "/api/orders/new", false, ["POST"])];
  const changed: Config = { ...config, routes };
  const name = (method: string, path: string) => limitsFor(changed, method, path, "anonymous").name;
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
  for (const address of ["::ffff:192.0.2.1", "::ffff:c000:201", "0:0:0:0:0:FFFF:c000:201"]) assert.equal(network(address, 64), "192.0.2.1", address);
  assert.equal(network("2001:db8::1", 128), "2001:db8:0:0:0:0:0:1/128");
  assert.equal(network("2001:db8:0:ff00::1", 56), "2001:db8:0:ff00:0:0:0:0/56");
  assert.equal(network("192.0.2.1", 64), "192.0.2.1");
});

test("a list of networks knows both families, skips what is none and says so", () => {
  const none = [
    "nonsense", "192.0.2.1/99", "192.0.2.0/", "192.0.2.0/ ", "192.0.2.0/-0", "192.0.2.0/+8", "192.0.2.0/0x18", "192.0.2.0/1e1", "192.0.2.0/8.0",
    "192.0.2.0/24/9", "192.0.2.0/24/", "192.0.2.0/33", "2001:db8::/", "2001:db8::/129", "2001:db8::/-0", "fe80::1%eth0/64", "", " ", "/", "/0", "192.0.2.0 /24", "::/ 0",
  ];
  const leftOut: string[] = [];
  const set = networkSet(["198.51.100.0/24", "2001:db8::/32", ...none, "203.0.113.9"], (it) => leftOut.push(it));
  assert.deepEqual(leftOut, none);
  assert.ok(contains(set, "198.51.100.77") && contains(set, "2001:db8::7") && contains(set, "203.0.113.9"));
  for (const address of ["192.0.2.1", "203.0.113.8", "nonsense", "10.0.0.1", "2001:db9::1", "fe80::1", "::1"]) assert.ok(!contains(set, address), address);
  assert.ok(contains(networkSet(["0.0.0.0/0", "::/0"], assert.fail), "192.0.2.1"), "where it is meant");
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
