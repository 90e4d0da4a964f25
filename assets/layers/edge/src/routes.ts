// Which limit a request falls under, and which requests fall under none.
//
// CloudFront hands the path on to the origin as the viewer wrote it, and origins differ in how they read it. So
// nothing here decides what a path means: an exemption holds only where every reading of the path says so, and a
// limit holds where any of them does, the strictest of all.
import type { Config, Limits, PathMatch } from "./config-type.js";

/** More readings than that has no path by accident: the strictest limit of all routes holds. */
const MOST_READINGS = 32;

/** What no server reads as anything but itself. */
const PLAIN = /^[A-Za-z0-9._~!$&'()*+,=:@/-]*$/;

/** Whether a path, not encoded, can be compared: no empty and no dot segment, and nothing that servers take for more than a letter. */
export function isComparable(path: string): boolean {
  if (!path.startsWith("/") || /[%?#;\\\x00-\x1f\x7f]/.test(path)) return false;
  const segments = path.slice(1).split("/");
  return segments.every((it, at) => it !== "." && it !== ".." && (it !== "" || at === segments.length - 1));
}

/**
 * Whether a path is never limited. Only in the very letters of the configuration: no other case, no escapes
 * beyond those that its path needs, no dot segments, no empty ones, no parameters.
 */
export function isExempt(config: Config, uri: string): boolean {
  const never = [...config.neverLimited, ...(config.captcha === null ? [] : [{ path: config.captcha.page, exact: true }])];
  const written = capitalEscapes(uri);
  return never.some(({ path, exact }) =>
    [path, encodeURI(path)].some((start) => {
      if (!written.startsWith(start)) return false;
      const rest = written.slice(start.length);
      return exact ? rest === "" : PLAIN.test(rest) && isComparable(path + rest);
    }),
  );
}

/**
 * The strictest limit of all readings of a path. Within one reading: the matching route with the longest path
 * (exact before prefix if as long), else the global limits.
 */
export function limitsFor(config: Config, method: string, uri: string, tier: string): Limits {
  const routes = config.routes.filter((route) => fits(route.methods, method.toUpperCase()));
  const readings = readingsOf(uri);
  if (readings === undefined) return strictest([...routes, config.global], tier);
  const found = readings.flatMap((path) => [longest(routes, path, isThere), longest(routes, path, isNear)]);
  // A route before the global limits if both allow the same: other spellings must not have a count of their own.
  const among: Limits[] = found.filter((it) => it !== undefined);
  if (found.includes(undefined)) among.push(config.global);
  return strictest(among, tier);

  function longest(among: Config["routes"], path: string, matches: (match: PathMatch, path: string) => boolean): Limits | undefined {
    const named = (methods: string[]): number => Number(methods.length === 0 || methods.includes(method.toUpperCase()));
    return among
      .filter((route) => matches(route, path))
      .sort((a, b) => b.path.length - a.path.length || Number(b.exact) - Number(a.exact) || named(b.methods) - named(a.methods))[0];
  }
}

/** Servers answer HEAD with what they have for GET. */
function fits(methods: string[], method: string): boolean {
  return methods.length === 0 || methods.includes(method) || (method === "HEAD" && methods.includes("GET"));
}

/** The first of those that allow the least. One without a number for the tier is none. */
function strictest(among: Limits[], tier: string): Limits {
  const most = (limits: Limits): number => limits.limits[tier] ?? Infinity;
  return among.reduce((least, one) => (most(one) < most(least) ? one : least));
}

/** In the letters of the configuration. */
function isThere(match: PathMatch, path: string): boolean {
  return [match.path, encodeURI(match.path)].some((it) => (match.exact ? path === it : path.startsWith(it)));
}

/** As servers compare that do not care for case, for a slash at the end and for parameters (`;x=1`). */
function isNear(match: PathMatch, path: string): boolean {
  const near = withoutEnd(merged(withoutParameters(path)).toLowerCase());
  return [match.path, encodeURI(match.path)].some((it) => {
    const wanted = it.toLowerCase();
    return match.exact ? near === withoutEnd(wanted) : `${near}/`.startsWith(wanted);
  });
}

/**
 * Every path that a server may make of one: each may decode escapes, resolve dot segments, merge slashes and cut
 * off parameters, in any order and more than once, and take `\` for `/`. undefined: there are too many.
 */
export function readingsOf(uri: string): string[] | undefined {
  const readings = new Set([capitalEscapes(uri)]);
  for (const reading of readings) {
    for (const step of [decoded, resolved, merged, withoutParameters, slashed]) readings.add(step(reading));
    if (readings.size > MOST_READINGS) return undefined;
  }
  return [...readings];
}

function capitalEscapes(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase());
}

/** Once, byte by byte: what is no escape stays, and bytes that are no UTF-8 become a sign that no path has. */
function decoded(path: string): string {
  const bytes = (escapes: string): string => Buffer.from(escapes.replaceAll("%", ""), "hex").toString("utf8");
  return capitalEscapes(path.replace(/(?:%[0-9A-Fa-f]{2})+/g, bytes));
}

/** Without `.` and `..`, which are that in escapes too (RFC 3986, 5.2.4; WHATWG URL). */
function resolved(path: string): string {
  const segments: string[] = [];
  const parts = path.split("/").slice(1);
  parts.forEach((part, at) => {
    const plain = part.replaceAll("%2E", ".");
    if (plain === "..") segments.pop();
    else if (plain !== ".") return void segments.push(part);
    if (at === parts.length - 1) segments.push("");
  });
  return `/${segments.join("/")}`;
}

function merged(path: string): string {
  return path.replace(/\/{2,}/g, "/");
}

function withoutParameters(path: string): string {
  return path.replace(/;[^/]*/g, "");
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}

function withoutEnd(path: string): string {
  return path.replace(/(?<=.)\/+$/, "");
}
