import type { Result } from '@atelier/imaging/metadata/passthrough/carry_metadata.ts';
import { withMetadataPassthrough } from './metadata_passthrough.ts';

interface MadeElsewhere {
  /** The image whose metadata is copied. */
  readonly bytes: Uint8Array;
  /** An image that another program made from it. */
  readonly made: Result;
}

/** Copies the metadata of a source image to a result made elsewhere. */
export const runCarryMetadata = withMetadataPassthrough(
  async ({ made }: MadeElsewhere): Promise<Result> => made,
);
