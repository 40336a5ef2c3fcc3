import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { addressOf, callerOf, requestId } from './caller.ts';

const from = (remoteAddress: string) => ({ socket: { remoteAddress } }) as IncomingMessage;
const request = (headers: Record<string, string> = {}) => new Request('http://atelier.test/', { headers });
const forwarded = (...hops: string[]) => request({ 'X-Forwarded-For': hops.join(', ') });

test('X-Forwarded-For from an untrusted peer is ignored', () => {
  expect(addressOf(from('203.0.113.5'), forwarded('1.1.1.1'), ['10.0.0.0/8'])).toBe('203.0.113.5');
});

test('behind a trusted proxy, the rightmost untrusted hop is the client', () => {
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
])('%j appended by a trusted proxy resolves to client address %s', (added, address) => {
  expect(addressOf(from('10.0.0.2'), forwarded('6.6.6.6', added), ['10.0.0.0/8'])).toBe(address);
});

test('a trusted proxy can have an IPv6 address', () => {
  expect(addressOf(from('fd00::5'), forwarded('203.0.113.5'), ['fd00::5'])).toBe('203.0.113.5');
});

test('the Forwarded header is ignored', () => {
  expect(addressOf(from('10.0.0.2'), request({ Forwarded: 'for=6.6.6.6' }), ['10.0.0.2'])).toBe('10.0.0.2');
});

test('an invalid X-Forwarded-For falls back to the peer address', () => {
  expect(addressOf(from('10.0.0.2'), forwarded('<script>', ''), ['10.0.0.2'])).toBe('10.0.0.2');
});

test('an IPv4-mapped IPv6 address equals its IPv4 address', () => {
  expect(addressOf(from('::ffff:203.0.113.5'), request(), [])).toBe('203.0.113.5');
});

test.each([
  ['Bearer 0xabc', '0xabc'],
  ['bearer   0xabc ', '0xabc'],
  ['0xabc', '0xabc'],
  ['Basic dXNlcg==', 'Basic dXNlcg=='],
])('Authorization %j yields the token %j', (Authorization, token) => {
  expect(callerOf(request({ Authorization }), '', '').bearer).toBe(token);
});

test('a valid request id is kept and an invalid one is replaced', () => {
  expect(requestId(request({ 'X-Request-Id': 'abc-1' }))).toBe('abc-1');
  expect(requestId(request({ 'X-Request-Id': 'x'.repeat(129) }))).toMatch(/^req_[0-9a-f]{24}$/);
});

test('all addresses in one IPv6 /64 count as one client', () => {
  const [one, other] = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9'].map((peer) =>
    addressOf(from(peer), request(), []),
  );
  expect(one).toBe(other);
  expect(addressOf(from('2001:db8:1:3::1'), request(), [])).not.toBe(one);
});
