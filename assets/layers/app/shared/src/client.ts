import { createHash } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';

/**
 * Who sends a request. Both come from something that the client cannot set: the subject of a token that
 * was verified before, and the address of the connection as the gateway saw it. Never take either from a
 * header such as X-Forwarded-For or X-User-Id: whoever writes it has as many limits as he likes.
 */
export interface Caller {
  subject?: string | undefined;
  address?: string | undefined;
}

const LONGEST = 128;

/** A value that may not become part of a key. */
export class InvalidValue extends Error {
  constructor(readonly part: string) {
    super(`the ${part} is no text, is too long, or has characters that no ${part} has`);
  }
}

/** The text that was given; `undefined` if it was left out. Whatever else a JSON body held is no value. */
export function textOf(part: string, given: unknown): string | undefined {
  if (given === undefined || given === '') return undefined;
  if (typeof given !== 'string') throw new InvalidValue(part);
  return given;
}

/** One text a client: bounded, and of letters that no store reads anything into. Throws `InvalidValue`. */
export function clientKey(by: 'subject' | 'address', caller: Caller): string {
  const subject = by === 'subject' ? textOf('subject', caller?.subject) : undefined;
  if (subject !== undefined) return `s:${harmless(subject)}`;
  const address = textOf('address', caller?.address);
  // Nobody knows who it is: all of them are one client, so that leaving both out wins nothing.
  return address === undefined ? 'unknown' : `a:${addressBlock(address)}`;
}

/** The text itself where it is short and plain, else a digest of it: two never become one. */
export function harmless(text: string): string {
  if (text.length <= LONGEST && /^[A-Za-z0-9._@|-]+$/.test(text)) return text;
  return digest(text);
}

/** Begins with a sign that no text has which stands for itself. */
export function digest(text: string): string {
  return `#${createHash('sha256').update(text).digest('base64url')}`;
}

/** What API Gateway names as the source where a function is tried out in its console. */
const CONSOLE = 'test-invoke-source-ip';

/**
 * An IPv4 address as it is; of IPv6 the /64, since a client has all of it. A port behind it, as some load
 * balancers write it, is no part of the client. Throws `InvalidValue` for what is no single address: of a
 * list, such as X-Forwarded-For is one, nobody knows which part the client made up.
 */
export function addressBlock(written: string): string {
  const text = written.length <= LONGEST ? written.trim() : '';
  const address = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text;
  const bare = address.split('%')[0] ?? '';
  if (isIPv4(bare) || bare === CONSOLE) return bare;
  if (!isIPv6(bare)) throw new InvalidValue('address');
  const groups = groupsOf(bare);
  const [high = 0, low = 0] = groups.slice(6);
  // ::ffff:0:0/96 is IPv4, as a server sees it that listens on both.
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return `${groups.slice(0, 4).map((group) => group.toString(16)).join(':')}::/64`;
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  // An IPv4 address at the end stands for two groups.
  const text = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...parts: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number);
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
  const [head = '', tail] = text.split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const before = groups(head);
  const after = groups(tail ?? '');
  const zeros = new Array<number>(tail === undefined ? 0 : 8 - before.length - after.length).fill(0);
  return [...before, ...zeros, ...after];
}
