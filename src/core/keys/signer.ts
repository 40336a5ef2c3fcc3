import { createPublicKey, type KeyObject, sign } from 'node:crypto';
import { thumbprint } from '@atelier/imaging/provenance/soulmark/check_signature.ts';

/** Signs claims as compact JWS (RFC 7515) with Ed25519 (RFC 8037). */
export interface Signer {
  readonly publicKey: PublicKey;
  /** `type` is the `typ` of the header; `header` its other fields. */
  sign(type: string, claims: object, header?: object): string;
}

export function createSigner(key: KeyObject): Signer {
  const { x } = createPublicKey(key).export({ format: 'jwk' }) as { x: string };
  const publicKey = { kid: thumbprint(x), x };
  return {
    publicKey,
    sign(type, claims, header = {}) {
      const signed = `${encodePart({ alg: 'EdDSA', typ: type, kid: publicKey.kid, ...header })}.${encodePart(claims)}`;
      return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
    },
  };
}

const encodePart = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** JWK of an Ed25519 public key. */
export interface PublicKey {
  readonly kid: string;
  readonly x: string;
}
