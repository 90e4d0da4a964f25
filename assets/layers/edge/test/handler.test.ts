// The whole function, with CloudFront's events, on a real store.
import assert from "node:assert/strict";
import { test } from "node:test";
import { admit } from "../src/captcha-page.js";
import type { Request, Response } from "../src/cloudfront.js";
import type { Config } from "../src/config-type.js";
import { verify } from "../src/pass.js";
import { Store } from "../src/store.js";
import { viewerRequest, type Handler } from "../src/viewer-request.js";
import { viewerResponse } from "../src/viewer-response.js";
import { isResponse, requestEvent, responseEvent, value } from "./events.js";
import { sample } from "./sample.js";
import { clientFor, forgetfulProxy, slowProxy, table, type Table } from "./table.js";

const START = 1_800_000_000_000;
const LIMITS = { anonymous: 3, authenticated: 5, free: 4, pro: 50 };
const config: Config = {
  ...sample,
  global: { ...sample.global, limits: LIMITS },
  routes: sample.routes.map((route) => ({ ...route, limits: LIMITS })),
  captcha: null,
  metrics: { namespace: "Test", flushSeconds: 0 },
};

interface Bench {
  handler: Handler;
  lines: string[];
  clock: { now: number };
}

function bench(store: Store, changed: Partial<Config> = {}): Bench {
  const lines: string[] = [];
  const clock = { now: START };
  const handler = viewerRequest({ ...config, ...changed }, { store, region: "us-east-1", now: () => clock.now, write: (line) => lines.push(line) });
  return { handler, lines, clock };
}

async function withTable(body: (store: Table) => Promise<void>): Promise<void> {
  const store = await table();
  try {
    await body(store);
  } finally {
    await store.stop();
  }
}

async function statuses(times: number, send: () => Promise<Request | Response>): Promise<string[]> {
  const seen: string[] = [];
  for (let i = 0; i < times; i++) {
    const result = await send();
    seen.push(isResponse(result) ? result.status : "pass");
  }
  return seen;
}

test("three pass, the fourth is told when to come back", () =>
  withTable(async ({ store }) => {
    const { handler, clock, lines } = bench(store);
    clock.now = START + 20_500;
    const passed = await handler(requestEvent());
    assert.ok(!isResponse(passed));
    const shown = viewerResponse(responseEvent(passed), clock.now);
    assert.equal(shown.status, "200");
    assert.equal(value(shown.headers, "server"), "nginx");
    assert.equal(value(shown.headers, "X-RateLimit-Remaining"), "2");
    assert.equal(value(shown.headers, "RateLimit-Policy"), '"global";q=3;w=60');
    assert.equal(value(shown.headers, "RateLimit"), '"global";r=2;t=40');
    await statuses(2, () => handler(requestEvent()));

    const refused = await handler(requestEvent());
    assert.ok(isResponse(refused));
    assert.equal(refused.status, "429");
    assert.equal(value(refused.headers, "Retry-After"), "40");
    assert.equal(value(refused.headers, "Content-Type"), "application/json");
    assert.equal(value(refused.headers, "X-RateLimit-Remaining"), "0");
    assert.equal(value(refused.headers, "X-RateLimit-Reset"), String((START + 60_000) / 1000));
    assert.deepEqual(JSON.parse(refused.body ?? ""), {
      error: "too_many_requests",
      message: "No more than 3 requests in 60 seconds. Try again in 40 seconds.",
      limit: 3,
      window_seconds: 60,
      retry_after_seconds: 40,
    });
    const last = JSON.parse(lines.at(-1) ?? "") as Record<string, unknown>;
    assert.deepEqual([last["Tier"], last["Route"], last["Limited"]], ["anonymous", "global", 1]);

    clock.now = START + 60_000;
    assert.ok(!isResponse(await handler(requestEvent())));
  }));

