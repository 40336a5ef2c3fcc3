import { expect, test } from 'vitest';
import { quietCall } from '../../../../tests/support/quiet_call.ts';
import type { Services } from '../../services.ts';
import type { Asset } from '../types.ts';
import { getAsset } from './get_asset.ts';

const WALLET = '0x52908400098527886e0f7030069857d2e4169ee7';
const AT = new Date('2026-10-09T14:59:00Z');
const ASSET: Asset = {
  key: 'a',
  contentType: 'text/plain',
  sizeBytes: 5,
  sha256: 'ab',
  metadata: null,
  createdAt: AT,
  updatedAt: AT,
};

const services = {
  assets: {
    open: async () => ({ asset: ASSET, bytes: Buffer.from('hello') }),
    find: async (_: string, key: string) => (key === 'a' ? ASSET : undefined),
    linkTo: () => ({ url: 'https://atelier.test/link', expiresAt: new Date(0) }),
  },
} as unknown as Services;

const getting = (more: object) =>
  getAsset.run(getAsset.input.parse({ wallet: WALLET, ...more }), services, quietCall());

test('an asset is returned with its bytes', async () => {
  const answer = getAsset.output.strict().parse(await getting({ key: 'a' }));
  expect(answer).toMatchObject({
    wallet: WALLET,
    key: 'a',
    size_bytes: 5,
    data: 'aGVsbG8=',
    url: 'https://atelier.test/link',
  });
});

test('an asset can be inspected without its bytes', async () => {
  expect(await getting({ key: 'a', include_data: false })).not.toHaveProperty('data');
});

test('a missing asset returns asset_not_found', async () => {
  await expect(getting({ key: 'b', include_data: false })).rejects.toMatchObject({
    code: 'asset_not_found',
    status: 404,
  });
});
