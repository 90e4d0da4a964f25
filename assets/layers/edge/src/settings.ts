// What operators change without a deployment: two items of the table, kept in memory for some minutes.
//
//   client "settings", window "allowlist":      networks  (string set of CIDRs)
//   client "settings", window "captcha-secret": current, previous (strings; previous only while rotating)
import { BlockList, isIP } from "node:net";
import type { Item } from "./store.js";

/** After a failed read the old value stays, and the next try is not before this. */
const RETRY_MILLISECONDS = 30_000;

export class Cached<T> {
  private value: T | undefined;
  private due = 0;

  constructor(
    private readonly load: () => Promise<T>,
    private readonly lifetime: number,
  ) {}

  /** The value in memory, however old. */
  get held(): T | undefined {
    return this.value;
  }

  /** Reads it anew if it is time. Never fails: without an answer the old value stays. */
  async refresh(now: number): Promise<T | undefined> {
    if (now < this.due) return this.value;
    this.due = now + RETRY_MILLISECONDS;
    try {
      this.value = await this.load();
      this.due = now + this.lifetime;
    } catch {
      // Keeps what it has.
    }
    return this.value;
  }
}

export function networksOf(item: Item | undefined): string[] {
  return item?.["networks"]?.SS ?? [];
}

export function secretsOf(item: Item | undefined): string[] {
  return [item?.["current"]?.S, item?.["previous"]?.S].filter((it): it is string => it !== undefined && it !== "");
}

/** Bits of an address, as its text says it: digits and nothing else. */
const LENGTH = /^\d{1,3}$/;

/**
 * A set of networks. What is no CIDR is left out, for one typing error must not take the list down, and told to
 * `leftOut`. Nothing is guessed: half a prefix (`192.0.2.0/`) would be the whole internet.
 */
export function networkSet(cidrs: string[], leftOut: (cidr: string) => void): BlockList {
  const set = new BlockList();
  for (const cidr of cidrs) {
    const [address = "", length, more] = cidr.split("/");
    const version = isIP(address);
    const most = version === 4 ? 32 : 128;
    const bits = length === undefined ? most : LENGTH.test(length) ? Number(length) : Infinity;
    if (version === 0 || address.includes("%") || more !== undefined || bits > most) leftOut(cidr);
    else set.addSubnet(address, bits, version === 4 ? "ipv4" : "ipv6");
  }
  return set;
}

export function contains(set: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && set.check(address, version === 4 ? "ipv4" : "ipv6");
}