test("other clients and other routes have windows of their own", () =>
  withTable(async ({ store }) => {
    const { handler } = bench(store);
    assert.deepEqual(await statuses(4, () => handler(requestEvent())), ["pass", "pass", "pass", "429"]);
    assert.deepEqual(await statuses(1, () => handler(requestEvent({ clientIp: "192.0.2.9" }))), ["pass"]);
    assert.deepEqual(await statuses(4, () => handler(requestEvent({ uri: "/api/search/x" }))), ["pass", "pass", "pass", "429"]);
    const home = (last: string) => handler(requestEvent({ clientIp: `2001:db8:9:9::${last}` }));
    assert.deepEqual([await statuses(3, () => home("1")), await statuses(1, () => home("2"))].flat(), ["pass", "pass", "pass", "429"]);
  }));

test("tiers have limits of their own once their header is trusted; else it is removed", () =>
  withTable(async ({ store }) => {
    const as = (handler: Handler, tier?: string) => () =>
      handler(requestEvent({}, { "x-client-id": `me-${tier}`, ...(tier === undefined ? {} : { "x-client-tier": tier }) }));
    const doubting = bench(store);
    const seen = await as(doubting.handler, "pro")();
    assert.ok(!isResponse(seen) && seen.headers["x-client-tier"] === undefined && seen.headers["x-client-id"] === undefined);
    assert.deepEqual(await statuses(3, as(doubting.handler, "pro")), ["pass", "pass", "429"]);
    const { handler } = bench(store, { trustedHeaders: { client: "x-client-id", tier: "x-client-tier" } });
    assert.equal((await statuses(51, as(handler, "pro"))).lastIndexOf("pass"), 49);
    assert.equal((await statuses(6, as(handler, "authenticated"))).lastIndexOf("pass"), 4);
    assert.equal((await statuses(6, as(handler, "gold"))).lastIndexOf("pass"), 3);
    assert.equal((await statuses(6, as(handler))).lastIndexOf("pass"), 3);
  }));

test("a viewer cannot bring a standing along", () =>
  withTable(async ({ store }) => {
    const { handler } = bench(store);
    const forged = await handler(requestEvent({ uri: "/healthz" }, { "X-Limiter-Standing": "global;9;60;9;1" }));
    assert.ok(!isResponse(forged));
    assert.deepEqual(Object.keys(viewerResponse(responseEvent(forged), START).headers ?? {}), ["content-type", "server", "via"]);
  }));

test("health checks, webhooks and allowed networks are never limited", () =>
  withTable(async ({ store, put }) => {
    await put("settings", "allowlist", { networks: { SS: ["192.0.2.0/24"] } });
    const { handler, clock } = bench(store);
    const never: Partial<Request>[] = [{ uri: "/healthz" }, { uri: "/webhooks/stripe" }, { clientIp: "198.51.100.7" }, { clientIp: "192.0.2.77" }];
    for (const change of never) assert.ok(!(await statuses(5, () => handler(requestEvent(change)))).includes("429"), JSON.stringify(change));
    // Taken off the list: noticed after five minutes, not before.
    await put("settings", "allowlist", { networks: { SS: ["192.0.2.200/32"] } });
    clock.now += 299_000;
    assert.ok(!(await statuses(5, () => handler(requestEvent({ clientIp: "192.0.2.77" })))).includes("429"));
    clock.now += 2_000;
    assert.deepEqual((await statuses(6, () => handler(requestEvent({ clientIp: "192.0.2.77" })))).slice(-2), ["429", "429"]);
  }));

test("no detour through what is never limited lifts a limit", () =>
  withTable(async ({ store }) => {
    const { handler } = bench(store, { captcha: { page: "/captcha", passSeconds: 1800, ticketSeconds: 600 } });
    const detours = ["/api/search/..%2f..%2f..%2fcaptcha", "/api/search/x/../../../healthz", "/API/search;/..;/../../webhooks/x", "/api/search%2f%252e%252e%2fwebhooks/"];
    const seen: string[] = [];
    for (const uri of ["/api/search", ...detours]) seen.push(...(await statuses(1, () => handler(requestEvent({ uri })))));
    assert.deepEqual(seen, ["pass", "pass", "pass", "429", "429"], "one limit for all of them");
    const spellings = ["/OAUTH/TOKEN", "/oauth/token/", "/oauth/token;x=1", "/oauth%252ftoken", "/oauth/%74oken/%ff/.."];
    const tokens: string[] = [];
    for (const uri of spellings) tokens.push(...(await statuses(1, () => handler(requestEvent({ uri, method: "POST", clientIp: "192.0.2.7" })))));
    assert.deepEqual(tokens, ["pass", "pass", "pass", "429", "429"]);
  }));

