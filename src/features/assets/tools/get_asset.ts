import { z } from 'zod';
import { BASE64_COPIES } from '../../../config/limits.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { briefly } from '../../definitions/brief.ts';
import { walletField } from '../../definitions/fields.ts';
import { FREE } from '../../definitions/price.ts';
import { defineTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import type { Asset } from '../types.ts';
import { assetAnswer, assetFields, keyField, linkDaysField } from './asset_answer.ts';

export const getAsset = defineTool({
  name: 'get_asset',
  title: 'Get an asset',
  category: 'storage',
  summary:
    'Get a stored file of a wallet: bytes as base64 (checked against their sha256), and a signed link for up to a year.',
  instead: { list_assets: 'without the key' },
  words:
    'download, read, open, load, fetch or retrieve my stored or saved file again, get it back, the picture of earlier, link to my file, fetch from my storage, the file I uploaded before, load the file I stored yesterday, retrieve an asset by key, read my notes.txt, i need the logo I saved before again, download from my storage, give me my saved file, read a stored file, show me the picture I kept, open my saved palette.json, what did I store under this key, read back, export my file, restore, look up a stored value, show logo.png from my wallet, recall, bring back',
  price: FREE,
  input: z.object({
    wallet: walletField,
    key: keyField,
    include_data: briefly(
      z
        .boolean()
        .default(true)
        .describe('false omits the base64; url serves the bytes either way.')
        .meta({ title: 'With its bytes' }),
      'false omits the base64',
    ),
    link_days: linkDaysField,
  }),
  output: z.object({
    wallet: z.string(),
    ...assetFields,
    data: z.string().optional().describe('The bytes as base64; absent with include_data false.'),
  }),
  reaches: 'assets:read',
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [{ wallet: '0x52908400098527886e0f7030069857d2e4169ee7', key: 'notes/hello.txt' }],
  next: ({ wallet }) => [
    {
      action: 'See all assets',
      tool: 'list_assets',
      why: 'Every key of the wallet and the free space',
      params: { wallet },
    },
  ],

  async run({ wallet, key, include_data, link_days: days }, { assets }: Pick<Services, 'assets'>, call) {
    const terms = { days, keyId: call.proof?.key?.id };
    if (!include_data) {
      const asset = requireAsset(await assets.find(wallet, key), key);
      return { wallet, ...assetAnswer(assets, wallet, asset, terms) };
    }
    const { asset, bytes } = await assets.open(wallet, key, { copies: BASE64_COPIES });
    const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
    return { wallet, ...assetAnswer(assets, wallet, asset, terms), data };
  },
});

function requireAsset(asset: Asset | undefined, key: string): Asset {
  if (asset) return asset;
  throw new AtelierError(
    'asset_not_found',
    `This wallet has no asset named ${JSON.stringify(key)}. list_assets lists all keys.`,
  );
}
