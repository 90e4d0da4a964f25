// Checks that what is about to be deployed is inside Lambda@Edge's limits for viewer events:
// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html#limits-lambda-at-edge
// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/edge-function-restrictions-all.html
// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/lambda-at-edge-function-restrictions.html
// Exit code 1 and a line for each limit that is not kept.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { redirect, STANDING_HEADER, standingHeaders, tooMany, unavailable } from "../src/answers.js";
import type { Response } from "../src/cloudfront.js";
import { config } from "../src/config.js";
import type { Config } from "../src/config-type.js";
import { isKnownRegion } from "../src/regions.js";
import { isComparable } from "../src/routes.js";

const project = join(__dirname, "../..");

/** Compressed size of the function. Newer pages of AWS say 50 MB; 1 MB is what older ones say of viewer events. */
export const MOST_PACKED = 1_000_000;
/** Headers and body of a generated response. */
export const MOST_RESPONSE = 40 * 1024;
export const MOST_MILLISECONDS = 5_000;
export const MEGABYTES = 128;
/** Store calls that one request can wait for, one after the other: allowlist, previous window, count, secret. */
const CALLS = 4;

/** Not to be read or set by edge functions: 502 if one is. `*` at the end stands for anything. */
const DISALLOWED = [
  "connection", "expect", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "trailer",
  "upgrade", "x-accel-buffering", "x-accel-charset", "x-accel-limit-rate", "x-accel-redirect", "x-amz-cf-*",
  "x-amzn-*", "x-cache", "x-edge-*", "x-forwarded-proto", "x-real-ip",
];
/** Not to be changed by a viewer-request or a viewer-response function. */
const READ_ONLY = ["content-length", "host", "transfer-encoding", "via", "warning", "content-encoding"];

export function isDisallowed(name: string): boolean {
  const lower = name.toLowerCase();
  return DISALLOWED.some((it) => (it.endsWith("*") ? lower.startsWith(it.slice(0, -1)) : lower === it));
}

export function checkConfig(config: Config): string[] {
  const problems: string[] = [];
  const say = (condition: boolean, text: string): void => void (condition || problems.push(text));
  const { home, replicas, timeoutMilliseconds } = config.table;
  say(home === "us-east-1", `the table's home is ${home}; functions at the edge are made in us-east-1, and so is their table`);
  say(new Set([home, ...replicas]).size === replicas.length + 1, "a replica is named twice, or is the home region");
  for (const region of [home, ...replicas]) say(isKnownRegion(region), `nothing is known of where ${region} is`);
  say(
    timeoutMilliseconds > 0 && CALLS * timeoutMilliseconds <= MOST_MILLISECONDS - 1_000,
    `${CALLS} calls of ${timeoutMilliseconds} ms are too near to the function's ${MOST_MILLISECONDS} ms`,
  );
  say(Number.isInteger(config.windowSeconds) && config.windowSeconds > 0, "windowSeconds is no whole number of seconds");
  say(config.ipv6Prefix >= 1 && config.ipv6Prefix <= 128, "ipv6Prefix is not within 1 to 128");
  say(config.tiers.includes("anonymous"), 'there is no tier "anonymous"');
  say(config.tiers.includes(config.defaultTier), `the default tier ${config.defaultTier} is none of the tiers`);
  const all = [config.global, ...config.routes];
  say(new Set(all.map((it) => it.name)).size === all.length, "two routes have one name, and would count together");
  for (const limits of all) {
    say(/^[A-Za-z0-9_-]{1,64}$/.test(limits.name), `the name ${JSON.stringify(limits.name)} has other signs than letters, digits, - and _`);
    for (const tier of config.tiers) {
      const limit = limits.limits[tier];
      say(Number.isSafeInteger(limit) && (limit ?? 0) > 0, `${limits.name} has no limit of 1 or more for tier ${tier}`);
    }
  }
  for (const { path } of [...config.routes, ...config.neverLimited])
    say(isComparable(path), `the path ${path} will never be seen: paths are compared decoded, without empty and dot segments and parameters`);
  const headers = [...config.untrustedHeaders, ...Object.values(config.trustedHeaders ?? {})];
  for (const name of headers)
    say(!isDisallowed(name) && !READ_ONLY.includes(name.toLowerCase()), `edge functions may not touch the header ${name}`);
  if (config.captcha !== null) say(/^\/(?!\/)[\w./-]*$/.test(config.captcha.page) && isComparable(config.captcha.page), "captcha.page is no path of this site without dot segments");
  return problems;
}

/** The largest answers that this configuration can lead to. */
export function checkAnswers(config: Config): string[] {
  const problems: string[] = [];
  const now = 9_999_999_999_999;
  const answers: Response[] = [unavailable(), { status: "200", headers: {} }];
  for (const limits of [config.global, ...config.routes]) {
    const limit = Math.max(...Object.values(limits.limits));
    const standing = { name: limits.name, limit, windowSeconds: config.windowSeconds, remaining: limit, reset: 2 * config.windowSeconds * 1000 };
    answers.push(tooMany(standing, now), { status: "200", headers: standingHeaders(standing, now) });
    // An address of 2,048 characters, all of them escaped, and a ticket.
    answers.push(redirect("x".repeat(3 * 2048 + 1024), standing, now));
  }
  for (const { status, headers = {}, body = "" } of answers) {
    let size = Buffer.byteLength(body);
    for (const [name, values] of Object.entries(headers)) {
      for (const { key = name, value } of values) size += Buffer.byteLength(key) + Buffer.byteLength(value) + 4;
      if (isDisallowed(name) || READ_ONLY.includes(name)) problems.push(`an answer ${status} sets the header ${name}`);
    }
    if (size > MOST_RESPONSE) problems.push(`an answer ${status} has ${size} bytes, the most is ${MOST_RESPONSE}`);
  }
  if (isDisallowed(STANDING_HEADER)) problems.push(`edge functions may not set ${STANDING_HEADER}`);
  return problems;
}

