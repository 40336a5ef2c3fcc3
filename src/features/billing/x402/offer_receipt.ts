import { didWebOf, type Signer } from '../../../core/keys/signer.ts';
import { X402_PAYMENT_LIFETIME_S } from './requirements.ts';
import type { OfferReceipts, PaidResource, Requirement, SignedArtifact } from './types.ts';

interface Options {
  /** The key that signs the receipts of this service. */
  readonly signer: Signer;
  /** Its DID document is below this address. */
  readonly publicUrl: string;
  readonly clock?: () => Date;
}

/**
 * The extension offer-and-receipt (v1.0) of x402, in JWS format. Members are in the order of RFC 8785, as the extension requires.
 * Within OFFER_STEP_S, equal terms share one signature, because signing costs more than the rest of a 402.
 */
export function createOfferReceipts({ signer, publicUrl, clock = () => new Date() }: Options): OfferReceipts {
  const header = { kid: `${didWebOf(publicUrl)}#${signer.publicKey.kid}` };
  const signed = new Map<string, string>();
  let step = 0;
  const sign = (type: string, payload: object): SignedArtifact => ({
    format: 'jws',
    signature: signer.sign(type, payload, header),
  });
  function offer(resourceUrl: string, terms: Requirement): string {
    const { amount, asset, network, payTo, scheme } = terms;
    const validUntil = (step + 1) * OFFER_STEP_S + X402_PAYMENT_LIFETIME_S;
    const payload = { amount, asset, network, payTo, resourceUrl, scheme, validUntil, version: VERSION };
    const name = JSON.stringify(payload);
    const known = signed.get(name);
    if (known !== undefined) return known;
    const { signature } = sign('x402-offer+jws', payload);
    if (signed.size < OFFERS_CACHED_MAX) signed.set(name, signature);
    return signature;
  }
  return {
    offers(resource, accepts) {
      const now = Math.floor(clock().getTime() / 1000 / OFFER_STEP_S);
      if (now !== step) signed.clear();
      step = now;
      const offers = accepts.map((terms, acceptIndex) => ({
        format: 'jws' as const,
        acceptIndex,
        signature: offer(resource, terms),
      }));
      return { [OFFER_RECEIPT]: { info: { offers }, schema: OFFERS_SCHEMA } };
    },
    receipt({ resource: resourceUrl, network, payer, at }: PaidResource) {
      const issuedAt = Math.floor(at.getTime() / 1000);
      const payload = { issuedAt, network, payer, resourceUrl, version: VERSION };
      const receipt = sign('x402-receipt+jws', payload);
      return { [OFFER_RECEIPT]: { info: { receipt }, schema: RECEIPT_SCHEMA } };
    },
  };
}

/** The name of the extension in the protocol. */
export const OFFER_RECEIPT = 'offer-receipt';
/** Version of the payloads. */
const VERSION = 1;

/** Schemas of `info`, kept short because they are part of a response header. */
const artifact = {
  type: 'object',
  properties: { format: { const: 'jws' }, signature: { type: 'string' } },
  required: ['format', 'signature'],
};
const OFFERS_SCHEMA = {
  type: 'object',
  properties: { offers: { type: 'array', items: artifact } },
  required: ['offers'],
};
const RECEIPT_SCHEMA = { type: 'object', properties: { receipt: artifact }, required: ['receipt'] };

/** Equal terms share one signature for this long. Signed offers are valid up to this much longer than a payment. */
const OFFER_STEP_S = 10;
/** Signatures in memory, of about 0.5 kB each. */
export const OFFERS_CACHED_MAX = 1_000;
