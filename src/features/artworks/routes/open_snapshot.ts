import { z } from 'zod';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import { SNAPSHOT_CHANGES_MAX } from '../limits.ts';
import { datasetField, requireDataset, snapshotField } from './dataset_fields.ts';
import { snapshotMetadata } from './describe_snapshot.ts';

/** A snapshot never changes. */
const A_DAY_S = 86_400;

const openSnapshot = defineOperation({
  name: 'open_snapshot',
  methods: ['GET'],
  path: '/api/datasets/{dataset_id}/{snapshot}/artworks.jsonl',
  tag: 'files',
  summary: 'All records of a snapshot as JSON Lines, without pictures; takes Range and gzip.',
  input: z.object({
    dataset_id: datasetField,
    snapshot: snapshotField,
  }),
  answer: { file: 'application/jsonl', description: 'One record a line.' },
  limit: { name: 'snapshots', calls: 600, perSeconds: 3600, by: 'address' },
  cacheSeconds: A_DAY_S,

  async run({ dataset_id, snapshot }, { artworks }: Pick<Services, 'artworks'>) {
    requireDataset(dataset_id);
    const { sha256, open } = await artworks.snapshotFile(Number(snapshot));
    const { plain, gzip } = await open();
    return {
      bytes: plain,
      gzip,
      sha256,
      version: sha256,
      contentType: 'application/jsonl',
      headers: {
        'Content-Disposition': 'attachment; filename="artworks.jsonl"',
        Link: '<ro-crate-metadata.json>; rel="describedby"; type="application/ld+json"',
      },
    };
  },
});

const snapshotNumber = z.coerce.number().int().min(1).max(999_999_999);
const hash = z.string().nullable();

const compareSnapshots = defineOperation({
  name: 'compare_snapshots',
  methods: ['GET'],
  path: '/api/datasets/{dataset_id}/changes',
  tag: 'files',
  summary: 'Works added, changed or removed between two snapshots.',
  input: z.object({
    dataset_id: datasetField,
    from: snapshotNumber.describe('Number of the earlier snapshot.'),
    to: snapshotNumber.optional().describe('Number of the later snapshot; absent: the newest.'),
    after: z.string().max(200).default('').describe('next of the page before; absent: the first page.'),
    limit: z.coerce.number().int().min(1).max(SNAPSHOT_CHANGES_MAX).default(1_000),
  }),
  answer: z.object({
    from: z.int(),
    to: z.int(),
    works: z.array(
      z.object({
        id: z.string(),
        change: z.enum(['added', 'changed', 'removed']),
        sha256_before: hash.describe('Of the record; null where the work was added.'),
        sha256_after: hash.describe('Of the record; null where the work was removed.'),
      }),
    ),
    next: z.string().nullable().describe('Send it as after with the same numbers; null at the end.'),
  }),
  // Each page compares all differences between the two editions.
  limit: { name: 'snapshot-changes', calls: 120, perSeconds: 3600, by: 'address' },

  async run({ dataset_id, ...asked }, { artworks }: Pick<Services, 'artworks'>) {
    requireDataset(dataset_id);
    return artworks.changes(asked);
  },
});

/** Operations on the free snapshot files. */
export const snapshotOperations = [openSnapshot, compareSnapshots, ...snapshotMetadata];