test("twice the limit around a window's edge passes the fixed window, not the sliding one", () =>
  withTable(async ({ store }) => {
    const { handler, clock } = bench(store);
    const around = async (uri: string): Promise<number> => {
      clock.now = START + 59_000;
      const early = await statuses(10, () => handler(requestEvent({ uri, method: "GET" })));
      clock.now = START + 60_500;
      const late = await statuses(10, () => handler(requestEvent({ uri, method: "GET" })));
      return [...early, ...late].filter((it) => it === "pass").length;
    };
    assert.equal(await around("/"), 6, "the fixed window, as its documentation says");
    const { handler: second, clock: later } = bench(store);
    later.now = START + 59_000;
    const early = await statuses(10, () => second(requestEvent({ uri: "/api/search" })));
    later.now = START + 60_500;
    const late = await statuses(10, () => second(requestEvent({ uri: "/api/search" })));
    assert.equal([...early, ...late].filter((it) => it === "pass").length, 3, "the sliding estimate");
  }));

test("200 at once on one key: exactly the limit gets through", async (context) => {
  for (const [uri, name] of [["/", "fixed window"], ["/api/search", "sliding window"]] as const)
    for (const instances of [1, 20])
      await context.test(`${name}, ${instances} instance(s)`, () =>
        withTable(async ({ store }) => {
          const trusted: Partial<Config> = { trustedHeaders: { client: "x-client-id", tier: "x-client-tier" } };
          const benches = Array.from({ length: instances }, () => bench(store, trusted));
          const results = await Promise.all(
            Array.from({ length: 200 }, (_, at) =>
              benches[at % instances]!.handler(requestEvent({ uri }, { "x-client-id": "acme", "x-client-tier": "pro" })),
            ),
          );
          const errors = benches.flatMap(({ lines }) => lines.filter((it) => it.includes('"error"')));
          assert.deepEqual(errors, [], "every request was counted");
          assert.equal(results.filter((it) => !isResponse(it)).length, 50);
          assert.ok(results.every((it) => !isResponse(it) || it.status === "429"));
        }));
});

test("200 browsers at once: the limit gets through, as many again may solve a CAPTCHA, the rest is refused", () =>
  withTable(async ({ store, put }) => {
    await put("settings", "captcha-secret", { current: { S: "secret-1" } });
    const changed: Partial<Config> = { captcha: { page: "/captcha", passSeconds: 1800, ticketSeconds: 600 } };
    const benches = Array.from({ length: 20 }, () => bench(store, changed));
    const browse = (at: number) => benches[at % 20]!.handler(requestEvent({}, { Accept: "text/html" }));
    const results = await Promise.all(Array.from({ length: 200 }, (_, at) => browse(at)));
    const seen = results.map((it) => (isResponse(it) ? it.status : "pass"));
    const count = (status: string) => seen.filter((it) => it === status).length;
    assert.deepEqual([count("pass"), count("302"), count("429")], [3, 3, 194]);
  }));

test("a flood costs one write for each instance, not one for each request", () =>
  withTable(async ({ store }) => {
    const { handler } = bench(store);
    await statuses(4, () => handler(requestEvent()));
    let asked = 0;
    const count = store.count.bind(store);
    store.count = (...its) => (asked++, count(...its));
    assert.deepEqual(await statuses(20, () => handler(requestEvent())), Array(20).fill("429"));
    assert.equal(asked, 0);
  }));

