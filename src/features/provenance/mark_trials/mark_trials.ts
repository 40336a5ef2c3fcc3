import { type AlteredCopy, alteredCopies } from '@atelier/imaging/provenance/ai_marking/altered_copies.ts';

/** For the command line: the copies are made in this process, from files of the person who runs it. */
export const openMarkTrials = (): MarkTrials => ({ copiesOf: alteredCopies });

/** Makes the altered copies that a watermark should survive. */
export interface MarkTrials {
  /** @throws Error if the image cannot be decoded */
  copiesOf(bytes: Uint8Array): Promise<readonly AlteredCopy[]>;
}
