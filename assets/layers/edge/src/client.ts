// Who asks: the identity that is counted, and its tier.
import { isIPv6 } from "node:net";
import { header, type Request } from "./cloudfront.js";
import type { Config } from "./config-type.js";

export interface Client {
  identity: string;
  tier: string;
}

/** Also keeps `#`, which separates the parts of the table's key, out of identities. */
const CLIENT = /^[A-Za-z0-9._:@|=-]{1,128}$/;

export function clientOf(request: Request, config: Config): Client {
  const address = `ip:${network(request.clientIp, config.ipv6Prefix)}`;
  if (config.trustedHeaders === null) return { identity: address, tier: "anonymous" };
  const client = header(request.headers, config.trustedHeaders.client);
  if (client === undefined || !CLIENT.test(client)) return { identity: address, tier: "anonymous" };
  const named = header(request.headers, config.trustedHeaders.tier);
  const tier = named !== undefined && config.tiers.includes(named) ? named : config.defaultTier;
  return { identity: `client:${client}`, tier };
}

/** An IPv4 address as it is, also one in the form of IPv6 (`::ffff:0:0/96`), and an IPv6 address cut to its prefix. */
export function network(address: string, prefix: number): string {
  if (!isIPv6(address)) return address;
  const parts = groups(address);
  const [high = 0, low = 0] = parts.slice(6);
  if (parts.slice(0, 5).every((it) => it === 0) && parts[5] === 0xffff) return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  const bits = parts
    .map((group) => group.toString(2).padStart(16, "0"))
    .join("")
    .slice(0, prefix)
    .padEnd(128, "0");
  const cut = bits.match(/.{16}/g) ?? [];
  return cut.map((group) => parseInt(group, 2).toString(16)).join(":") + `/${prefix}`;
}

/** The eight groups of an IPv6 address in any spelling. */
function groups(address: string): number[] {
  let text = address.split("%")[0] ?? "";
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text);
  if (dotted !== null) {
    const [a = 0, b = 0, c = 0, d = 0] = dotted.slice(1).map(Number);
    text = text.slice(0, dotted.index) + ((a << 8) | b).toString(16) + ":" + ((c << 8) | d).toString(16);
  }
  const [front = "", back] = text.split("::");
  const parse = (part: string): number[] => (part === "" ? [] : part.split(":").map((it) => parseInt(it, 16)));
  const head = parse(front);
  const tail = back === undefined ? [] : parse(back);
  return [...head, ...Array<number>(Math.max(0, 8 - head.length - tail.length)).fill(0), ...tail];
}