test("a flood of browsers costs no more: what is refused beyond the CAPTCHA's share is remembered as well", () =>
  withTable(async ({ store, put }) => {
    await put("settings", "captcha-secret", { current: { S: "secret-1" } });
    for (const uri of ["/", "/api/search"]) {
      const { handler, clock } = bench(store, { captcha: { page: "/captcha", passSeconds: 1800, ticketSeconds: 600 } });
      const browse = () => handler(requestEvent({ uri }, { Accept: "text/html" }));
      const program = () => handler(requestEvent({ uri }));
      clock.now += 30_000;
      assert.deepEqual(await statuses(7, browse), ["pass", "pass", "pass", "302", "302", "302", "429"]);
      await program();
      let asked = 0;
      const count = store.count.bind(store);
      store.count = (...its) => (asked++, count(...its));
      for (let i = 0; i < 20; i++) assert.deepEqual([...(await statuses(1, browse)), ...(await statuses(1, program))], ["429", "429"]);
      assert.equal(asked, 0, uri);
      store.count = count;
      // Six in the window before: the sliding window has room for a seventh ten seconds into the next.
      const [room, answer] = uri === "/" ? [START + 60_000, "pass"] : [START + 70_000, "302"];
      clock.now = room - 1;
      assert.deepEqual(await statuses(1, browse), ["429"]);
      clock.now = room;
      assert.deepEqual(await statuses(1, browse), [answer], "one more as soon as there is room");
    }
  }));

test("an allowlist with a typing error is told, and lets nobody else in", () =>
  withTable(async ({ store, put }) => {
    await put("settings", "allowlist", { networks: { SS: ["192.0.2.0/", "192.0.2.0/-0", "2001:db8::/", "198.51.100.0/24"] } });
    const { handler, lines } = bench(store);
    assert.deepEqual(await statuses(4, () => handler(requestEvent())), ["pass", "pass", "pass", "429"]);
    assert.ok(!(await statuses(5, () => handler(requestEvent({ clientIp: "198.51.100.9" })))).includes("429"));
    const told = lines.map((it) => JSON.parse(it) as { allowlist?: string; error?: string }).filter((it) => it.allowlist !== undefined);
    assert.deepEqual(told.map((it) => it.allowlist).sort(), ["192.0.2.0/", "192.0.2.0/-0", "2001:db8::/"]);
    assert.match(told[0]?.error ?? "", /left out/);
  }));

test("only a failure of the store is one: any other error lets nobody through", () =>
  withTable(async ({ store }) => {
    const { handler, lines } = bench(store, { tiers: ["anonymous"], global: { ...config.global, limits: {} } });
    const seen = await handler(requestEvent());
    assert.ok(isResponse(seen) && seen.status === "503");
    assert.ok(lines.some((it) => it.includes("no limit for tier")) && !lines.some((it) => it.includes("FailedOpen")));
  }));

test("a clock that jumped ahead and came back locks nobody out", () =>
  withTable(async ({ store }) => {
    for (const uri of ["/", "/api/search"]) {
      const { handler, clock } = bench(store);
      const send = () => handler(requestEvent({ uri }));
      const year = 365 * 24 * 3_600_000;
      clock.now = START + year;
      await statuses(5, send);
      clock.now = START;
      let passes = 0;
      for (let minute = 0; minute < 6; minute++) {
        passes += (await statuses(5, send)).filter((it) => it === "pass").length;
        clock.now += 60_000;
      }
      // A full window before leaves no room in a sliding one at its very start.
      assert.ok(passes >= (uri === "/" ? 18 : 9) && passes <= 18, `${uri}: ${passes}`);
      // A little back is no jump: what was handed out stays handed out.
      clock.now -= 90_000;
      assert.deepEqual(await statuses(1, send), ["429"]);
    }
  }));

