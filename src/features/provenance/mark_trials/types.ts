import type { AlteredCopy } from '@atelier/imaging/provenance/ai_marking/altered_copies.ts';

/** Makes the copies that a mark has to survive. */
export interface MarkTrials {
  /** @throws Error where the image cannot be decoded */
  copiesOf(bytes: Uint8Array): Promise<readonly AlteredCopy[]>;
}
