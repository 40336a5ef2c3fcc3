import { z } from 'zod';
import type { StoredRecord } from '../records/record_store.ts';
import type { Artworks } from '../types.ts';
import { licencePassport, seenOnField } from './licence_passport.ts';
import { basisField, basisOf } from './record_basis.ts';

/** One work of a batch: an element of its JSON, or a line of its JSON Lines. */
export const download = z.object({
  credit_id: z.string(),
  sha256: z.string().describe('Of the record as JSON with sorted keys and without spaces.'),
  basis: basisField,
  seen_on: seenOnField,
  record: z.record(z.string(), z.unknown()).describe('All data of the work.'),
  download_url: z.string().nullable().describe('The picture, for 24 hours; null where there is none.'),
  attribution: z.string(),
});

export const downloadOf = (
  work: StoredRecord,
  artworks: Pick<Artworks, 'link'>,
): z.input<typeof download> => ({
  credit_id: work.record.id,
  sha256: work.sha256,
  basis: basisOf(work.record),
  seen_on: work.seenOn,
  record: work.record,
  download_url: work.record.image ? artworks.link(work.record.id, 'full').url : null,
  attribution: licencePassport(work).attribution,
});
