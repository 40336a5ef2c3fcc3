import { readMetadata } from '../../metadata/read_metadata.ts';
import { checkSignature } from './check_signature.ts';
import { unpackCodex } from './codex_text.ts';
import { hashPixels } from './hash_pixels.ts';

export interface ReadSoulmark {
  /** Holder of the key `kid`. `signedAtUnixS` is the signer's own statement. Undefined: the signature is invalid. */
  readonly signer?: { readonly kid: string; readonly issuer: string; readonly signedAtUnixS: number };
  /** The codex in the file; undefined if unreadable. */
  readonly codex?: Readonly<Record<string, unknown>>;
  /** Whether the codex matches the signed one; `unknown` without a valid signature. */
  readonly codexIs: Agreement;
  readonly pixelsAre: Agreement;
}

export type Agreement = 'agree' | 'changed' | 'unknown';

/**
 * Verifies the soulmark of an image: the signer, and whether the codex and the pixels are those that were signed. Undefined without a soulmark;
 * pixels are decoded only for a valid signature.
 * @throws EngineError like `hashPixels`
 */
export async function readSoulmark({ bytes }: { bytes: Uint8Array }): Promise<ReadSoulmark | undefined> {
  const { 'atelier:Soulmark': jws, 'atelier:Codex': packed } = readMetadata(bytes).xmp;
  if (jws === undefined && packed === undefined) return undefined;
  const unpacked = typeof packed === 'string' ? unpackCodex(packed) : undefined;
  const checked = typeof jws === 'string' ? checkSignature(jws) : undefined;
  const codex = unpacked && { codex: unpacked.codex };
  if (!checked) return { ...codex, codexIs: 'unknown', pixelsAre: 'unknown' };
  const { claims, kid } = checked;
  const { sha256 } = await hashPixels({ bytes });
  return {
    ...codex,
    signer: { kid, issuer: claims.iss, signedAtUnixS: claims.iat },
    codexIs: compareHashes(claims.codex_sha256, unpacked?.sha256),
    pixelsAre: compareHashes(claims.pixels_sha256, sha256),
  };
}

const compareHashes = (signed: string, found: string | undefined): Agreement =>
  signed === found ? 'agree' : 'changed';
