import { expect, test } from 'vitest';
import { quietCall } from '../../../../tests/support/quiet_call.ts';
import type { Services } from '../../services.ts';
import type { AssetPage } from '../types.ts';
import { listAssets } from './list_assets.ts';

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';
const AT = new Date('2026-10-09T14:59:00Z');
const ASSET = {
  key: 'a',
  contentType: 'text/plain',
  sizeBytes: 5,
  sha256: 'ab',
  metadata: null,
  createdAt: AT,
  updatedAt: AT,
};

function given(assets: (typeof ASSET)[], nextCursor: string | null) {
  const asked: [string, AssetPage][] = [];
  const services = {
    assets: {
      list: async (wallet: string, page: AssetPage) => {
        asked.push([wallet, page]);
        return { assets, count: 7, totalBytes: 35, nextCursor };
      },
      use: async () => ({ usedBytes: 35, limitBytes: 100, earlierBytes: 0 }),
      linkTo: () => ({ url: 'https://atelier.test/link', expiresAt: new Date(0) }),
    },
  } as unknown as Services;
  return { asked, services };
}

test('a page contains totals, remaining quota and the next cursor', async () => {
  const { services, asked } = given([ASSET], 'YQ');
  const input = listAssets.input.parse({ wallet: WALLET, prefix: 'a', limit: 1 });
  const answer = listAssets.output.strict().parse(await listAssets.run(input, services, quietCall()));
  expect(answer).toMatchObject({
    count: 7,
    total_bytes: 35,
    next_cursor: 'YQ',
    storage: { used_bytes: 35, limit_bytes: 100, free_bytes: 65, earlier_bytes: 0 },
  });
  expect(asked).toEqual([[WALLET.toLowerCase(), { prefix: 'a', limit: 1 }]]);
  expect(listAssets.next!(answer, input, {})[0]).toMatchObject({
    tool: 'list_assets',
    params: { cursor: 'YQ', prefix: 'a' },
  });
});

test('for an empty wallet the next step is to save an asset', async () => {
  const input = listAssets.input.parse({ wallet: WALLET });
  const answer = await listAssets.run(input, given([], null).services, quietCall());
  expect(listAssets.next!(listAssets.output.parse(answer), input, {})).toMatchObject([
    { tool: 'get_tool_schema', params: { tool_name: 'save_asset' } },
  ]);
});
