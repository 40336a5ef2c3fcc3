import fc from 'fast-check';
import { hashTypedData } from 'viem';
import { expect, test } from 'vitest';
import { TRANSFER_TYPES } from '../../../../tests/support/transfer_with_authorization.ts';
import { base64 } from '../../../pipeline/billing/payment_required.ts';
import { authorizationDigest } from './authorization_digest.ts';
import { tokenOf } from './networks.ts';
import { requirementOf } from './requirements.ts';
import { paymentId, readPayment } from './x402.ts';

/** Literal examples of the specification (transports-v1/http.md, transports-v2/http.md). */
const AUTHORIZATION = {
  from: '0x857b06519E91e3A54538791bDbb0E22373e36b66',
  to: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  value: '10000',
  validAfter: '1740672089',
  validBefore: '1740672154',
  nonce: '0xf3746613c2d920b5fdabc0856f2aeb2d4f88ee6037b8cc5d04a71a4462f13480',
};
const SIGNATURE =
  '0x2d6a7588d6acca505cbf0d9a4a227e0c52c6c34008c8e8986a1283259764173608a2ce6496642e377d6da8dbbf5836e9bd15092f9ecab05ded3d6293af148b571c';
const PAYMENT_V2 =
  'eyJ4NDAyVmVyc2lvbiI6MiwicmVzb3VyY2UiOnsidXJsIjoiaHR0cHM6Ly9hcGkuZXhhbXBsZS5jb20vcHJlbWl1bS1kYXRhIiwiZGVzY3JpcHRpb24iOiJBY2Nlc3MgdG8gcHJlbWl1bSBtYXJrZXQgZGF0YSIsIm1pbWVUeXBlIjoiYXBwbGljYXRpb24vanNvbiJ9LCJhY2NlcHRlZCI6eyJzY2hlbWUiOiJleGFjdCIsIm5ldHdvcmsiOiJlaXAxNTU6ODQ1MzIiLCJhbW91bnQiOiIxMDAwMCIsImFzc2V0IjoiMHgwMzZDYkQ1Mzg0MmM1NDI2NjM0ZTc5Mjk1NDFlQzIzMThmM2RDRjdlIiwicGF5VG8iOiIweDIwOTY5M0JjNmFmYzBDNTMyOGJBMzZGYUYwM0M1MTRFRjMxMjI4N0MiLCJtYXhUaW1lb3V0U2Vjb25kcyI6NjAsImV4dHJhIjp7Im5hbWUiOiJVU0RDIiwidmVyc2lvbiI6IjIifX0sInBheWxvYWQiOnsic2lnbmF0dXJlIjoiMHgyZDZhNzU4OGQ2YWNjYTUwNWNiZjBkOWE0YTIyN2UwYzUyYzZjMzQwMDhjOGU4OTg2YTEyODMyNTk3NjQxNzM2MDhhMmNlNjQ5NjY0MmUzNzdkNmRhOGRiYmY1ODM2ZTliZDE1MDkyZjllY2FiMDVkZWQzZDYyOTNhZjE0OGI1NzFjIiwiYXV0aG9yaXphdGlvbiI6eyJmcm9tIjoiMHg4NTdiMDY1MTlFOTFlM0E1NDUzODc5MWJEYmIwRTIyMzczZTM2YjY2IiwidG8iOiIweDIwOTY5M0JjNmFmYzBDNTMyOGJBMzZGYUYwM0M1MTRFRjMxMjI4N0MiLCJ2YWx1ZSI6IjEwMDAwIiwidmFsaWRBZnRlciI6IjE3NDA2NzIwODkiLCJ2YWxpZEJlZm9yZSI6IjE3NDA2NzIxNTQiLCJub25jZSI6IjB4ZjM3NDY2MTNjMmQ5MjBiNWZkYWJjMDg1NmYyYWViMmQ0Zjg4ZWU2MDM3YjhjYzVkMDRhNzFhNDQ2MmYxMzQ4MCJ9fX0=';
const PAYMENT_V1 =
  'eyJ4NDAyVmVyc2lvbiI6MSwic2NoZW1lIjoiZXhhY3QiLCJuZXR3b3JrIjoiYmFzZS1zZXBvbGlhIiwicGF5bG9hZCI6eyJzaWduYXR1cmUiOiIweDJkNmE3NTg4ZDZhY2NhNTA1Y2JmMGQ5YTRhMjI3ZTBjNTJjNmMzNDAwOGM4ZTg5ODZhMTI4MzI1OTc2NDE3MzYwOGEyY2U2NDk2NjQyZTM3N2Q2ZGE4ZGJiZjU4MzZlOWJkMTUwOTJmOWVjYWIwNWRlZDNkNjI5M2FmMTQ4YjU3MWMiLCJhdXRob3JpemF0aW9uIjp7ImZyb20iOiIweDg1N2IwNjUxOUU5MWUzQTU0NTM4NzkxYkRiYjBFMjIzNzNlMzZiNjYiLCJ0byI6IjB4MjA5NjkzQmM2YWZjMEM1MzI4YkEzNkZhRjAzQzUxNEVGMzEyMjg3QyIsInZhbHVlIjoiMTAwMDAiLCJ2YWxpZEFmdGVyIjoiMTc0MDY3MjA4OSIsInZhbGlkQmVmb3JlIjoiMTc0MDY3MjE1NCIsIm5vbmNlIjoiMHhmMzc0NjYxM2MyZDkyMGI1ZmRhYmMwODU2ZjJhZWIyZDRmODhlZTYwMzdiOGNjNWQwNGE3MWE0NDYyZjEzNDgwIn19fQ==';
