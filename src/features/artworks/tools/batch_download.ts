import { z } from 'zod';
import { credits } from '../../definitions/price.ts';
import { type Charge, defineTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import type { StoredRecord } from '../records/record_store.ts';
import type { Artworks, Bounds } from '../types.ts';
import { licencePassport, seenOnField } from './licence_passport.ts';
import { BATCH_LINES_MAX, BATCH_WORKS_MAX, BATCH_WORKS_MIN } from './limits.ts';
import { DATASET_ID, datasetField } from './open_museums.ts';
import { basisField, basisOf, rightsSentence } from './record_basis.ts';

/** Price of the specification for this many works with an image, and the maximum price of a batch. */
const BATCH_CREDITS = 50;

/**
 * Price of a batch: proportional to its works with an image, of a hundred, rounded down. Undefined: the full
 * price. Records alone are free.
 */
function batchCharge({ count, pictures }: Pick<Bounds, 'count' | 'pictures'>): Charge | undefined {
  const credits = Math.min(BATCH_CREDITS, Math.floor((pictures * BATCH_CREDITS) / BATCH_WORKS_MIN));
  if (credits === BATCH_CREDITS) return undefined;
  if (count === 0) return { credits, why: 'There are no further works, so you are not charged.' };
  if (pictures === 0)
    return { credits, why: `None of the ${count} works has an image, and records alone are free.` };
  return {
    credits,
    why: `${pictures} of the ${count} works have an image. ${BATCH_CREDITS} credits pay for ${BATCH_WORKS_MIN} such works, so these cost ${credits}, rounded down; records without an image are free.`,
  };
}

const count = z.int().min(0).max(1_000_000_000);

/** One work of a batch: an element of its JSON, or a line of its JSON Lines. */
const download = z.object({
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

export const batchDownload = defineTool({
  name: 'batch_download',
  title: 'Batch download',
  category: 'dataset',
  summary:
    'Hundreds of works: records and links to pictures, by page of one snapshot, as JSON or, of any length, JSON Lines. Fewer than a hundred pictures cost less.',
  instead: { search_artworks: 'for a few works' },
  words:
    'bulk download, training data, dataset to train a model, machine learning, hundreds or thousands of works, many records, export all works, everything of a museum, zip, dump, json lines, jsonl, full dump, ten thousand, collection, fine-tuning or training dataset of public domain art, download all paintings of the met, 1000 artworks with image links, get the whole dataset, paginate through every record, snapshot, corpus, pretraining, crawl, mirror the dataset, csv, all records at once, five hundred works, all records as csv, whole museum, image-text pairs, scrape, parquet, every public domain work, bulk, offline copy, sync',
  price: credits(BATCH_CREDITS),
  input: z
    .object({
      dataset_id: datasetField,
      offset: z.int().min(0).max(1_000_000_000).default(0).describe('Works to pass over.'),
      quantity: z
        .int()
        .min(BATCH_WORKS_MIN)
        .max(BATCH_LINES_MAX)
        .default(100)
        .describe(`Works a page; above ${BATCH_WORKS_MAX} as jsonl only.`),
      format: z
        .enum(['json', 'jsonl'])
        .default('json')
        .describe('jsonl: jsonl_url streams them instead of downloads.'),
      snapshot: z
        .int()
        .min(0)
        .max(1_000_000_000)
        .default(0)
        .describe('As the page before said; 0: the newest.'),
      cursor: z
        .string()
        .max(120)
        .default('')
        .describe('next_cursor of the page before; quicker than an offset.'),
      has_image: z.boolean().default(false).describe('Only works with an image.'),
    })
    .check(({ value: { format, quantity }, issues }) => {
      if (format === 'jsonl' || quantity <= BATCH_WORKS_MAX) return;
      const message = `must be at most ${BATCH_WORKS_MAX}, or format "jsonl"`;
      issues.push({ code: 'custom', path: ['quantity'], input: quantity, message });
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
    quantity_with_picture: count.describe('Of these: what the batch is paid for.'),
    downloads: z.array(download),
    next_offset: count.nullable().describe('null at the end.'),
    next_cursor: z.string().nullable().describe('Send it as cursor with the same snapshot; null at the end.'),
    jsonl_url: z
      .string()
      .nullable()
      .describe('These works as JSON Lines for 24 hours; with &after=<credit_id> a broken stream goes on.'),
    licence: z.object({ summary: z.string(), manifest: z.string() }),
  }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [{}, { quantity: 500, offset: 1000 }, { quantity: 60_000, format: 'jsonl' }],
  next: ({ next_cursor, snapshot }, { quantity, dataset_id, format, has_image }) =>
    next_cursor
      ? [
          {
            action: 'Next page',
            tool: 'batch_download',
            why: 'There are more works in this snapshot',
            params: { dataset_id, quantity, format, has_image, snapshot: snapshot.id, cursor: next_cursor },
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

  charge: async (input, { artworks }: Pick<Services, 'artworks'>) =>
    batchCharge(await artworks.bounds(pageOf(input))),

  async estimate(input, { artworks }, { isGeneral }) {
    if (isGeneral) return {};
    const { count: returned, pictures: with_picture } = await artworks.bounds(pageOf(input));
    return { works: { returned, with_picture } };
  },

  async run(input, { artworks }, call) {
    const { offset, quantity, cursor, format, has_image } = input;
    const asked = pageOf(input);
    const bounds = await artworks.bounds(asked);
    const { first, last, edition } = bounds;
    const charge = batchCharge(bounds);
    if (charge) call.charge(charge);
    const works = format === 'json' ? (await artworks.page({ ...asked, edition: edition.number })).works : [];
    const rest = { edition: edition.number, after: last ?? '', hasImage: has_image, limit: 1 };
    const isEnd = last === null || (await artworks.bounds(rest)).count === 0;
    const { number, digest, publishedAt } = edition;
    const link = { edition: String(number), ...(has_image && { has_image: 'true' as const }) };
    return {
      dataset_id: DATASET_ID,
      snapshot: {
        id: number,
        sha256: digest,
        works: edition.works,
        published_at: publishedAt.toISOString(),
      },
      offset,
      quantity_requested: quantity,
      quantity_returned: bounds.count,
      quantity_with_picture: bounds.pictures,
      downloads: works.map((work) => downloadOf(work, artworks)),
      next_offset: isEnd || cursor ? null : offset + bounds.count,
      next_cursor: isEnd ? null : last,
      jsonl_url:
        first === null || last === null ? null : artworks.batchLink({ ...link, from: first, to: last }).url,
      licence: {
        summary: `${rightsSentence({ imported: bounds.count - bounds.starter, starter: bounds.starter })} Attribution is requested, not required.`,
        manifest: 'POST /api/tools/compliance_manifest',
      },
    };
  },
});

const pageOf = ({ snapshot, cursor, offset, quantity, has_image }: PageOfOptions) => ({
  edition: snapshot || undefined,
  ...(cursor ? { after: cursor } : { offset }),
  hasImage: has_image,
  limit: quantity,
});

interface PageOfOptions {
  readonly snapshot: number;
  readonly cursor: string;
  readonly offset: number;
  readonly quantity: number;
  readonly has_image: boolean;
}
