import { expect, test } from 'vitest';
import { addressPrefixes } from './rate_limits.ts';

test('an IPv6 address has the prefixes /64, /56 and /48', () => {
  expect(addressPrefixes('2001:DB8:12:34ff:5:6:7:8')).toEqual([
    '2001:db8:12:34ff:5:6:7:8',
    '2001:db8:12:34ff::/64',
    '2001:db8:12:3400::/56',
    '2001:db8:12::/48',
  ]);
});

test.each([
  ['203.0.113.5', '203.0.113.5'],
  ['::ffff:203.0.113.5', '203.0.113.5'],
  ['::ffff:cb00:7105', '203.0.113.5'],
  ['127.0.0.1', '127.0.0.1'],
  ['::1', '::1'],
  ['', ''],
  ['unknown', 'unknown'],
])('%j has no prefixes and counts as %j', (address, counted) => {
  expect(addressPrefixes(address)).toEqual([counted]);
});

test('addresses in one /64 have the same prefixes, however they are written', () => {
  const [, ...networks] = addressPrefixes('2001:db8::1');
  expect(addressPrefixes('2001:0db8:0000:0000:ffff::').slice(1)).toEqual(networks);
});

test('the zone of a link-local address is ignored', () => {
  expect(addressPrefixes('fe80::1%eth0')).toEqual(addressPrefixes('fe80::1'));
});
