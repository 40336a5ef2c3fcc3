import { z } from 'zod';
import { AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';
import { type AnyOperation, defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import type { HeadStamp, Log, TreeHead } from '../log/types.ts';
import { timeStampAnswer, timeStampField } from '../tools/time_stamp_answer.ts';
import { serverIdentity } from './identity.ts';

const LOG_ENTRY_CHARACTERS_MAX = 300;

const LOG_ENTRIES_SHOWN_MAX = 1000;

const size = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const hash = z.string().regex(/^[0-9a-f]{64}$/);

const headFields = {
  tree_size: size.describe('Entries in the log.'),
  root_hash: hash.describe('Root of the Merkle tree over them (RFC 9162, 2.1.1).'),
  tree_head: z.string().describe('Both, signed: a compact JWS (EdDSA); keys at /.well-known/jwks.json.'),
};
/** A time stamp of a signed head. */
const stampFields = {
  ...timeStampField.shape,
  tree_size: size.optional().describe('Entries that the stamped head covers; absent without a stamp.'),
  tree_head: z.string().optional().describe('The signed head, which is the message of the stamp.'),
  token: z
    .string()
    .optional()
    .describe('The time-stamp token (RFC 3161) as base64 of its DER, for openssl ts -verify -token_in.'),
};
const entryFields = {
  index: size,
  entry: z.string(),
  logged_at: z.iso.datetime(),
};

const logHead = defineOperation({
  name: 'log_head',
  methods: ['GET'],
  path: '/api/log',
  tag: 'provenance',
  summary:
    'The transparency log as it is now: receipts, registered hashes, kept manifests, archive entries and signing keys in one tree that can only grow.',
  input: z.object({}),
  answer: z.object({
    ...headFields,
    time_stamp: z
      .object(stampFields)
      .describe('Of the newest head that an authority stamped; without one the reason.'),
  }),
  async run(_input, { log }: Pick<Services, 'log'>) {
    const [head, stamp] = await Promise.all([log.head(), log.latestStamp()]);
    return { ...headOf(head), time_stamp: stampOf(stamp) };
  },
});

const logEntries = defineOperation({
  name: 'log_entries',
  methods: ['GET'],
  path: '/api/log/entries',
  tag: 'provenance',
  summary: 'Entries of the transparency log in their order. Who reads them all can build the tree anew.',
  input: z.object({
    start: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
    count: z.coerce.number().int().min(1).max(LOG_ENTRIES_SHOWN_MAX).default(LOG_ENTRIES_SHOWN_MAX),
  }),
  answer: z.object({ entries: z.array(z.object(entryFields)) }),
  run: async ({ start, count }, { log }: Pick<Services, 'log'>) => ({
    entries: (await log.entries(start, count)).map(entryOf),
  }),
});

const logInclusion = defineOperation({
  name: 'log_inclusion',
  methods: ['GET'],
  path: '/api/log/inclusion',
  alsoFails: [404],
  tag: 'provenance',
  summary: 'Proof that an entry is in the transparency log, with the signed head it leads to.',
  input: z.object({
    entry: z
      .string()
      .max(LOG_ENTRY_CHARACTERS_MAX)
      .describe(
        'receipt:<sha256 of the receipt> , archive:<permanent_storage_tx> , hash:<id>:<hash>:<sha256 of the file> , manifest:<sha256 of a kept manifest store> , key:<kid> , key_revoked:<kid>:<reason> or c2pa_certificate:<sha256> .',
      ),
  }),
  answer: z.object({
    ...entryFields,
    inclusion_path: z.array(hash),
    ...headFields,
    time_stamp: z
      .object({ ...stampFields, inclusion_path: z.array(hash).optional() })
      .describe(
        'Of the earliest stamped head that covers the entry, with the path to it: the entry was there by the time of the stamp. Without one the reason.',
      ),
  }),
  async run({ entry }, { log }: Pick<Services, 'log'>) {
    const proof = await log.inclusion(entry);
    if (!proof) {
      throw new AtelierError(
        'record_not_found',
        'The log has no such entry. New ones come into it within a minute or two; see /api/log/entries for how they are written.',
      );
    }
    const { path, ...stamp } = await log.stampCovering(proof.entry.index);
    return {
      ...entryOf(proof.entry),
      inclusion_path: proof.path.map(hex),
      ...headOf(proof.head),
      time_stamp: { ...stampOf(stamp), ...(path && { inclusion_path: path.map(hex) }) },
    };
  },
});

const logConsistency = defineOperation({
  name: 'log_consistency',
  methods: ['GET'],
  path: '/api/log/consistency',
  tag: 'provenance',
  summary:
    'Proof that the log of an earlier size is the beginning of a later one: that nothing was changed since.',
  input: z.object({
    first: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).describe('Earlier tree_size.'),
    second: z.coerce
      .number()
      .int()
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .optional()
      .describe('Later tree_size; absent: the present one.'),
  }),
  answer: z.object({ first: size, second: size, consistency_path: z.array(hash), ...headFields }),
  async run(input, { log }: Pick<Services, 'log'>) {
    const head = await log.head();
    const { first, second = head.size } = input;
    if (second > head.size) throw tooLarge('second', head.size);
    if (first > second) throw tooLarge('first', second);
    const path = await log.consistency(first, second);
    return { first, second, consistency_path: path.map(hex), ...headOf(head) };
  },
});

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const headOf = ({ size: treeSize, root, jws }: TreeHead) => ({
  tree_size: treeSize,
  root_hash: hex(root),
  tree_head: jws,
});
const stampOf = ({ result, stamp }: HeadStamp) => ({
  ...timeStampAnswer(result),
  ...(stamp && {
    tree_size: stamp.treeSize,
    tree_head: stamp.treeHead,
    token: stamp.token.toString('base64'),
  }),
});
const entryOf = ({ index, entry, at }: Awaited<ReturnType<Log['entries']>>[0]) => ({
  index,
  entry,
  logged_at: at.toISOString(),
});
const tooLarge = (field: string, max: number): AtelierError =>
  invalidField(
    field,
    `${field} must be at most ${max} here: a proof leads from an earlier size of the log to a later one.`,
  );

export const logOperations: readonly AnyOperation[] = [
  logHead,
  logEntries,
  logInclusion,
  logConsistency,
  serverIdentity,
];
