import { z } from 'zod';
import { walletField } from '../../definitions/fields.ts';
import { FREE } from '../../definitions/price.ts';
import { defineTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import { keyField, storageAnswer, storageFields } from './asset_answer.ts';

export const deleteAsset = defineTool({
  name: 'delete_asset',
  title: 'Delete an asset',
  category: 'storage',
  summary: 'Delete a stored file of a wallet to free up space. It can be restored for seven days.',
  words:
    'remove, erase or throw away a stored file, not needed any more, no longer needed, old upload, free up space, make space, clean my storage, remove asset, kill, unneeded, delete everything I uploaded, out of storage, drop a file, forget that file, take my picture down, wipe, get rid of a stored file, remove my data, right to be forgotten, purge, erase old.png from my wallet, remove all my stored data, rm, empty, make room, overwrite with nothing, clean up, trash, obsolete file, no longer want it saved',
  price: FREE,
  input: z.object({ wallet: walletField, key: keyField }),
  output: z.object({
    wallet: z.string(),
    key: z.string(),
    deleted: z.literal(true),
    freed_bytes: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
    storage: storageFields,
  }),
  reaches: 'assets:write',
  effects: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  examples: [{ wallet: '0x52908400098527886e0f7030069857d2e4169ee7', key: 'notes/hello.txt' }],
  next: ({ wallet }) => [
    {
      action: 'See what is left',
      tool: 'list_assets',
      why: 'Every key of the wallet and the free space',
      params: { wallet },
    },
  ],

  async run({ wallet, key }, { assets }: Pick<Services, 'assets'>) {
    const { freedBytes, storage } = await assets.remove(wallet, key);
    return { wallet, key, deleted: true as const, freed_bytes: freedBytes, storage: storageAnswer(storage) };
  },
});
