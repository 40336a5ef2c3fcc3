import { z } from 'zod';
import { MILLICREDITS_PER_CREDIT } from '../../../../config/limits.ts';
import { AtelierError } from '../../../../core/errors/atelier_error.ts';
import { costFields, freeAnswer } from '../../../definitions/free_answer.ts';
import { type AnyOperation, defineOperation } from '../../../definitions/operation.ts';
import type { Services } from '../../../services.ts';

/** Maximum archive: assets, versions, workspaces with their acts, records and manifest, each with its header. */
const ARCHIVE_BYTES_MAX = 1536 * 1024 * 1024;

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

export const exportWallet = defineOperation({
  name: 'export_wallet',
  methods: ['GET'],
  path: '/api/wallet/export',
  tag: 'account',
  summary:
    'All data of your wallet as one tar archive: assets and versions, workspaces, receipts, registered hashes, posts, names of keys; listed in a signed manifest. Another server can import it.',
  input: z.object({}),
  answer: { file: 'application/x-tar', description: 'The archive.' },
  ownerOnly: true,
  limit: { name: 'exports', calls: 20, perSeconds: 3600 },
  async run(_input, { leaving }: Pick<Services, 'leaving'>, call) {
    const wallet = call.wallet!;
    const { sha256, chunks } = await leaving.exportWallet(wallet);
    return {
      chunks,
      contentType: 'application/x-tar',
      headers: {
        'Cache-Control': 'private, no-store',
        'Content-Disposition': `attachment; filename="atelier-${wallet}-${sha256.slice(0, 12)}.tar"`,
      },
    };
  },
});

const importWallet = defineOperation({
  name: 'import_wallet',
  methods: ['POST'],
  path: '/api/wallet/import',
  tag: 'account',
  summary:
    'Imports an archive of your wallet from this or another server, completely or not at all. Credits are not imported. Importing the same archive again changes nothing.',
  input: z.object({
    replace: z
      .stringbool()
      .default(false)
      .describe(
        'Existing keys with other bytes are replaced by those of the archive; the replaced file becomes a version.',
      ),
  }),
  body: 'stream',
  maxBodyBytes: ARCHIVE_BYTES_MAX,
  answer: z.object({
    wallet: z.string(),
    server: z.string().describe('The server that signed the archive.'),
    trusted_by: z.enum(['this_server', 'its_server', 'operator']).describe('How the signing key is trusted.'),
    exported_at: z.string(),
    assets: count.describe('Keys that were added or replaced.'),
    unchanged: count.describe('Keys that already existed with the same bytes.'),
    skipped: count.describe('Keys that already existed with other bytes and were left unchanged.'),
    skipped_keys: z.array(z.string()).describe('Some of them.'),
    versions: count,
    records: count.describe(
      'Files of receipts, hashes, posts and names of keys; stored as assets below imported/.',
    ),
    workspaces: count.describe('Workspaces that were added, with their items, acts, branches and comments.'),
    workspaces_unchanged: count.describe('Workspaces whose id already existed and that were left unchanged.'),
    ...costFields,
  }),
  ownerOnly: true,
  limit: { name: 'imports', calls: 20, perSeconds: 3600 },
  async run({ replace }, { leaving, catalogue }: Pick<Services, 'leaving' | 'catalogue'>, call) {
    const wallet = call.wallet!;
    const options = { replaces: replace, address: call.address, signal: call.signal };
    const { counts, ...imported } = await leaving.importWallet(wallet, call.stream!, options);
    return {
      wallet,
      server: imported.server,
      trusted_by: imported.trustedBy,
      exported_at: imported.exportedAt,
      ...counts,
      skipped_keys: [...imported.skippedKeys],
      ...freeAnswer(catalogue),
    };
  },
});

type Needs = Pick<Services, 'leaving' | 'catalogue'>;

export const closeWallet = defineOperation({
  name: 'close_wallet',
  methods: ['POST'],
  path: '/api/wallet/close',
  tag: 'account',
  summary:
    'Closes the account of your wallet. Without "dry_run": false it only reports the effects. Export your data first.',
  input: z.object({ dry_run: z.boolean().default(true) }),
  answer: z.object({
    wallet: z.string(),
    closed: z.boolean(),
    balance: z.number().min(0).max(1e12).describe('Remaining credits, which can no longer be spent.'),
    keys_revoked: count,
    sessions_ended: count,
    assets_trashed: count,
    webhooks_ended: count,
    jobs_canceled: count,
    posts_hidden: count,
    recipes_deleted: count,
    workspaces_deleted: count,
    purge_at: z
      .string()
      .describe('Assets can be restored until then, and are permanently deleted afterwards.'),
    stays: z.array(z.string()).describe('Append-only records that remain.'),
    ...costFields,
  }),
  ownerOnly: true,
  limit: { name: 'closings', calls: 20, perSeconds: 3600 },
  async run({ dry_run: isDry }, { leaving, catalogue }: Needs, call) {
    const wallet = call.wallet!;
    const { balance, counts, purgeAt } = await leaving.close(wallet, { isDry });
    return {
      wallet,
      closed: !isDry,
      balance: balance / MILLICREDITS_PER_CREDIT,
      keys_revoked: counts.keys,
      sessions_ended: counts.sessions,
      assets_trashed: counts.assets,
      webhooks_ended: counts.webhooks,
      jobs_canceled: counts.jobs,
      posts_hidden: counts.posts,
      recipes_deleted: counts.recipes,
      workspaces_deleted: counts.workspaces,
      purge_at: purgeAt.toISOString(),
      stays: [...STAYS],
      ...freeAnswer(catalogue),
    };
  },
});

const STAYS = [
  'movements of credits and signed receipts',
  'registered hashes and the transparency log',
  'files of store_permanent',
  'hidden posts, which are not shown',
  'stored C2PA manifests; DELETE /api/c2pa/manifests/{id} deletes one',
] as const;

export const reopenWallet = defineOperation({
  name: 'reopen_wallet',
  methods: ['POST'],
  path: '/api/wallet/reopen',
  alsoFails: [404],
  tag: 'account',
  summary:
    'Reopens a wallet that you closed, so that it can spend again. Restore deleted assets with POST /api/assets/restore; keys and posts are not restored.',
  input: z.object({}),
  answer: z.object({ wallet: z.string(), reopened: z.literal(true), ...costFields }),
  ownerOnly: true,
  async run(_input, { leaving, catalogue }: Needs, call) {
    const wallet = call.wallet!;
    if (!(await leaving.reopen(wallet)))
      throw new AtelierError(
        'not_found',
        'This wallet was not closed by its owner, so there is nothing to reopen.',
      );
    return { wallet, reopened: true as const, ...freeAnswer(catalogue) };
  },
});

export const accountExportOperations: readonly AnyOperation[] = [
  exportWallet,
  importWallet,
  closeWallet,
  reopenWallet,
];
