import { z } from 'zod';
import { AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';
import { type AnyOperation, defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import type { HeadStamp, Log, TreeHead } from '../log/types.ts';
import { timeStampAnswer, timeStampField } from '../tools/time_stamp_answer.ts';

const CACHE_SECONDS = 300;

const serverIdentity = defineOperation({
  name: 'server_identity',
  methods: ['GET'],
  path: '/.well-known/atelier-identity.json',
  tag: 'provenance',
  summary:
    'Domains and a wallet that vouch for the signing key of this server, and where to verify that. A signature identifies its signer; it does not prove that the content is true.',
  input: z.object({}),
  answer: z.object({
    issuer: z.string(),
    kid: z.string(),
    says: z.string().describe('Meaning and limits of a signature of the key.'),
    vouchers: z.array(
      z.object({
        kind: z.enum(['domain', 'wallet']),
        name: z.string().describe('The domain, or the address of the wallet.'),
        dns_name: z.string().optional().describe('Name of a TXT record that holds `line`.'),
        url: z.string().optional().describe('A text file that contains `line`; either is enough.'),
        line: z.string().optional(),
        message: z.string().optional().describe('The message signed by the wallet (EIP-191).'),
        signature: z.string().optional(),
      }),
    ),
    to_vouch: z
      .object({ line: z.string(), message: z.string() })
      .describe('Text that a domain publishes, and a wallet signs, for the current key.'),
    c2pa_certificate_sha256: z
      .string()
      .nullable()
      .describe(
        'Of the certificate C2PA manifests are signed with, as DER; the key vouches for it in `jws`.',
      ),
    keys: z.array(
      z.object({
        kid: z.string(),
        first_used: z.iso.datetime(),
        log_entry: z.string().describe('For /api/log/inclusion.'),
        revoked_at: z.iso.datetime().nullable(),
        revocation: z
          .string()
          .nullable()
          .describe('Its entry in the log; null while the key is valid. It ends with the reason.'),
      }),
    ),
    jws: z.string().describe('Compact JWS (EdDSA) of the key over issuer, certificate and vouchers.'),
  }),
  cacheSeconds: CACHE_SECONDS,
  async run(_input, { identity }: Pick<Services, 'identity'>) {
    const { issuer, key, domains, wallet, line, message, keys, jws, certificateSha256 } =
      await identity.read();
    return {
      issuer,
      kid: key.kid,
      says: `A signature shows that the holder of this key signed the content. A voucher shows that the holder operates ${issuer}. Neither proves that the content is true.`,
      vouchers: [
        ...domains.map(({ domain, dnsName, url }) => ({
          kind: 'domain' as const,
          name: domain,
          dns_name: dnsName,
          url,
          line,
        })),
        ...(wallet
          ? [{ kind: 'wallet' as const, name: wallet.wallet, message, signature: wallet.signature }]
          : []),
      ],
      to_vouch: { line, message },
      c2pa_certificate_sha256: certificateSha256 ?? null,
      keys: keys.map(({ kid, firstUsed, revoked }) => ({
        kid,
        first_used: firstUsed.toISOString(),
        log_entry: `key:${kid}`,
        revoked_at: revoked?.at.toISOString() ?? null,
        revocation: revoked ? `key_revoked:${kid}:${revoked.reason}` : null,
      })),
      jws,
    };
  },
});

const LOG_ENTRY_CHARACTERS_MAX = 300;

const LOG_ENTRIES_SHOWN_MAX = 1000;

const size = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const hash = z.string().regex(/^[0-9a-f]{64}$/);

const headFields = {
  tree_size: size.describe('Entries in the log.'),
  root_hash: hash.describe('Root of the Merkle tree over them (RFC 9162, 2.1.1).'),
  tree_head: z.string().describe('Both, signed: a compact JWS (EdDSA); keys at /.well-known/jwks.json.'),
};
/** Fields of the time stamp of a signed head. */
const stampFields = {
  ...timeStampField.shape,
  tree_size: size.optional().describe('Entries covered by the stamped head; absent without a stamp.'),
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
    'The current transparency log: receipts, registered hashes, stored manifests, archive entries and signing keys in one append-only Merkle tree.',
  input: z.object({}),
  answer: z.object({
    ...headFields,
    time_stamp: z
      .object(stampFields)
      .describe('Time stamp of the newest stamped head, or the reason for its absence.'),
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
  summary: 'Entries of the transparency log in order. From all of them a client can rebuild the tree.',
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
  summary: 'Inclusion proof of an entry in the transparency log, with its signed head.',
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
        'Time stamp of the earliest stamped head that covers the entry, with the path to it: the entry existed at that time. Otherwise the reason for its absence.',
      ),
  }),
  async run({ entry }, { log }: Pick<Services, 'log'>) {
    const proof = await log.inclusion(entry);
    if (!proof) {
      throw new AtelierError(
        'record_not_found',
        'The log has no such entry. New entries appear within 2 minutes; /api/log/entries shows their format.',
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
    'Consistency proof: the log of an earlier size is a prefix of a later one, so no entry was changed.',
  input: z.object({
    first: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).describe('Earlier tree_size.'),
    second: z.coerce
      .number()
      .int()
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .optional()
      .describe('Later tree_size. Default: the current one.'),
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
    `${field} must be at most ${max}: a proof leads from an earlier size of the log to a later one.`,
  );

export const logOperations: readonly AnyOperation[] = [
  logHead,
  logEntries,
  logInclusion,
  logConsistency,
  serverIdentity,
];
