import type { CarriedMetadata, CarryWish } from '@atelier/imaging/metadata/passthrough/carried.ts';
import { z } from 'zod';
import { briefly } from './brief.ts';

/** What of its metadata a picture hands on to what is made of it. */
export const carryFields = {
  keep: briefly(
    z
      .enum(['all', 'rights', 'none'])
      .default('all')
      .describe('Metadata to preserve: all, rights (owner, licence, opt-outs, AI marks) or none.')
      .meta({ title: 'Metadata to keep' }),
    '',
  ),
  keep_location: briefly(
    z.boolean().default(false).describe('Also keep the location.').meta({ title: 'Keep the location' }),
    '',
  ),
};

const what = z.string().describe('xmp, iptc_iim, exif, exif.location, icc, gain_map, c2pa, …');

export const metadataAnswer = {
  metadata: z
    .object({
      kept: z.array(what),
      changed: z.array(z.object({ what, how: z.string() })),
      dropped: z.array(z.object({ what, why: z.string() })),
    })
    .describe('Handling of the metadata of the image sent.'),
};

type CarryOfOptions = z.output<z.ZodObject<typeof carryFields>>;

/** A caller's wish, as engines take it. */
export const carryOf = (
  { keep, keep_location: keepLocation }: CarryOfOptions,
  more: Partial<CarryWish> = {},
): CarryWish => ({ keep, keepLocation, shows: 'whole', ...more });

/** As `metadataAnswer` has it. */
export const metadataOf = ({ kept, changed, dropped }: CarriedMetadata) => ({
  metadata: { kept: [...kept], changed: [...changed], dropped: [...dropped] },
});
