import assert from 'node:assert/strict';
import { test } from 'node:test';

import { addressBlock, clientKey, InvalidValue } from '../src/client.js';

test('the verified subject is the client; who has none, the source address', () => {
  const caller = { subject: 'auth0|64f1', address: '192.0.2.1' };
  assert.equal(clientKey('subject', caller), 's:auth0|64f1');
  assert.equal(clientKey('subject', { address: '192.0.2.1' }), 'a:192.0.2.1');
  assert.equal(clientKey('address', caller), 'a:192.0.2.1');
  assert.equal(clientKey('subject', {}), 'unknown');
});

test('no subject looks like another, like an address, or like a part of a key', () => {
  const subjects = ['a#b', 'a:b', '192.0.2.1', 'a\u0000', 'ä', 'x'.repeat(129), 'x'.repeat(9_999), '#'];
  const keys = new Set(subjects.map((subject) => clientKey('subject', { subject })));
  assert.equal(keys.size, subjects.length);
  for (const key of keys) assert.match(key, /^s:#?[A-Za-z0-9._@|-]{1,128}$/);
});

test('a client of IPv6 has a whole /64', () => {
  for (const [address, block] of [
    ['2001:db8:7::1', '2001:db8:7:0::/64'],
    ['2001:0DB8:0007:0000:ffff::2', '2001:db8:7:0::/64'],
    ['2001:db8:7:1::', '2001:db8:7:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['2001:db8::192.0.2.1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:c000:0201', '192.0.2.1'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['192.0.2.1', '192.0.2.1'],
  ] as const) {
    assert.equal(addressBlock(address), block);
  }
});

test('a port is no part of a client, and a list is no address', () => {
  for (const address of ['192.0.2.1:55', '192.0.2.1:65535', ' 192.0.2.1 ', '[::ffff:192.0.2.1]:443'])
    assert.equal(addressBlock(address), '192.0.2.1', address);
  for (const address of ['[2001:db8:7::1]:443', '[2001:db8:7::2]', '2001:db8:7::3'])
    assert.equal(addressBlock(address), '2001:db8:7:0::/64', address);
  assert.equal(addressBlock('test-invoke-source-ip'), 'test-invoke-source-ip', 'the console of API Gateway');
  for (const address of [
    '192.0.2.1, 198.51.100.1', '192.0.2.1,198.51.100.1', '192.0.2.1 198.51.100.1', 'unknown', 'no address', '01.2.3.4', '192.0.2',
    '192.0.2.1:', '192.0.2.1:x', '192.0.2.1:999999', '[192.0.2.1', '2001:db8::g', '[]', '%', '1'.repeat(1e6), 'a#b',
  ])
    assert.throws(() => addressBlock(address), InvalidValue, address.slice(0, 40));
});

/** What JSON may hold in place of a text. */
const NO_TEXTS: unknown[] = [null, 0, 5, false, true, [], [[['x']]], ['192.0.2.1'], {}, { toString: 0 }, { toString: null, valueOf: null }];

test('what is no text is no value', () => {
  for (const given of NO_TEXTS) {
    const hostile = given as string;
    assert.throws(() => clientKey('subject', { subject: hostile, address: '192.0.2.1' }), InvalidValue);
    assert.throws(() => clientKey('address', { address: hostile }), InvalidValue);
  }
  assert.equal(clientKey('subject', { subject: '', address: '' }), 'unknown');
});
