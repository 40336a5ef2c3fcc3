import type { KeyObject } from 'node:crypto';
import { SOULMARK_TYPE, type SoulmarkClaims } from '@atelier/imaging/provenance/soulmark/check_signature.ts';
import { packCodex } from '@atelier/imaging/provenance/soulmark/codex_text.ts';
import { CODEX_BYTES_MAX } from '@atelier/imaging/provenance/soulmark/limits.ts';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import { createSigner } from '../../../core/keys/signer.ts';
import type { Pixels } from '../../../core/workers/types.ts';
import type { Receipts, Revocation } from '../../billing/receipts/types.ts';
import type { Soulmarks } from './types.ts';

interface SoulmarksDeps {
  /** Ed25519: the key of receipts. */
  readonly key: KeyObject;
  readonly receipts: Pick<Receipts, 'keys'>;
  readonly pixels: Pick<Pixels, 'run'>;
  readonly publicUrl: string;
  readonly clock?: () => Date;
}

/** A process without secrets hashes the pixels; the signature over the hash is made here. */
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

/** A thief chooses the date of a signature freely; the owner signs nothing after revoking the key. */
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
