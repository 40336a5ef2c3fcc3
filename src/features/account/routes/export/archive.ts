import { z } from 'zod';
import { costFields, freeAnswer } from '../../../definitions/free_answer.ts';
import { defineOperation } from '../../../definitions/operation.ts';
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

export const importWallet = defineOperation({
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
