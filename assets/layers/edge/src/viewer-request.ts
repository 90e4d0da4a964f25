// Lambda@Edge, viewer request: lets a request through, or answers it.
import { header, type Request, type RequestEvent, type Response } from "./cloudfront.js";
import { carry, redirect, STANDING_HEADER, tooMany, unavailable, type Standing } from "./answers.js";
import { clientOf, type Client } from "./client.js";
import { config } from "./config.js";
import type { Config, Limits } from "./config-type.js";
import { Limiter } from "./limiter.js";
import { Metrics } from "./metrics.js";
import { cookie, PASS_COOKIE, returnPath, sign, verify } from "./pass.js";
import { nearestReplica } from "./regions.js";
import { isExempt, limitsFor } from "./routes.js";
import { Cached, contains, networkSet, networksOf, secretsOf } from "./settings.js";
import { Store, storeClient, StoreFailure } from "./store.js";

export interface Surroundings {
  store: Store;
  /** Region of the store. */
  region: string;
  /** Milliseconds since 1970. */
  now: () => number;
  write: (line: string) => void;
}

export type Handler = (event: RequestEvent) => Promise<Request | Response>;

export function viewerRequest(config: Config, { store, region, now, write }: Surroundings): Handler {
  const limiter = new Limiter(store, region, config.windowSeconds);
  const metrics = new Metrics(config.metrics.namespace, config.metrics.flushSeconds, write);
  const lifetime = config.settingsSeconds * 1000;
  const leftOut = (cidr: string): void => {
    write(JSON.stringify({ level: "error", allowlist: cidr.slice(0, 100), error: "no network in CIDR notation: left out" }));
  };
  const always = networkSet(config.allowlist, leftOut);
  const allowlist = new Cached(async () => networkSet(networksOf(await store.read("settings", "allowlist")), leftOut), lifetime);
  const secrets = new Cached(async () => secretsOf(await store.read("settings", "captcha-secret")), lifetime);

  /** Whether the client has solved a CAPTCHA of late. */
  async function hasPass(request: Request, client: Client): Promise<boolean> {
    if (config.captcha === null) return false;
    const token = cookie(allCookies(request), PASS_COOKIE);
    if (token === undefined) return false;
    return verify("pass", token, now(), (await secrets.refresh(now())) ?? []) === client.identity;
  }

  /** Where to solve a CAPTCHA, if there is a secret to sign the way there. */
  async function challenge(request: Request, client: Client): Promise<string | undefined> {
    const secret = (await secrets.refresh(now()))?.[0];
    if (config.captcha === null || secret === undefined) return undefined;
    const expires = Math.floor(now() / 1000) + config.captcha.ticketSeconds;
    const target = returnPath(request.uri + (request.querystring === "" ? "" : `?${request.querystring}`));
    const ticket = sign("ticket", client.identity, expires, secret);
    return `${config.captcha.page}?return=${encodeURIComponent(target)}&ticket=${ticket}`;
  }

  async function limit(request: Request, client: Client, limits: Limits): Promise<Request | Response> {
    const most = limits.limits[client.tier];
    if (most === undefined) throw new Error(`no limit for tier ${client.tier} in ${limits.name}`);
    const band = config.captcha !== null && wantsPage(request) ? 2 : 1;
    const question = { key: `${client.identity}#${limits.name}`, algorithm: limits.algorithm, limit: most, band };
    const started = performance.now();
    // Due again, the allowlist is read at the same time as the count: no request waits for it.
    const [decision] = await Promise.all([limiter.decide(question, now()), allowlist.refresh(now())]);
    const took = Math.round(performance.now() - started);
    const { remaining, reset } = decision;
    const standing: Standing = { name: limits.name, limit: most, windowSeconds: config.windowSeconds, remaining, reset };

    if (decision.verdict === "allowed") {
      metrics.count(client.tier, limits.name, "Allowed", now(), took);
      carry(request, standing, now());
      return request;
    }
    if (decision.verdict === "challenge") {
      const page = await challenge(request, client);
      if (page !== undefined) {
        metrics.count(client.tier, limits.name, "Challenged", now(), took);
        return redirect(page, standing, now());
      }
    }
    metrics.count(client.tier, limits.name, "Limited", now(), took);
    return tooMany(standing, now());
  }

  return async (event) => {
    const request = event.Records[0]?.cf.request;
    if (request === undefined) throw new Error("no CloudFront event");
    delete request.headers[STANDING_HEADER];
    if (config.trustedHeaders === null) for (const name of config.untrustedHeaders) delete request.headers[name];

    try {
      return await answer(request);
    } catch (error) {
      // No store's fault. A viewer must not see it as 502, nor get past a limit with what has brought it about.
      write(JSON.stringify({ level: "error", error: String(error).slice(0, 500) }));
      return unavailable();
    }
  };

  async function answer(request: Request): Promise<Request | Response> {
    if (isExempt(config, request.uri)) return request;
    if (contains(always, request.clientIp)) return request;
    const allowed = allowlist.held ?? (await allowlist.refresh(now()));
    if (allowed !== undefined && contains(allowed, request.clientIp)) {
      await allowlist.refresh(now());
      return request;
    }

    const client = clientOf(request, config);
    const limits = limitsFor(config, request.method, request.uri, client.tier);
    if (await hasPass(request, client)) {
      metrics.count(client.tier, limits.name, "Passed", now());
      return request;
    }
    try {
      return await limit(request, client, limits);
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      const open = limits.failure === "open";
      metrics.count(client.tier, limits.name, open ? "FailedOpen" : "FailedClosed", now());
      write(JSON.stringify({ level: "error", route: limits.name, error: error.message.slice(0, 500) }));
      return open ? request : unavailable();
    }
  }
}

/** A browser that navigates can solve a CAPTCHA; a program that calls an API cannot. */
function wantsPage(request: Request): boolean {
  return request.method === "GET" && (header(request.headers, "accept") ?? "").includes("text/html");
}

function allCookies(request: Request): string {
  return (request.headers["cookie"] ?? []).map((it) => it.value).join(";");
}

/** The function as it is deployed. AWS_REGION is one of the variables that Lambda itself sets. */
function deployed(): Handler {
  const { name, home, replicas, timeoutMilliseconds } = config.table;
  const region = nearestReplica(process.env["AWS_REGION"] ?? home, home, replicas);
  return viewerRequest(config, {
    store: new Store(storeClient(region, timeoutMilliseconds), name, timeoutMilliseconds),
    region,
    now: Date.now,
    write: (line) => process.stdout.write(`${line}\n`),
  });
}

export const handler = deployed();
