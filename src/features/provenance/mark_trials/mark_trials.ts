import { alteredCopies } from '@atelier/imaging/provenance/ai_marking/altered_copies.ts';
import type { MarkTrials } from './types.ts';

/** For the command line: the copies are made in this process, of files of the person who runs it. */
export const openMarkTrials = (): MarkTrials => ({ copiesOf: alteredCopies });
