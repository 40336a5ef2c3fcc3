import type { ReadSoulmark } from '@atelier/imaging/provenance/soulmark/read_soulmark.ts';
import type { PixelControl } from '../../../core/workers/types.ts';
import type { Revocation } from '../../billing/receipts/types.ts';

/** Codices in images, signed together with the pixels. */
export interface Soulmarks {
  /**
   * Packs a codex and signs it with the pixels of an image.
   * @throws AtelierError as pixels do; invalid_input for a codex that is too large or has no canonical form
   */
  make(bytes: Uint8Array, codex: object, control: PixelControl): Promise<Soulmark>;
  /**
   * Result of verifying the soulmark in an image; undefined without a soulmark.
   * @throws AtelierError as pixels do
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
  /** The key was revoked, so the signature may be from anyone who had it. */
  readonly revoked?: Revocation;
}
