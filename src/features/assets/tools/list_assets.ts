import { z } from 'zod';
import { ASSET_KEY_CHARACTERS_MAX } from '../../../config/limits.ts';
import { walletField } from '../../definitions/fields.ts';
import { FREE } from '../../definitions/price.ts';
import { withAliases } from '../../definitions/spellings.ts';
import { defineTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import { assetAnswer, assetFields, storageAnswer, storageFields } from './asset_answer.ts';

const ASSETS_PER_PAGE_MAX = 1000;

const ASSETS_PER_PAGE = 100;
/** A key in UTF-8, base64-encoded. */
const CURSOR_CHARACTERS_MAX = ASSET_KEY_CHARACTERS_MAX * 4;

export const listAssets = defineTool({
  name: 'list_assets',
  title: 'List assets',
  category: 'storage',
  summary:
    'List the stored files of a wallet by key, with links and the space left. An unknown wallet has none.',
  instead: { get_asset: 'for one file' },
  words:
    'which files or pictures have I stored or saved, show my files, list everything, overview, folder, directory, storage used, free space left, what is in my storage, how much room is left, free storage, names of my files, what have I saved so far, show my saved pictures, all my pictures, browse my storage, list of my stored assets, how many megabytes have I used, space left for a file, quota, storage full, which pictures are in my account, inventory, contents of my storage, which keys are in my wallet, is my storage full, index of files, what do I have there, everything in my wallet, ls, dir, count my files, file names, how big are my files',
  price: FREE,
  input: z.object({
    wallet: walletField,
    prefix: z
      .string()
      .max(ASSET_KEY_CHARACTERS_MAX)
      .default('')
      .describe('Only keys with this prefix.')
      .meta({ title: 'Keys that begin with' }),
    limit: withAliases(
      z.int().min(1).max(ASSETS_PER_PAGE_MAX).default(ASSETS_PER_PAGE).describe('Assets per page.'),
      ...['max_results', 'count', 'page_size', 'per_page', 'n'],
    ),
    cursor: z.string().max(CURSOR_CHARACTERS_MAX).default('').describe('next_cursor of the previous page.'),
  }),
  output: z.object({
    wallet: z.string(),
    assets: z.array(z.object(assetFields)),
    count: z
      .int()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .describe('Number of all assets with the prefix, on any page.'),
    total_bytes: z.int().min(0).max(Number.MAX_SAFE_INTEGER).describe('Total size in bytes.'),
    storage: storageFields,
    next_cursor: z.string().nullable().describe('Send as cursor for the next page; null on the last.'),
  }),
  reaches: 'assets:read',
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [{ wallet: '0x52908400098527886e0f7030069857d2e4169ee7' }],
  next: ({ wallet, assets, next_cursor }, { prefix, limit }) => [
    ...(next_cursor
      ? [
          {
            action: 'Next page',
            tool: 'list_assets',
            why: 'There are more',
            params: { wallet, prefix, limit, cursor: next_cursor },
          },
        ]
      : []),
    ...(assets[0]
      ? [
          {
            action: 'Read one',
            tool: 'get_asset',
            why: 'The bytes, checked against their sha256',
            params: { wallet, key: assets[0].key },
          },
        ]
      : [
          {
            action: 'See how to save one',
            tool: 'get_tool_schema',
            why: 'save_asset keeps a file under a key',
            params: { tool_name: 'save_asset' },
          },
        ]),
  ],

  async run({ wallet, prefix, limit, cursor }, { assets }: Pick<Services, 'assets'>) {
    const [page, use] = await Promise.all([
      assets.list(wallet, { prefix, limit, ...(cursor && { cursor }) }),
      assets.use(wallet),
    ]);
    return {
      wallet,
      assets: page.assets.map((asset) => assetAnswer(assets, wallet, asset)),
      count: page.count,
      total_bytes: page.totalBytes,
      storage: storageAnswer(use),
      next_cursor: page.nextCursor,
    };
  },
});
