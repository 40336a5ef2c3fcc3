import { z } from 'zod';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import { briefly } from '../../definitions/brief.ts';
import { walletField } from '../../definitions/fields.ts';
import { FREE } from '../../definitions/price.ts';
import { withAliases } from '../../definitions/spellings.ts';
import { defineTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import {
  assetAnswer,
  assetFields,
  earlierAnswer,
  earlierFields,
  earlierId,
  keyField,
  storageAnswer,
  storageFields,
} from './asset_answer.ts';

const LISTED_MAX = 100;

export const manageTrash = defineTool({
  name: 'manage_trash',
  title: 'Trash and versions',
  category: 'storage',
  summary:
    'List deleted files of a wallet (seven days) or the ten earlier versions of a key, or restore one.',
  words:
    'undelete, restore a deleted file, recover, undo the deletion, bring back what I deleted, trash, recycle bin, wastebasket, earlier or previous version, version history, roll back a file, overwritten by mistake, what did this key hold before, revert',
  price: FREE,
  input: z.object({
    wallet: walletField,
    action: z.enum(['list', 'versions', 'restore']).default('list'),
    key: briefly(
      withAliases(
        keyField.optional().describe('versions: the file. restore: its latest deleted version.'),
        'name',
      ),
      'for versions or restore',
    ),
    id: briefly(earlierId.optional().describe('For restore: an id from list or versions.'), 'for restore'),
  }),
  output: z.object({
    wallet: z.string(),
    items: z.array(earlierFields).optional().describe('Newest first, at most 100.'),
    restored: z.object(assetFields).optional().describe('Current version of the key.'),
    storage: storageFields.optional(),
  }),
  reaches: 'assets:write',
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  limit: { name: 'restored-assets', calls: 600, perSeconds: 3600 },
  examples: [{ wallet: '0x52908400098527886e0f7030069857d2e4169ee7', action: 'list' }],
  next: ({ wallet, items, restored }) => {
    if (restored)
      return [
        {
          action: 'Read it back',
          tool: 'get_asset',
          why: 'The bytes, checked against their sha256',
          params: { wallet, key: restored.key },
        },
      ];
    return (items ?? []).slice(0, 1).map(({ id }) => ({
      action: 'Restore the newest',
      tool: 'manage_trash',
      why: 'It becomes the current version of its key',
      params: { wallet, action: 'restore', id },
    }));
  },

  async run({ wallet, action, key, id }, { assets }: Pick<Services, 'assets'>) {
    if (action === 'list')
      return { wallet, items: (await assets.trash(wallet, { limit: LISTED_MAX })).map(earlierAnswer) };
    if (action === 'versions') {
      if (key === undefined) throw invalidField('key', 'key is missing. versions needs the key of the file.');
      return { wallet, items: (await assets.versions(wallet, key)).map(earlierAnswer) };
    }
    const chosen = id ?? (key === undefined ? undefined : await latestDeleted(assets, wallet, key));
    if (chosen === undefined)
      throw invalidField(
        'id',
        'restore needs the id of a version or the key of a deleted file. Call list or versions first.',
      );
    const { asset, storage } = await assets.restore(wallet, chosen);
    return { wallet, restored: assetAnswer(assets, wallet, asset), storage: storageAnswer(storage) };
  },
});

/** Id of the last deleted asset with a key. */
async function latestDeleted(
  assets: Services['assets'],
  wallet: string,
  key: string,
): Promise<string | undefined> {
  const found = await assets.versions(wallet, key);
  return found.find(({ isDeleted }) => isDeleted)?.id;
}
