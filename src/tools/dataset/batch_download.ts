import { z } from 'zod';
import { BATCH_WORKS_MAX, BATCH_WORKS_MIN } from '../../dataset_limits.ts';
import type { Artworks, StoredRecord } from '../../services/artworks/index.ts';
import type { Services } from '../../services/services.ts';
import { credits } from '../price.ts';
import { defineTool } from '../tool.ts';
import { licencePassport } from './licence_passport.ts';
import { DATASET_ID, datasetField } from './open_museums.ts';

const count = z.int().min(0).max(1_000_000_000);

export const batchDownload = defineTool({
  name: 'batch_download',
  title: 'Batch download',
  category: 'dataset',
  summary:
    'Hundreds of works at once, records and links to pictures, page by page of one snapshot that does not change meanwhile; as JSON and as JSON Lines.',
  price: credits(50),
  input: z.object({
    dataset_id: datasetField,
    offset: z.int().min(0).max(1_000_000_000).default(0).describe('Works to pass over, in the order of ids.'),
    quantity: z.int().min(BATCH_WORKS_MIN).max(BATCH_WORKS_MAX).default(100).describe('Works a page.'),
    snapshot: z
      .int()
      .min(0)
      .max(1_000_000_000)
      .default(0)
      .describe('The snapshot to read, as the page before said; 0 is the newest.'),
    cursor: z
      .string()
      .max(120)
      .default('')
      .describe('next_cursor of the page before: quicker than an offset deep in the dataset.'),
  }),
  output: z.object({
    dataset_id: z.string(),
    snapshot: z.object({
      id: z.int().min(1).max(1_000_000_000),
      sha256: z.string().describe('Over "id sha256\\n" of all its works in the order of ids.'),
      works: count,
      published_at: z.string(),
    }),
    offset: count,
    quantity_requested: count,
    quantity_returned: count,
    downloads: z.array(
      z.object({
        credit_id: z.string(),
        sha256: z.string().describe('Of the record as JSON with sorted keys and without spaces.'),
        record: z.record(z.string(), z.unknown()).describe('Everything that is known of the work.'),
        download_url: z.string().nullable().describe('The picture, for 24 hours; null where there is none.'),
        attribution: z.string(),
      }),
    ),
    next_offset: count.nullable().describe('null at the end.'),
    next_cursor: z.string().nullable().describe('Send it as cursor with the same snapshot; null at the end.'),
    jsonl_url: z.string().nullable().describe('These works as JSON Lines, one record a line, for 24 hours.'),
    licence: z.object({ summary: z.string(), manifest: z.string() }),
  }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [{}, { quantity: 500, offset: 1000 }],
  next: ({ next_cursor, snapshot }, { quantity, dataset_id }) =>
    next_cursor
      ? [
          {
            action: 'Next page',
            tool: 'batch_download',
            why: 'There are more works in this snapshot',
            params: { dataset_id, quantity, snapshot: snapshot.id, cursor: next_cursor },
          },
        ]
      : [
          {
            action: 'Get the manifest',
            tool: 'compliance_manifest',
            why: 'What to disclose about these works as training data, free',
            params: {},
          },
        ],

  async run(input, { artworks }: Pick<Services, 'artworks'>, { waive }) {
    const { offset, quantity, snapshot, cursor } = input;
    const page = await artworks.page({
      edition: snapshot || undefined,
      ...(cursor ? { after: cursor } : { offset }),
      // One more, to see whether it is the end.
      limit: quantity + 1,
    });
    const works = page.works.slice(0, quantity);
    const last = works.at(-1)?.record.id;
    const isEnd = page.works.length <= quantity;
    if (works.length === 0) waive('There are no works after this one, so nothing was charged.');
    const { number, digest, publishedAt } = page.edition;
    return {
      dataset_id: DATASET_ID,
      snapshot: {
        id: number,
        sha256: digest,
        works: page.edition.works,
        published_at: publishedAt.toISOString(),
      },
      offset,
      quantity_requested: quantity,
      quantity_returned: works.length,
      downloads: works.map((work) => downloadOf(work, artworks)),
      next_offset: isEnd || cursor ? null : offset + works.length,
      next_cursor: isEnd ? null : last!,
      jsonl_url: works.length === 0 ? null : jsonlUrl(artworks, number, works),
      licence: {
        summary:
          'Every work is called public domain or CC0 by its museum; the field that says so is in record.rights. Attribution is asked for, not required.',
        manifest: 'POST /api/tools/compliance_manifest',
      },
    };
  },
});

const downloadOf = ({ record, sha256, seenOn }: StoredRecord, artworks: Pick<Artworks, 'link'>) => ({
  credit_id: record.id,
  sha256,
  record,
  download_url: record.image ? artworks.link(record.id, 'full').url : null,
  attribution: licencePassport(record, seenOn).attribution,
});

/** The page is named by its first id, so that the link gives the same works whatever offset led there. */
function jsonlUrl(
  artworks: Pick<Artworks, 'batchLink'>,
  edition: number,
  works: readonly StoredRecord[],
): string {
  const first = works[0]!.record.id;
  return artworks.batchLink({ edition: String(edition), from: first, count: String(works.length) }).url;
}
