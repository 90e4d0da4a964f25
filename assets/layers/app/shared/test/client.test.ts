import assert from 'node:assert/strict';
import { test } from 'node:test';

import { addressBlock, clientKey } from '../src/client.js';

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
    ['192.0.2.1', '192.0.2.1'],
  ] as const) {
    assert.equal(addressBlock(address), block);
  }
  assert.match(addressBlock('no address'), /^#/);
});
