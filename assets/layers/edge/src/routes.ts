// Which limit a request falls under.
import type { Config, Limits, PathMatch } from "./config-type.js";

/**
 * The path as most origins understand it: percent-decoded once, without empty and dot segments. Other
 * spellings of a path must not be a way around its limit.
 */
export function normalPath(uri: string): string {
  let path = uri;
  try {
    path = decodeURIComponent(uri);
  } catch {
    // Not valid UTF-8: compared as it is.
  }
  const segments: string[] = [];
  const parts = path.split("/").slice(1);
  parts.forEach((part, at) => {
    const last = at === parts.length - 1;
    if (part === "..") segments.pop();
    else if (part !== "." && (part !== "" || last)) segments.push(part);
    if (last && (part === "." || part === "..")) segments.push("");
  });
  return "/" + segments.join("/");
}

export function matches(match: PathMatch, path: string): boolean {
  return match.exact ? path === match.path : path.startsWith(match.path);
}

/** The matching route with the longest path (exact before prefix if as long), else the global limits. */
export function limitsFor(config: Config, method: string, path: string): Limits {
  const fitting = config.routes
    .filter((route) => route.methods.length === 0 || route.methods.includes(method))
    .filter((route) => matches(route, path))
    .sort((a, b) => b.path.length - a.path.length || Number(b.exact) - Number(a.exact));
  return fitting[0] ?? config.global;
}