/** The compiled code of the function, by file. */
export function checkCode(files: Record<string, string>): string[] {
  const problems: string[] = [];
  for (const [file, code] of Object.entries(files)) {
    for (const [, name] of code.matchAll(/process\.env(?:\.|\[")(\w+)/g))
      if (name !== "AWS_REGION") problems.push(`${file} reads ${name}: functions at the edge have no environment variables`);
    for (const [, module = ""] of code.matchAll(/require\("([^"]+)"\)/g))
      if (!module.startsWith("./") && !module.startsWith("node:") && module !== "@aws-sdk/client-dynamodb")
        problems.push(`${file} needs ${module}, which is not in the runtime`);
  }
  return problems;
}

/** Terraform or CloudFormation that makes the functions. */
export function checkInfrastructure(name: string, text: string): string[] {
  const problems: string[] = [];
  const code = text.replace(/^\s*#.*$/gm, "");
  const must = (pattern: RegExp, what: string): void => void (pattern.test(code) || problems.push(`${name}: ${what}`));
  must(/nodejs22\.x/, "the runtime is not nodejs22.x");
  must(/publish\s*=\s*true|AWS::Lambda::Version/, "no numbered version is published");
  must(/edgelambda\.amazonaws\.com/, "the role cannot be assumed by edgelambda.amazonaws.com");
  for (const [, size] of code.matchAll(/memory_?size\s*[=:]\s*(\d+)/gi))
    if (Number(size) > MEGABYTES) problems.push(`${name}: ${size} MB of memory, the most is ${MEGABYTES}`);
  for (const [, seconds] of code.matchAll(/\btimeout\s*[=:]\s*(\d+)/gi))
    if (Number(seconds) * 1000 > MOST_MILLISECONDS) problems.push(`${name}: a timeout of ${seconds} s, the most is 5`);
  for (const feature of ["environment", "vpc_?config", "layers", "dead_?letter_?config", "reserved_?concurrent_?executions", "kms_?key_?arn", "arm64"])
    if (new RegExp(`^\\s*-?\\s*${feature}\\b`, "im").test(code)) problems.push(`${name}: ${feature.replaceAll("_?", "_")} is not for functions at the edge`);
  return problems;
}

/** Megabytes that a fresh process needs once an instance's memory is full. */
function memory(): number {
  const script = `
    const { Limiter } = require(${JSON.stringify(join(__dirname, "../src/limiter.js"))});
    require(${JSON.stringify(join(__dirname, "../src/viewer-request.js"))});
    const store = { read: async () => undefined, count: async () => ({ counted: false, count: 9 }) };
    (async () => {
      const limiter = new Limiter(store, "us-east-1", 60);
      for (let i = 0; i < 30000; i++)
        await limiter.decide({ key: "ip:2001:db8:ffff:ffff:0:0:0:0/64#" + i, algorithm: "sliding-window", limit: 1, band: 1 }, 1.8e12);
      console.log(process.memoryUsage().rss);
    })();`;
  const out = execFileSync(process.execPath, ["--max-old-space-size=64", "-e", script], { cwd: project, encoding: "utf8" });
  return Math.ceil(Number(out) / 1_000_000);
}

function read(folder: string, pattern: RegExp): Record<string, string> {
  const files: Record<string, string> = {};
  for (const name of readdirSync(folder)) if (pattern.test(name)) files[name] = readFileSync(join(folder, name), "utf8");
  return files;
}

function main(): void {
  const packed = readFileSync(join(project, "edge.zip")).length;
  const needed = memory();
  const infrastructure = { ...optional("terraform", /^edge\.tf$/), ...optional("cloudformation", /^edge\.yaml$/) };
  const problems = [
    ...checkConfig(config),
    ...checkAnswers(config),
    ...checkCode(read(join(__dirname, "../src"), /^(?!captcha-page).*\.js$/)),
    ...Object.entries(infrastructure).flatMap(([name, text]) => checkInfrastructure(name, text)),
  ];
  if (packed > MOST_PACKED) problems.push(`edge.zip has ${packed} bytes, the most is ${MOST_PACKED}`);
  if (needed > MEGABYTES) problems.push(`a full instance needs ${needed} MB, it has ${MEGABYTES}`);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.stdout.write(`Lambda@Edge: ${packed} bytes packed, ${needed} MB of memory, ${problems.length} problems\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

/** A team keeps the one it deploys with. */
function optional(folder: string, pattern: RegExp): Record<string, string> {
  try {
    return read(join(project, folder), pattern);
  } catch {
    return {};
  }
}

if (require.main === module) main();
