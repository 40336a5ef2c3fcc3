import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { signNotification } from './service.ts';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const now = () => Math.floor(Date.now() / 1000);
const body = '{"type":"cafe.posted","data":{"name":"Ünïcode ✓"}}';

function headersOf(secrets: string[], timestamp = now()) {
  const signature = signNotification(secrets, { id: 'msg_1', timestamp, body });
  return { 'webhook-id': 'msg_1', 'webhook-timestamp': String(timestamp), 'webhook-signature': signature };
}

test('the official library accepts the signature with either of two secrets', () => {
  const secrets = [newSecret(), newSecret()];
  for (const secret of secrets)
    expect(new Webhook(secret).verify(body, headersOf(secrets))).toMatchObject({ type: 'cafe.posted' });
});

test('the official library rejects another secret, body or timestamp', () => {
  const secret = newSecret();
  expect(() => new Webhook(newSecret()).verify(body, headersOf([secret]))).toThrow();
  expect(() => new Webhook(secret).verify(`${body} `, headersOf([secret]))).toThrow();
  expect(() => new Webhook(secret).verify(body, headersOf([secret], now() - 3600))).toThrow();
  const moved = { ...headersOf([secret]), 'webhook-timestamp': String(now() + 1) };
  expect(() => new Webhook(secret).verify(body, moved)).toThrow();
});
