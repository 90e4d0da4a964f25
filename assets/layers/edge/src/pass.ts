// Signed tickets (to the CAPTCHA page) and passes (from it), and the check of the address to go back to.
import { createHmac, timingSafeEqual } from "node:crypto";

/** `__Host-` makes browsers take it only over HTTPS, for this host and for every path. */
export const PASS_COOKIE = "__Host-ratelimit-pass";

type Purpose = "ticket" | "pass";

function signature(purpose: Purpose, identity: string, expires: number, secret: string): string {
  return createHmac("sha256", secret).update(`${purpose}\n${identity}\n${expires}`).digest("base64url");
}

/** `identity.expires.signature`; the identity in base64url. `expires` in seconds since 1970. */
export function sign(purpose: Purpose, identity: string, expires: number, secret: string): string {
  const name = Buffer.from(identity).toString("base64url");
  return `${name}.${expires}.${signature(purpose, identity, expires, secret)}`;
}

/** The identity that a token was signed for, if one of the secrets signed it and it has not expired. */
export function verify(purpose: Purpose, token: string, now: number, secrets: string[]): string | undefined {
  const parts = token.length <= 1024 ? token.split(".") : [];
  const [name, until, given] = parts;
  if (parts.length !== 3 || name === undefined || until === undefined || given === undefined) return undefined;
  if (!/^\d{1,12}$/.test(until) || Number(until) * 1000 <= now) return undefined;
  const identity = Buffer.from(name, "base64url").toString();
  const genuine = secrets.some((secret) => {
    const expected = Buffer.from(signature(purpose, identity, Number(until), secret));
    const received = Buffer.from(given);
    return expected.length === received.length && timingSafeEqual(expected, received);
  });
  return genuine ? identity : undefined;
}

/** The value of a cookie in a `cookie` header. */
export function cookie(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? "").split(";")) {
    const at = part.indexOf("=");
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}

/**
 * The address to go back to after the CAPTCHA: a path of this site, else `/`. Browsers read `//host`,
 * `/\host` and addresses with tabs or line breaks as other sites, so those never pass.
 */
export function returnPath(wanted: string | undefined): string {
  if (wanted === undefined || wanted.length > 2048) return "/";
  if (!/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(wanted)) return "/";
  const base = "https://site.invalid";
  try {
    return new URL(wanted, base).origin === base ? wanted : "/";
  } catch {
    return "/";
  }
}