const SETTLEMENT =
  'eyJzdWNjZXNzIjp0cnVlLCJ0cmFuc2FjdGlvbiI6IjB4MTIzNDU2Nzg5MGFiY2RlZjEyMzQ1Njc4OTBhYmNkZWYxMjM0NTY3ODkwYWJjZGVmMTIzNDU2Nzg5MGFiY2RlZiIsIm5ldHdvcmsiOiJlaXAxNTU6ODQ1MzIiLCJwYXllciI6IjB4ODU3YjA2NTE5RTkxZTNBNTQ1Mzg3OTFiRGJiMEUyMjM3M2UzNmI2NiJ9';

test('the PAYMENT-SIGNATURE example of the specification is parsed', () => {
  expect(readPayment(PAYMENT_V2)).toEqual({
    version: 2,
    scheme: 'exact',
    network: 'eip155:84532',
    accepted: {
      amount: '10000',
      asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
      payTo: AUTHORIZATION.to,
    },
    signature: SIGNATURE,
    authorization: AUTHORIZATION,
  });
});

test('the X-PAYMENT example of the specification is parsed', () => {
  expect(readPayment(PAYMENT_V1)).toEqual({
    version: 1,
    scheme: 'exact',
    network: 'base-sepolia',
    signature: SIGNATURE,
    authorization: AUTHORIZATION,
  });
});

test.each([
  ['without padding', PAYMENT_V1.replace(/=+$/, '')],
  ['in the URL alphabet', PAYMENT_V2.replaceAll('+', '-').replaceAll('/', '_')],
])('base64 %s is also accepted', (_what, text) => {
  expect(readPayment(text).authorization).toEqual(AUTHORIZATION);
});

test('a settlement is encoded as in the specification', () => {
  const settlement = {
    success: true,
    transaction: '0x1234567890abcdef1234567890abcdef1234567890abcdef1234567890abcdef',
    network: 'eip155:84532',
    payer: AUTHORIZATION.from,
  };
  expect(base64(settlement)).toBe(SETTLEMENT);
});

test.each([
  [1, 6, '100000'],
  [15, 6, '1500000'],
  [3, 18, '300000000000000000'],
  [1, 1, '1'],
])('%i credits of a token with %i decimals are an amount of %s', (credits, decimals, amount) => {
  const settings = { payTo: AUTHORIZATION.to, facilitatorUrl: 'http://f', tokens: [] };
  const token = { ...tokenOf('eip155:8453'), decimals };
  expect(requirementOf(settings, token, credits).amount).toBe(amount);
});

test('a token can be configured explicitly', () => {
  const asset = `0x${'Ab'.repeat(20)}`;
  expect(tokenOf(`eip155:10/erc20:${asset}/18/Some Dollar/1`)).toEqual({
    network: 'eip155:10',
    asset,
    decimals: 18,
    name: 'Some Dollar',
    version: '1',
  });
});

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((raw) => `0x${Buffer.from(raw).toString('hex')}`);
const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });

test('the typed-data hash matches that of viem', () => {
  const anything = fc.record({
    from: hex(20),
    to: hex(20),
    asset: hex(20),
    value: uint256,
    validAfter: uint256,
    validBefore: uint256,
    nonce: hex(32),
    name: fc.string({ unit: 'binary', maxLength: 40 }),
    chainId: fc.integer({ min: 1, max: 1e9 }),
  });
  fc.assert(
    fc.property(anything, ({ asset, name, chainId, ...message }) => {
      const token = { network: `eip155:${chainId}`, asset, decimals: 6, name, version: '2' };
      const { value, validAfter, validBefore, ...rest } = message;
      const sent = { ...rest, value: `${value}`, validAfter: `${validAfter}`, validBefore: `${validBefore}` };
      const expected = hashTypedData({
        domain: { name, version: '2', chainId, verifyingContract: asset as `0x${string}` },
        types: TRANSFER_TYPES,
        primaryType: 'TransferWithAuthorization',
        message: message as never,
      });
      expect(`0x${Buffer.from(authorizationDigest(token, sent)).toString('hex')}`).toBe(expected);
    }),
    { numRuns: 200 },
  );
});

test('the payment ID ignores letter case and differs for another token', () => {
  const id = paymentId('eip155:8453', '0xAB', AUTHORIZATION);
  const shouted = {
    ...AUTHORIZATION,
    from: AUTHORIZATION.from.toUpperCase(),
    nonce: AUTHORIZATION.nonce.toUpperCase(),
  };
  expect(paymentId('eip155:8453', '0xab', shouted)).toBe(id);
  expect(paymentId('eip155:137', '0xab', AUTHORIZATION)).not.toBe(id);
});
