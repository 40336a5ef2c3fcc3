import { type AlteredCopy, alteredCopies } from '@atelier/imaging/provenance/ai_marking/altered_copies.ts';

/** For the command line: the copies are made in this process, of files of the person who runs it. */
export const openMarkTrials = (): MarkTrials => ({ copiesOf: alteredCopies });

/** Makes the copies that a mark has to survive. */
export interface MarkTrials {
  /** @throws Error where the image cannot be decoded */
  copiesOf(bytes: Uint8Array): Promise<readonly AlteredCopy[]>;
}
