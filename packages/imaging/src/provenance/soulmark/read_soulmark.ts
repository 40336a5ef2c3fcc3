import { readMetadata } from '../../metadata/read_metadata.ts';
import { checkSignature } from './check_signature.ts';
import { unpackCodex } from './codex_text.ts';
import { hashPixels } from './hash_pixels.ts';

export interface ReadSoulmark {
  /** Signed by the holder of the key `kid`. `signedAtUnixS` is the signer's own statement. Absent: the signature is invalid. */
  readonly signer?: { readonly kid: string; readonly issuer: string; readonly signedAtUnixS: number };
  /** The codex that the file carries; absent where it cannot be read. */
  readonly codex?: Readonly<Record<string, unknown>>;
  /** How the codex compares with what was signed; `unknown` where no signature holds. */
  readonly codexIs: Agreement;
  readonly pixelsAre: Agreement;
}

export type Agreement = 'agree' | 'changed' | 'unknown';

/**
 * What the soulmark in a picture proves: who signed, whether the codex is the one that was signed, and whether the pixels
 * are. Nothing for a picture without one; its pixels are decoded only where there is a signature to compare them with.
 * @throws EngineError as `hashPixels` does
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
