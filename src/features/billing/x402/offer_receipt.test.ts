import { generateKeyPairSync } from 'node:crypto';
import {
  canonicalize,
  extractJWSHeader,
  findAcceptsObjectFromSignedOffer,
  type JWSSignedOffer,
  verifyOfferSignatureJWS,
  verifyReceiptMatchesOffer,
  verifyReceiptSignatureJWS,
} from '@x402/extensions/offer-receipt';
import { expect, test } from 'vitest';
import { createSigner } from '../../../core/keys/signer.ts';
import { createOfferReceipts, OFFER_RECEIPT, OFFERS_CACHED_MAX } from './offer_receipt.ts';
import type { Requirement } from './types.ts';

/** Judged by the package of the protocol. */

const START_S = 1_795_000_005;
const RESOURCE = 'https://atelier.test/api/tools/save_asset';
const TERMS: Requirement = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '100000',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  maxTimeoutSeconds: 300,
  extra: { name: 'USDC', version: '2' },
};
const PAYER = `0x${'a1'.repeat(20)}`;

function given(publicUrl = 'https://atelier.test') {
  const time = { s: START_S };
  const { privateKey } = generateKeyPairSync('ed25519');
  const signer = createSigner(privateKey);
  const counted = { signatures: 0 };
  const sign: typeof signer.sign = (...signed) => {
    counted.signatures += 1;
    return signer.sign(...signed);
  };
  const service = createOfferReceipts({
    signer: { ...signer, sign },
    publicUrl,
    clock: () => new Date(time.s * 1000),
  });
  const offersOf = (accepts: Requirement[]): JWSSignedOffer[] =>
    service.offers(RESOURCE, accepts)[OFFER_RECEIPT]!.info.offers;
  const receiptAt = (s: number) =>
    service.receipt({ resource: RESOURCE, network: TERMS.network, payer: PAYER, at: new Date(s * 1000) })[
      OFFER_RECEIPT
    ]!.info.receipt;
  return {
    time,
    counted,
    offersOf,
    receiptAt,
    jwk: { kty: 'OKP', crv: 'Ed25519', x: signer.publicKey.x },
    signer,
  };
}

test('each accepts entry has an offer with its terms, valid longer than a payment', async () => {
  const { offersOf, jwk } = given();
  const accepts = [TERMS, { ...TERMS, network: 'eip155:84532', amount: '200000' }];
  const payloads = await Promise.all(offersOf(accepts).map((offer) => verifyOfferSignatureJWS(offer, jwk)));
  expect(payloads).toMatchObject(
    accepts.map(({ scheme, network, amount, asset, payTo }) => ({
      version: 1,
      resourceUrl: RESOURCE,
      scheme,
      network,
      amount,
      asset,
      payTo,
    })),
  );
  expect(payloads[0]!.validUntil).toBeGreaterThanOrEqual(START_S + 300);
  expect(payloads[0]!.validUntil).toBeLessThanOrEqual(START_S + 310);
});

test('the x402 package matches an offer to its terms and a receipt to its offer', async () => {
  const { offersOf, receiptAt, jwk } = given();
  const accepts = [TERMS, { ...TERMS, scheme: 'auth-capture' as const }];
  const [first, second] = offersOf(accepts);
  const receipt = receiptAt(Math.floor(Date.now() / 1000));
  const offer = {
    ...(await verifyOfferSignatureJWS(first!, jwk)),
    signedOffer: first!,
    format: 'jws' as const,
  };
  expect(findAcceptsObjectFromSignedOffer(second!, accepts as never)).toEqual(accepts[1]);
  expect(verifyReceiptMatchesOffer(receipt, offer, [PAYER])).toBe(true);
});

test('a receipt names payer, network and resource, but neither amount nor transaction', async () => {
  const { receiptAt, jwk } = given();
  expect(await verifyReceiptSignatureJWS(receiptAt(START_S), jwk)).toEqual({
    version: 1,
    network: TERMS.network,
    resourceUrl: RESOURCE,
    payer: PAYER,
    issuedAt: START_S,
  });
  expect(receiptAt(START_S)).toEqual(receiptAt(START_S));
});

test('payloads are canonical JSON (RFC 8785)', () => {
  const { offersOf, receiptAt } = given();
  for (const { signature } of [...offersOf([TERMS]), receiptAt(START_S)]) {
    const payload = Buffer.from(signature.split('.')[1]!, 'base64url').toString();
    expect(payload).toBe(canonicalize(JSON.parse(payload)));
  }
});

test.each([
  ['https://atelier.test', 'did:web:atelier.test'],
  ['https://atelier.test:8443', 'did:web:atelier.test%3A8443'],
  ['https://example.test/art/atelier', 'did:web:example.test:art:atelier:.well-known'],
])('the signing key of a service at %s belongs to %s', (publicUrl, did) => {
  const { offersOf, signer } = given(publicUrl);
  expect(extractJWSHeader(offersOf([TERMS])[0]!.signature)).toEqual({
    alg: 'EdDSA',
    typ: 'x402-offer+jws',
    kid: `${did}#${signer.publicKey.kid}`,
  });
});

test.each([
  ['another amount', (payload: object) => ({ ...payload, amount: '1' })],
  ['another payTo', (payload: object) => ({ ...payload, payTo: PAYER })],
  ['another resource', (payload: object) => ({ ...payload, resourceUrl: 'https://evil.test' })],
  ['a later end', (payload: object) => ({ ...payload, validUntil: START_S * 2 })],
])('an offer altered to %s fails verification', async (_what, change) => {
  const { offersOf, jwk } = given();
  const [head, payload, signature] = offersOf([TERMS])[0]!.signature.split('.');
  const changed = change(JSON.parse(Buffer.from(payload!, 'base64url').toString()));
  const forged = [head, Buffer.from(JSON.stringify(changed)).toString('base64url'), signature].join('.');
  await expect(verifyOfferSignatureJWS({ format: 'jws', signature: forged }, jwk)).rejects.toThrow(
    /signature/,
  );
});

test('identical terms are signed once per interval and then again', () => {
  const { offersOf, counted, time } = given();
  const first = offersOf([TERMS]);
  time.s = START_S + 4;
  expect(offersOf([TERMS])).toEqual(first);
  expect(counted.signatures).toBe(1);
  time.s = START_S + 5;
  expect(offersOf([TERMS])).not.toEqual(first);
});

test('each of more terms than the cache holds gets its own valid offer', async () => {
  const { offersOf, counted, jwk } = given();
  const many = Array.from({ length: OFFERS_CACHED_MAX + 5 }, (_, at) => ({
    ...TERMS,
    amount: String(at + 1),
  }));
  offersOf(many);
  const [last] = offersOf(many.slice(-1));
  expect(await verifyOfferSignatureJWS(last!, jwk)).toHaveProperty('amount', String(OFFERS_CACHED_MAX + 5));
  expect(counted.signatures).toBe(OFFERS_CACHED_MAX + 6);
});
