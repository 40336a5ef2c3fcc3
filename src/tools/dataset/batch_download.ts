import { z } from 'zod';
import { BATCH_LINES_MAX, BATCH_WORKS_MAX, BATCH_WORKS_MIN } from '../../dataset_limits.ts';
import type { Services } from '../../services/services.ts';
import { credits } from '../price.ts';
import { defineTool } from '../tool.ts';
import { download, downloadOf } from './download_of.ts';
import { DATASET_ID, datasetField } from './open_museums.ts';

const count = z.int().min(0).max(1_000_000_000);

export const batchDownload = defineTool({
  name: 'batch_download',
  title: 'Batch download',
  category: 'dataset',
  summary:
    'Hundreds of works at once, records and links to pictures, page by page of one snapshot that does not change meanwhile; as JSON or, of any length, as JSON Lines.',
  words:
    'bulk download, training data, dataset for machine learning, many records, export all works, json lines, jsonl',
  price: credits(50),
  input: z
    .object({
      dataset_id: datasetField,
      offset: z
        .int()
        .min(0)
        .max(1_000_000_000)
        .default(0)
        .describe('Works to pass over, in the order of ids.'),
      quantity: z
        .int()
        .min(BATCH_WORKS_MIN)
        .max(BATCH_LINES_MAX)
        .default(100)
        .describe(`Works a page; above ${BATCH_WORKS_MAX} as jsonl only.`),
      format: z
        .enum(['json', 'jsonl'])
        .default('json')
        .describe('jsonl: no downloads in the answer, and jsonl_url streams them.'),
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
  next: ({ next_cursor, snapshot }, { quantity, dataset_id, format }) =>
    next_cursor
      ? [
          {
            action: 'Next page',
            tool: 'batch_download',
            why: 'There are more works in this snapshot',
            params: { dataset_id, quantity, format, snapshot: snapshot.id, cursor: next_cursor },
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
    const { offset, quantity, snapshot, cursor, format } = input;
    const asked = {
      edition: snapshot || undefined,
      ...(cursor ? { after: cursor } : { offset }),
      limit: quantity,
    };
    const { count: returned, first, last, edition } = await artworks.bounds(asked);
    if (first === null || last === null) waive('There are no works after this one, so nothing was charged.');
    const works = format === 'json' ? (await artworks.page({ ...asked, edition: edition.number })).works : [];
    const rest = { edition: edition.number, after: last ?? '', limit: 1 };
    const isEnd = last === null || (await artworks.bounds(rest)).count === 0;
    const { number, digest, publishedAt } = edition;
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
      quantity_returned: returned,
      downloads: works.map((work) => downloadOf(work, artworks)),
      next_offset: isEnd || cursor ? null : offset + returned,
      next_cursor: isEnd ? null : last,
      jsonl_url:
        first === null || last === null
          ? null
          : artworks.batchLink({ edition: String(number), from: first, to: last }).url,
      licence: {
        summary:
          'Every work is called public domain or CC0 by its museum; the field that says so is in record.rights. Attribution is asked for, not required.',
        manifest: 'POST /api/tools/compliance_manifest',
      },
    };
  },
});
