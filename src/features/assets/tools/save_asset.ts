import mime from 'mime';
import { z } from 'zod';
import { ASSET_BYTES_MAX, CONTENT_TYPE_CHARACTERS_MAX } from '../../../config/limits.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { briefly } from '../../definitions/brief.ts';
import { MEDIA_TYPE, readableWallet, walletField } from '../../definitions/fields.ts';
import { credits } from '../../definitions/price.ts';
import { withAliases, withCoercion } from '../../definitions/spellings.ts';
import { defineTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import {
  assetAnswer,
  assetFields,
  keyField,
  linkDaysField,
  storageAnswer,
  storageFields,
} from './asset_answer.ts';

export const saveAsset = defineTool({
  name: 'save_asset',
  title: 'Save an asset',
  category: 'storage',
  summary:
    'Store a file of up to 10 MB under a key of your wallet, which has 100 MB. Saving under a key again replaces its file; ten earlier versions are kept.',
  instead: { store_permanent: 'for ever and in public' },
  words:
    'upload and keep a file, store, put, write, back up, backup, in the cloud, remember, save my result for later, overwrite, put into my storage, session, store this file under a name, save the result to my wallet storage, cloud storage, write a json into my account, keep a copy, save this picture, put the logo into my storage, put into my storage, keep a copy of a file, upload a file and keep it, put aside, remember it, store data, upload to my storage, upload and store, keep an upload, store the svg or pdf in my wallet, remember this result, for another day, put it into the cloud, persist, memory for an agent, bookmark, stash, keep the output, save state',
  price: credits(1),
  input: z.object({
    wallet: readableWallet(walletField.describe('Your wallet; the one that pays.')),
    key: keyField,
    data: withAliases(
      briefly(
        z
          .string()
          .min(1, 'must not be empty')
          .meta({ contentMediaType: 'application/octet-stream' })
          .describe('The file, up to 10 MB: URL, upload:<id>, asset:<key>, result:<id> or base64.'),
        'URL, handle or base64.',
      ),
      ...['file', 'content', 'image', 'bytes', 'body', 'base64', 'url', 'value', 'source', 'handle'],
    ),
    content_type: withAliases(
      withCoercion(
        z
          .string()
          .max(CONTENT_TYPE_CHARACTERS_MAX, { abort: true })
          .regex(MEDIA_TYPE, 'must be a media type such as image/png')
          .default('image/png')
          .describe('Media type of the file.'),
        (sent) => (typeof sent === 'string' && mime.getType(sent)) || undefined,
      ),
      ...['mime_type', 'media_type', 'type'],
    ),
    metadata: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Metadata to store with it, up to 64 KB as JSON.'),
    link_days: linkDaysField,
  }),
  output: z.object({ wallet: z.string(), ...assetFields, overwritten: z.boolean(), storage: storageFields }),
  reaches: 'assets:write',
  effects: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  examples: [
    {
      wallet: '0x52908400098527886e0f7030069857d2e4169ee7',
      key: 'notes/hello.txt',
      data: 'SGVsbG8sIHdvcmxkIQ==',
      content_type: 'text/plain',
      metadata: { project: 'first steps' },
    },
  ],
  next: ({ wallet, key }) => [
    {
      action: 'Read it back',
      tool: 'get_asset',
      why: 'The bytes, checked against their sha256',
      params: { wallet, key },
    },
    {
      action: 'See all assets',
      tool: 'list_assets',
      why: 'Every key of the wallet and the free space',
      params: { wallet },
    },
  ],

  async run(
    { wallet, key, data, content_type, metadata, link_days: days },
    { assets, images }: Pick<Services, 'assets' | 'images'>,
    call,
  ) {
    requirePayerOwns(wallet, call.wallet);
    const { signal } = call;
    const bytes = await images.read(data, 'data', { wallet, signal }, ASSET_BYTES_MAX).catch(asAssetTooLarge);
    const other = images.otherThan(content_type, bytes);
    if (other) {
      const [is, remedy] =
        'words' in other
          ? [other.words, 'their own content_type, such as "text/plain"']
          : [other.mediaType, `content_type "${other.mediaType}"`];
      call.warn(
        `The bytes are ${is}, but were saved as ${content_type}, the value or default of content_type. Save them again with ${remedy}.`,
      );
    }
    const saved = await assets.save({
      wallet,
      key,
      bytes,
      contentType: content_type,
      ...(metadata && { metadata }),
      ...(call.hold !== undefined && { hold: call.hold }),
    });
    return {
      wallet,
      ...assetAnswer(assets, wallet, saved.asset, { days, keyId: call.proof?.key?.id }),
      overwritten: saved.overwritten,
      storage: storageAnswer(saved.storage),
    };
  },
});

function requirePayerOwns(wallet: string, payer: string | undefined): void {
  if (payer === undefined || payer === wallet) return;
  throw new AtelierError(
    'wallet_mismatch',
    `Assets are saved to the wallet of the payer. The payer is ${payer}, but wallet is ${wallet}.`,
  );
}

function asAssetTooLarge(error: unknown): never {
  if (!(error instanceof AtelierError) || error.code !== 'payload_too_large') throw error;
  throw new AtelierError(
    'asset_too_large',
    `data has more than ${ASSET_BYTES_MAX} bytes (10 MB), the limit for an asset.`,
    { ...error.details, cause: error },
  );
}
