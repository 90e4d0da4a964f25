import { addressBlock, digest, InvalidValue, textOf } from './client.js';
import type { Part, Scenario } from './types.js';

/**
 * Whom a request is of. `user` comes from a verified token and `ip` from the connection; `device` may be
 * what the client says: a limit by device alone stops nobody who makes up a new one each time.
 */
export type Asked = { [part in Part]?: string | undefined };

/** What a value may be: nothing that ends a part of a key, and no brace that would move it in a cluster. */
const ALLOWED = /^[A-Za-z0-9._:@|+=/-]{1,128}$/;

function value(part: Part, asked: Asked): string {
  const given = textOf(part, asked?.[part]);
  // Who leaves it out is one with all others who do: nothing is won by that.
  if (given === undefined) return '-';
  if (part === 'ip') return addressBlock(given);
  // `-` is nobody's.
  if (ALLOWED.test(given) && given !== '-') return given;
  // A name that was verified is somebody's, whatever is in it: a digest stands for it.
  if (part === 'user') return digest(given);
  throw new InvalidValue(part);
}

/** The tag in braces puts all keys of a scenario into one slot of a cluster, as a script needs them. */
const tagged = (prefix: string, name: string) => `${prefix}:{${name}}`;

/** One key a dimension, and that of the accounts of a device. */
export function keysOf(
  prefix: string,
  scenario: Scenario,
  asked: Asked,
): { keys: string[]; account: string } {
  const tag = tagged(prefix, scenario.name);
  const keys = scenario.dimensions.map(({ by, windowSeconds }) => {
    const parts = by.map((part) => `${part}=${value(part, asked)}`);
    return `${tag}:${windowSeconds}:${parts.join('#')}`;
  });
  if (scenario.accountsPerDevice) keys.push(`${tag}:accounts:${value('device', asked)}`);
  return { keys, account: value('user', asked) };
}

export const totalKey = (prefix: string) => `${tagged(prefix, '@total')}:bucket`;
