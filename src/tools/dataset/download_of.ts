import { z } from 'zod';
import type { Artworks } from '../../dataset/contract.ts';
import type { StoredRecord } from '../../dataset/records/record_store.ts';
import { licencePassport, seenOnField } from './licence_passport.ts';
import { basisField, basisOf } from './record_basis.ts';

/** One work of a batch: an element of its JSON, or a line of its JSON Lines. */
export const download = z.object({
  credit_id: z.string(),
  sha256: z.string().describe('Of the record as JSON with sorted keys and without spaces.'),
  basis: basisField,
  seen_on: seenOnField,
  record: z.record(z.string(), z.unknown()).describe('Everything that is known of the work.'),
  download_url: z.string().nullable().describe('The picture, for 24 hours; null where there is none.'),
  attribution: z.string(),
});

export const downloadOf = (
  { record, sha256, seenOn }: StoredRecord,
  artworks: Pick<Artworks, 'link'>,
): z.input<typeof download> => ({
  credit_id: record.id,
  sha256,
  basis: basisOf(record),
  seen_on: seenOn,
  record,
  download_url: record.image ? artworks.link(record.id, 'full').url : null,
  attribution: licencePassport(record, seenOn).attribution,
});
