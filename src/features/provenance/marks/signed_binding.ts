import { createHash } from 'node:crypto';
import { checkJws } from '@atelier/imaging/provenance/soulmark/check_signature.ts';
import type { Likeness } from '@atelier/imaging/watermark/likeness.ts';
import type { Signer } from '../../../core/keys/signer.ts';
import type { NewBinding } from './types.ts';

const TYPE = 'mark+jwt';

/** What is signed of a mark, as claims of its JWS; beside these what was measured when it was made. */
interface BindingClaims {
  readonly iss: string;
  /** Unix seconds. */
  readonly iat: number;
  /** The registry id of the mark. */
  readonly jti: string;
  /** The wallet that proved itself and signs. */
  readonly sub?: string;
  readonly payload_sha256: string;
  readonly pixels_sha256: string;
  readonly likeness_sha256: string;
}

interface Statement {
  readonly id: string;
  readonly binding: NewBinding;
  readonly publicUrl: string;
  readonly at: Date;
}

/** @returns compact JWS, with the public key in its header */
export function signBinding(signer: Signer, { id, binding, publicUrl, at }: Statement): string {
  const claims: BindingClaims = {
    iss: publicUrl,
    iat: Math.floor(at.getTime() / 1000),
    jti: id,
    ...(binding.signer !== undefined && { sub: binding.signer }),
    payload_sha256: sha256(binding.payload),
    pixels_sha256: binding.pixelsSha256,
    likeness_sha256: digestLikeness(binding.likeness),
  };
  const { x } = signer.publicKey;
  return signer.sign(
    TYPE,
    { ...claims, measured: binding.measured },
    { jwk: { kty: 'OKP', crv: 'Ed25519', x } },
  );
}

/** The claims of a statement one of the known keys has signed; nothing for what does not hold. */
export function openBinding(jws: string, known: readonly string[]): BindingClaims | undefined {
  const checked = checkJws(jws, TYPE);
  return checked && known.includes(checked.kid) ? (checked.claims as BindingClaims) : undefined;
}

export const sha256 = (of: string | Uint8Array): string => createHash('sha256').update(of).digest('hex');

/** sha256 of "<columns>x<rows>", a line feed, and both rows of bits. */
export const digestLikeness = ({ columns, rows, brighter, clear }: Likeness): string =>
  createHash('sha256').update(`${columns}x${rows}\n`).update(brighter).update(clear).digest('hex');
