import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resolveByDns } from './reach.ts';

const A = 1;
/**
 * Name server: `both` has an IPv4 and an IPv6 address, `four` an IPv4 address, `silent…` gets no response, other names have no
 * address.
 */
const nameServer = createSocket('udp4');
nameServer.on('message', (question, { address, port }) => {
  const end = question.indexOf(0, 12) + 5;
  const name = question.subarray(13, 13 + question[12]!).toString();
  const type = question.readUInt16BE(end - 4);
  if (name.startsWith('silent')) return;
  const data = addressOf(name, type);
  const head = Buffer.from([question[0]!, question[1]!, 0x81, 0x80, 0, 1, 0, data ? 1 : 0, 0, 0, 0, 0]);
  const record = data ? [Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 1, 0, data.length]), data] : [];
  nameServer.send(Buffer.concat([head, question.subarray(12, end), ...record]), port, address);
});
const addressOf = (name: string, type: number): Buffer | undefined => {
  if (type === A) return name === 'none' ? undefined : Buffer.from([192, 0, 2, 7]);
  return name === 'both' ? Buffer.from('20010db8000000000000000000000007', 'hex') : undefined;
};

let servers: string[];
beforeAll(async () => {
  nameServer.bind(0, '127.0.0.1');
  await once(nameServer, 'listening');
  servers = [`127.0.0.1:${(nameServer.address() as AddressInfo).port}`];
});
afterAll(() => void nameServer.close());

test('both address families are returned, IPv4 first', async () => {
  const ipv4 = { address: '192.0.2.7', family: 4 };
  expect(await resolveByDns('both.test', { servers })).toEqual([ipv4, { address: '2001:db8::7', family: 6 }]);
  expect(await resolveByDns('four.test', { servers })).toEqual([ipv4]);
});

test('a name without addresses and a name without a response fail', async () => {
  await expect(resolveByDns('none.test', { servers })).rejects.toThrow('no IP address');
  await expect(resolveByDns('silent.test', { servers, timeoutMs: 50 })).rejects.toThrow('no IP address');
});

test('unanswered names do not delay other names', async () => {
  let failed = 0;
  const silent = Array.from({ length: 32 }, (_, number) =>
    resolveByDns(`silent${number}.test`, { servers }).catch(() => {
      failed += 1;
    }),
  );
  expect(await resolveByDns('four.test', { servers })).toHaveLength(1);
  expect(failed).toBe(0);
  await Promise.all(silent);
  expect(failed).toBe(32);
});
