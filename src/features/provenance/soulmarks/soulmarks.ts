import type { KeyObject } from 'node:crypto';
import { SOULMARK_TYPE, type SoulmarkClaims } from '@atelier/imaging/provenance/soulmark/check_signature.ts';
import { packCodex } from '@atelier/imaging/provenance/soulmark/codex_text.ts';
import { CODEX_BYTES_MAX } from '@atelier/imaging/provenance/soulmark/limits.ts';
import type { ReadSoulmark } from '@atelier/imaging/provenance/soulmark/read_soulmark.ts';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import { createSigner } from '../../../core/keys/signer.ts';
import type { PixelControl, Pixels } from '../../../core/workers/types.ts';
import type { Receipts, Revocation } from '../../billing/receipts/types.ts';

interface SoulmarksDeps {
  /** Ed25519: the key of receipts. */
  readonly key: KeyObject;
  readonly receipts: Pick<Receipts, 'keys'>;
  readonly pixels: Pick<Pixels, 'run'>;
  readonly publicUrl: string;
  readonly clock?: () => Date;
}

/** Pixels are hashed in a process without secrets; the hash is signed here. */
export function createSoulmarks({
  key,
  receipts,
  pixels,
  publicUrl,
  clock = () => new Date(),
}: SoulmarksDeps): Soulmarks {
  const signer = createSigner(key);
  const { kid, x } = signer.publicKey;
  return {
    async make(bytes, codex, control) {
      const { packed, sha256: codexSha256 } = packChecked(codex);
      const { sha256: pixelsSha256 } = await pixels.run('hash_pixels', { bytes }, control);
      const claims: SoulmarkClaims = {
        iss: publicUrl,
        iat: Math.floor(clock().getTime() / 1000),
        codex_sha256: codexSha256,
        pixels_sha256: pixelsSha256,
      };
      const jws = signer.sign(SOULMARK_TYPE, claims, { jwk: { kty: 'OKP', crv: 'Ed25519', x } });
      return { jws, kid, packed, codexSha256, pixelsSha256 };
    },
    async read(bytes, control) {
      const reading = await pixels.run('read_soulmark', { bytes }, control);
      if (!reading) return undefined;
      const ours = reading.signer ? await receipts.keys() : [];
      const own = ours.find((known) => known.kid === reading.signer?.kid);
      const isDoubtful = own?.revoked && mayBeForged(own.revoked, reading.signer!.signedAtUnixS);
      return {
        ...reading,
        isOurs: own !== undefined,
        ...(isDoubtful && { revoked: own.revoked }),
      };
    },
  };
}

/**
 * A thief of the key can choose the date of a signature, and the owner signs nothing after revoking the
 * key.
 */
const mayBeForged = ({ at, reason }: Revocation, signedAtUnixS: number): boolean =>
  reason === 'compromised' || signedAtUnixS * 1000 >= at.getTime();

function packChecked(codex: object) {
  try {
    const packed = packCodex(codex);
    if (packed.sizeBytes <= CODEX_BYTES_MAX) return packed;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw invalidField(
      'metadata',
      `metadata has no canonical JSON form: ${error.message}. Correct it and send it again.`,
    );
  }
  throw invalidField(
    'metadata',
    `metadata has more than ${CODEX_BYTES_MAX} bytes as JSON. Send a shorter codex.`,
  );
}

/** Codices in images, signed together with the pixels. */
export interface Soulmarks {
  /**
   * Packs a codex and signs it with the pixels of an image.
   * @throws AtelierError of the pixel engine; invalid_input for a codex that is too large or has no canonical
   * form
   */
  make(bytes: Uint8Array, codex: object, control: PixelControl): Promise<Soulmark>;
  /**
   * Verifies the soulmark of an image; undefined without one.
   * @throws AtelierError of the pixel engine
   */
  read(bytes: Uint8Array, control: PixelControl): Promise<SoulmarkReading | undefined>;
}

export interface Soulmark {
  /** Compact JWS. */
  readonly jws: string;
  readonly kid: string;
  /** The codex as written into the file. */
  readonly packed: string;
  readonly codexSha256: string;
  readonly pixelsSha256: string;
}

export interface SoulmarkReading extends ReadSoulmark {
  /** Signed with a current or former key of this service. False for other signers and for invalid signatures. */
  readonly isOurs: boolean;
  /** The key was revoked, so anyone who had it may have made the signature. */
  readonly revoked?: Revocation;
}
