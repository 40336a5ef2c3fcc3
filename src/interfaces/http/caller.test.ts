import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { addressOf, callerOf, requestId } from './caller.ts';

const from = (remoteAddress: string) => ({ socket: { remoteAddress } }) as IncomingMessage;
const request = (headers: Record<string, string> = {}) => new Request('http://atelier.test/', { headers });
const forwarded = (...hops: string[]) => request({ 'X-Forwarded-For': hops.join(', ') });

test('X-Forwarded-For is not believed from just anybody', () => {
  expect(addressOf(from('203.0.113.5'), forwarded('1.1.1.1'), ['10.0.0.0/8'])).toBe('203.0.113.5');
});

test('behind a trusted proxy the rightmost untrusted hop is the caller', () => {
  expect(addressOf(from('10.0.0.2'), forwarded('6.6.6.6', '203.0.113.5', '10.0.0.1'), ['10.0.0.0/8'])).toBe(
    '203.0.113.5',
  );
});

test.each([
  ['203.0.113.8:51234', '203.0.113.8'],
  ['[2001:db8:1:2:3::4]:443', '2001:db8:1:2::'],
  ['[2001:db8:1:2:3::4]', '2001:db8:1:2::'],
  ['2001:db8:1:2:3::4', '2001:db8:1:2::'],
  ['::ffff:203.0.113.8', '203.0.113.8'],
  ['10.0.0.1:443', '6.6.6.6'],
  ['203.0.113.8:', '10.0.0.2'],
  ['unknown', '10.0.0.2'],
  ['_hidden', '10.0.0.2'],
  ['', '10.0.0.2'],
  [' , ', '10.0.0.2'],
  ['3405803784', '10.0.0.2'],
  ['0xcb.0.113.8', '10.0.0.2'],
  ['203.0.113.8:99999999', '10.0.0.2'],
  ['[203.0.113.8', '10.0.0.2'],
  ['for=203.0.113.8', '10.0.0.2'],
])('what a proxy adds as %j behind the words of the caller counts as %s', (added, address) => {
  expect(addressOf(from('10.0.0.2'), forwarded('6.6.6.6', added), ['10.0.0.0/8'])).toBe(address);
});

test('a trusted proxy may have an IPv6 address of its own', () => {
  expect(addressOf(from('fd00::5'), forwarded('203.0.113.5'), ['fd00::5'])).toBe('203.0.113.5');
});

test('Forwarded is not believed', () => {
  expect(addressOf(from('10.0.0.2'), request({ Forwarded: 'for=6.6.6.6' }), ['10.0.0.2'])).toBe('10.0.0.2');
});

test('nonsense in the header falls back to the peer', () => {
  expect(addressOf(from('10.0.0.2'), forwarded('<script>', ''), ['10.0.0.2'])).toBe('10.0.0.2');
});

test('IPv4 inside IPv6 is the same machine', () => {
  expect(addressOf(from('::ffff:203.0.113.5'), request(), [])).toBe('203.0.113.5');
});

test.each([
  ['Bearer 0xabc', '0xabc'],
  ['bearer   0xabc ', '0xabc'],
  ['0xabc', '0xabc'],
  ['Basic dXNlcg==', 'Basic dXNlcg=='],
])('Authorization %j is the token %j', (Authorization, token) => {
  expect(callerOf(request({ Authorization }), '', '').bearer).toBe(token);
});

test('a request id is kept when harmless and replaced when not', () => {
  expect(requestId(request({ 'X-Request-Id': 'abc-1' }))).toBe('abc-1');
  expect(requestId(request({ 'X-Request-Id': 'x'.repeat(129) }))).toMatch(/^req_[0-9a-f]{24}$/);
});

test('all addresses of one IPv6 customer are one caller', () => {
  const [one, other] = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9'].map((peer) =>
    addressOf(from(peer), request(), []),
  );
  expect(one).toBe(other);
  expect(addressOf(from('2001:db8:1:3::1'), request(), [])).not.toBe(one);
});