test("an instance that meets a client for the first time waits for one round trip, not for two", () =>
  withTable(async ({ port, name }) => {
    let delay = 0;
    const proxy = await slowProxy(port, () => delay);
    try {
      const { handler, clock } = bench(new Store(clientFor(proxy.port), name, 30_000));
      const uri = "/api/search";
      clock.now += 40_000;
      await handler(requestEvent({ uri })); // connections, allowlist
      delay = 3_000;
      const started = performance.now();
      assert.ok(!isResponse(await handler(requestEvent({ uri, clientIp: "192.0.2.8" }))));
      const took = performance.now() - started;
      assert.ok(took >= 2_990 && took < 5_900, `${took} ms, with 3,000 for a round trip`);
    } finally {
      proxy.stop();
    }
  }));

test("a plan that got smaller since the last window lets nothing more through", () =>
  withTable(async ({ store, put }) => {
    await put("ip:203.0.113.178#search", `${START / 1000 - 60}#us-east-1`, { count: { N: "50" } });
    const { handler, clock } = bench(store);
    clock.now += 45_000;
    assert.deepEqual(await statuses(2, () => handler(requestEvent({ uri: "/api/search" }))), ["429", "429"]);
    clock.now += 15_000;
    assert.deepEqual(await statuses(1, () => handler(requestEvent({ uri: "/api/search" }))), ["pass"], "and it is over with that window");
  }));

test("a stopped store: open where the route says open, 503 where it says closed", async () => {
  const gone = await table();
  const store = new Store(clientFor(gone.port, 300), gone.name, 300);
  await gone.stop();
  const { handler, lines } = bench(store);
  assert.ok(!isResponse(await handler(requestEvent())), "the fixed window");
  assert.ok(!isResponse(await handler(requestEvent({ uri: "/api/search" }))), "the sliding window");
  const closed = await handler(requestEvent({ uri: "/oauth/token", method: "POST" }));
  assert.ok(isResponse(closed));
  assert.equal(closed.status, "503");
  assert.equal(value(closed.headers, "Retry-After"), "5");
  assert.equal((JSON.parse(closed.body ?? "") as { error: string }).error, "limiter_unavailable");
  assert.ok(lines.some((it) => it.includes('"FailedOpen":1')) && lines.some((it) => it.includes('"FailedClosed":1')));
});

test("a store that dies between two requests and comes back", () =>
  withTable(async ({ port, name }) => {
    const proxy = await slowProxy(port, () => 0);
    const { handler } = bench(new Store(clientFor(proxy.port, 300), name, 300));
    assert.deepEqual(await statuses(1, () => handler(requestEvent())), ["pass"]);
    proxy.stop();
    assert.deepEqual(await statuses(4, () => handler(requestEvent())), ["pass", "pass", "pass", "pass"], "nothing is counted");
  }));

test("a slow store is waited for no longer than its time", () =>
  withTable(async ({ port, name }) => {
    let delay = 0;
    const proxy = await slowProxy(port, () => delay);
    try {
      const { handler } = bench(new Store(clientFor(proxy.port), name, 3_000));
      assert.deepEqual(await statuses(2, () => handler(requestEvent())), ["pass", "pass"]);
      delay = 100;
      assert.deepEqual(await statuses(2, () => handler(requestEvent())), ["pass", "429"], "slow, but in time");
      delay = 30_000;
      const other = { clientIp: "192.0.2.50" };
      const started = performance.now();
      assert.ok(!isResponse(await handler(requestEvent(other))));
      const closed = await handler(requestEvent({ ...other, uri: "/oauth/token", method: "POST" }));
      assert.ok(isResponse(closed) && closed.status === "503");
      const took = performance.now() - started;
      assert.ok(took >= 5_900 && took < 20_000, `${took} ms for two requests with 3,000 ms each`);
    } finally {
      proxy.stop();
    }
  }));

test("a connection that died while the instance was frozen costs a second try and no limit", () =>
  withTable(async ({ port, name }) => {
    const proxy = await forgetfulProxy(port);
    try {
      const { handler, lines } = bench(new Store(clientFor(proxy.port), name, 10_000));
      assert.deepEqual(await statuses(4, () => handler(requestEvent())), ["pass", "pass", "pass", "429"]);
      assert.ok(proxy.deaths() > 0, "a connection died");
      assert.ok(!lines.some((it) => it.includes("Failed")));
    } finally {
      proxy.stop();
    }
  }));

