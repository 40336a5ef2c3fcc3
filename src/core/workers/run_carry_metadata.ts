import type { Result } from '@atelier/imaging/metadata/passthrough/carry_metadata.ts';
import { carrying } from './carrying.ts';

interface MadeElsewhere {
  /** The image whose metadata the result takes over. */
  readonly bytes: Uint8Array;
  /** An image that another program made of it. */
  readonly made: Result;
}

/** Has an image that was made elsewhere take over what its source says about itself. */
export const runCarryMetadata = carrying(async ({ made }: MadeElsewhere): Promise<Result> => made);
