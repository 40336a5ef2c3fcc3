import { expect, test } from 'vitest';
import { shownValue } from './config.ts';

test.each([
  ['SIGNING_SECRET', 's'.repeat(32), '(hidden)'],
  ['DATABASE_URL', 'postgres://me:secret@db/x?sslpassword=secret', 'postgres://me@db/x'],
  ['EVM_RPC_URL', 'https://mainnet.example/v3/secret', 'https://mainnet.example/(hidden)'],
  ['EVM_RPC_URL', 'http://127.0.0.1:8545', 'http://127.0.0.1:8545'],
  ['MODEL_MIRROR', 'https://me:secret@mirror.example/models', 'https://(hidden)@mirror.example/models'],
  ['PUBLIC_URL', 'https://atelier.example', 'https://atelier.example'],
])('%s with value %s is displayed as %s', (name, value, shown) => {
  expect(shownValue(name, value)).toBe(shown);
});
