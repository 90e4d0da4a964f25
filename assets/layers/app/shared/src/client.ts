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

/** One text a client: bounded, and of letters that no store reads anything into. */
export function clientKey(by: 'subject' | 'address', caller: Caller): string {
  if (by === 'subject' && caller.subject) return `s:${harmless(caller.subject)}`;
  // Nobody knows who it is: all of them are one client, so that leaving both out wins nothing.
  return caller.address ? `a:${addressBlock(caller.address)}` : 'unknown';
}

/** The text itself where it is short and plain, else a digest of it: two never become one. */
export function harmless(text: string): string {
  if (text.length <= LONGEST && /^[A-Za-z0-9._@|-]+$/.test(text)) return text;
  return `#${createHash('sha256').update(text).digest('base64url')}`;
}

/** An IPv4 address as it is; of IPv6 the /64, since a client has all of it. */
export function addressBlock(address: string): string {
  const bare = address.split('%')[0] ?? '';
  if (isIPv4(bare)) return bare;
  if (!isIPv6(bare)) return harmless(address);
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1];
  if (mapped) return mapped;
  // An IPv4 address at the end stands for two groups; which ones does not matter to the first four.
  const [head = '', tail] = bare.replace(/\d+\.\d+\.\d+\.\d+$/, '0:0').split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const before = groups(head);
  const after = groups(tail ?? '');
  const zeros = new Array<string>(tail === undefined ? 0 : 8 - before.length - after.length).fill('0');
  const first = [...before, ...zeros, ...after].slice(0, 4);
  return `${first.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
