import { expect, test } from 'vitest';
import { isOnThisMachine, isPrivate, isPublicAddress } from './public_address.ts';

const PRIVATE = {
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fdff::1'],
  'link-local, cloud metadata': ['169.254.169.254', 'fe80::1', 'febf::1', 'fd00:ec2::254'],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.255'],
  unspecified: ['0.0.0.0', '0.1.2.3', '::'],
  'multicast, broadcast, reserved': [
    '224.0.0.1',
    '255.255.255.255',
    '240.0.0.1',
    'ff02::1',
    'fec0::1',
    '100::1',
    '5f00::1',
    '4000::1',
  ],
  'documentation, benchmarks': [
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '198.18.0.1',
    '2001:db8::1',
    '3fff::1',
    '2001:2::1',
  ],
  'IPv4-mapped': ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8'],
  'IPv4-compatible': ['::127.0.0.1', '::7f00:1', '::a9fe:a9fe'],
  'IPv4-translated': ['::ffff:0:127.0.0.1'],
  '6to4': ['2002:7f00:1::', '2002:a9fe:a9fe::1'],
  'NAT64, both prefixes': ['64:ff9b::7f00:1', '64:ff9b:1::7f00:1', '64:ff9b:1:ffff::a9fe:a9fe'],
  Teredo: ['2001::1', '2001:0:7f00:1::80ff:fffe'],
  ISATAP: ['2606:4700::5efe:7f00:1', '2606:4700::200:5efe:10.0.0.1', 'fe80::5efe:a00:1'],
  'not an address': ['', 'localhost', '1.2.3', '0x7f000001', '8.8.8.8/8', 'fe80::1%eth0', '::g'],
};

test.each(
  Object.entries(PRIVATE).flatMap(([kind, addresses]) => addresses.map((address) => [kind, address])),
)('%s: %j is not public', (_, address) => {
  expect(isPublicAddress(address!)).toBe(false);
});

test.each([
  '8.8.8.8',
  '93.184.216.34',
  '172.32.0.1',
  '100.128.0.1',
  '192.167.1.1',
  '2606:4700:4700::1111',
  '2a00:1450:4001::200e',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

const LOCAL = { onThisMachine: true, private: true };
const HOUSE = { onThisMachine: false, private: true };
const PUBLIC = { onThisMachine: false, private: false };

test.each([
  ['127.0.0.1', undefined, LOCAL],
  ['::1', undefined, LOCAL],
  ['localhost', 'http://localhost:8080', LOCAL],
  ['127.0.0.1', 'http://[::1]:8080', LOCAL],
  ['127.0.0.1', 'https://atelier.example', PUBLIC],
  ['0.0.0.0', 'https://atelier.example', PUBLIC],
  ['0.0.0.0', undefined, HOUSE],
  ['0.0.0.0', 'http://127.0.0.1:8080', HOUSE],
  ['192.168.1.5', undefined, HOUSE],
  ['127.0.0.1', 'http://studio.local', HOUSE],
  ['::', 'http://[fd00::5]', HOUSE],
  ['203.0.113.5', undefined, HOUSE],
  ['9.9.9.9', undefined, PUBLIC],
  ['127.0.0.1.example.org', undefined, PUBLIC],
])('HOST %s with PUBLIC_URL %s has the network location %j', (HOST, PUBLIC_URL, where) => {
  const settings = { HOST, PUBLIC_URL };
  expect({ onThisMachine: isOnThisMachine(settings), private: isPrivate(settings) }).toEqual(where);
});
