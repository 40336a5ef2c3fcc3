import { expect, test } from 'vitest';
import { quietCall } from '../../../../tests/support/quiet_call.ts';
import type { Services } from '../../services.ts';
import { deleteAsset } from './delete_asset.ts';

test('the response reports how much space was freed', async () => {
  const wallet = '0x52908400098527886e0f7030069857d2e4169ee7';
  const services = {
    assets: {
      remove: async () => ({ freedBytes: 5, storage: { usedBytes: 0, limitBytes: 100, earlierBytes: 7 } }),
    },
  } as unknown as Services;
  const answer = await deleteAsset.run({ wallet, key: 'a' }, services, quietCall());
  expect(deleteAsset.output.strict().parse(answer)).toEqual({
    wallet,
    key: 'a',
    deleted: true,
    freed_bytes: 5,
    storage: { used_bytes: 0, limit_bytes: 100, free_bytes: 100, earlier_bytes: 7 },
  });
});