test("between one and two times the limit a browser may solve a CAPTCHA, which lifts the limit for 30 minutes", () =>
  withTable(async ({ store, put }) => {
    await put("settings", "captcha-secret", { current: { S: "secret-1" } });
    const captcha = { page: "/captcha", passSeconds: 1800, ticketSeconds: 600 };
    const { handler, clock } = bench(store, { captcha });
    const browser = (headers: Record<string, string> = {}) =>
      handler(requestEvent({ uri: "/shop", querystring: "page=2" }, { Accept: "text/html,application/xhtml+xml", ...headers }));
    assert.deepEqual(await statuses(8, browser), ["pass", "pass", "pass", "302", "302", "302", "429", "429"]);
    clock.now += 60_000;
    await statuses(3, browser);
    const sent = await browser();
    assert.ok(isResponse(sent));
    const location = new URL(value(sent.headers, "Location") ?? "", "https://site.example");
    assert.equal(location.pathname, "/captcha");
    assert.equal(location.host, "site.example");
    assert.equal(location.searchParams.get("return"), "/shop?page=2");
    const ticket = location.searchParams.get("ticket") ?? "";
    assert.equal(verify("ticket", ticket, clock.now, ["secret-1"]), "ip:203.0.113.178");
    // The page itself is never limited, or the redirect would go in circles.
    assert.deepEqual(await statuses(9, () => handler(requestEvent({ uri: "/captcha" }, { Accept: "text/html" }))), Array(9).fill("pass"));

    const form = { ticket, returnTo: "/shop?page=2", answer: "" };
    const reply = await admit(form, captcha, ["secret-1"], clock.now, async () => true);
    const pass = (reply.headers["Set-Cookie"] ?? "").split(";")[0] ?? "";
    assert.deepEqual(await statuses(20, () => browser({ Cookie: `a=b; ${pass}` })), Array(20).fill("pass"));
    const thief = () => handler(requestEvent({ clientIp: "192.0.2.66" }, { Accept: "text/html", Cookie: pass }));
    assert.deepEqual(await statuses(4, thief), ["pass", "pass", "pass", "302"], "a pass is of no use to another client");
    clock.now += 1_800_000;
    assert.deepEqual(await statuses(4, () => browser({ Cookie: pass })), ["pass", "pass", "pass", "302"], "30 minutes are over");
  }));

test("programs, and everybody while there is no secret, get 429 at the limit", () =>
  withTable(async ({ store }) => {
    const { handler } = bench(store, { captcha: { page: "/captcha", passSeconds: 1800, ticketSeconds: 600 } });
    assert.deepEqual(await statuses(4, () => handler(requestEvent())), ["pass", "pass", "pass", "429"]);
    const browser = () => handler(requestEvent({ clientIp: "192.0.2.1" }, { Accept: "text/html" }));
    assert.deepEqual(await statuses(4, browser), ["pass", "pass", "pass", "429"]);
  }));

test("a redirect never leads away from this site", () =>
  withTable(async ({ store, put }) => {
    await put("settings", "captcha-secret", { current: { S: "secret-1" } });
    const { handler } = bench(store, { captcha: { page: "/captcha", passSeconds: 1800, ticketSeconds: 600 } });
    for (const uri of ["//evil.example/", "/\\evil.example"]) {
      const clientIp = `192.0.2.${uri.length}`;
      let result: Request | Response = await handler(requestEvent({ uri, clientIp }, { Accept: "text/html" }));
      while (!isResponse(result)) result = await handler(requestEvent({ uri, clientIp }, { Accept: "text/html" }));
      const location = new URL(value(result.headers, "Location") ?? "", "https://site.example");
      assert.equal(location.searchParams.get("return"), "/");
      assert.equal(location.host, "site.example");
    }
  }));
