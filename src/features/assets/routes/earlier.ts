import { z } from 'zod';
import { walletField } from '../../definitions/fields.ts';
import { costFields, freeAnswer } from '../../definitions/free_answer.ts';
import { defineOperation } from '../../definitions/operation.ts';
import { untrustedStoredFile } from '../../definitions/untrusted_file.ts';
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
} from '../tools/asset_answer.ts';

const TRASH_PAGE_MAX = 1000;

type Needs = Pick<Services, 'assets' | 'catalogue'>;
const number = z.coerce.number().int().min(1);

export const listVersions = defineOperation({
  name: 'list_asset_versions',
  methods: ['GET'],
  path: '/api/assets/versions',
  tag: 'storage',
  summary: 'The last 10 versions of an asset, newest first.',
  input: z.object({ wallet: walletField, key: keyField }),
  answer: z.object({
    wallet: z.string(),
    current: z.object(assetFields).nullable().describe('Current version; null if deleted.'),
    versions: z.array(earlierFields),
    ...costFields,
  }),
  reaches: 'assets:read',
  isPrivate: true,
  async run({ wallet, key }, { assets, catalogue }: Needs) {
    const [current, versions] = await Promise.all([assets.find(wallet, key), assets.versions(wallet, key)]);
    return {
      wallet,
      current: current ? assetAnswer(assets, wallet, current) : null,
      versions: versions.map(earlierAnswer),
      ...freeAnswer(catalogue),
    };
  },
});

export const listTrash = defineOperation({
  name: 'list_trash',
  methods: ['GET'],
  path: '/api/assets/trash',
  tag: 'storage',
  summary: 'Assets deleted in the last 7 days, newest first. POST /api/assets/restore restores them.',
  input: z.object({
    wallet: walletField,
    limit: number.max(TRASH_PAGE_MAX).default(100),
    before: number.max(Number.MAX_SAFE_INTEGER).optional().describe('`next` of the previous page.'),
  }),
  answer: z.object({
    wallet: z.string(),
    trash: z.array(earlierFields),
    next: z.int().min(1).max(Number.MAX_SAFE_INTEGER).nullable(),
    ...costFields,
  }),
  reaches: 'assets:read',
  isPrivate: true,
  async run({ wallet, limit, before }, { assets, catalogue }: Needs) {
    const found = await assets.trash(wallet, { limit: limit + 1, before });
    const shown = found.slice(0, limit);
    return {
      wallet,
      trash: shown.map(earlierAnswer),
      next: found.length > limit ? shown.at(-1)!.number : null,
      ...freeAnswer(catalogue),
    };
  },
});

export const restoreAsset = defineOperation({
  name: 'restore_asset',
  methods: ['POST'],
  path: '/api/assets/restore',
  alsoFails: [404],
  tag: 'storage',
  summary:
    'Restores an earlier version or a deleted asset. The current version, if any, becomes an earlier version.',
  input: z.object({ wallet: walletField, id: earlierId }),
  answer: z.object({ wallet: z.string(), ...assetFields, storage: storageFields, ...costFields }),
  reaches: 'assets:write',
  limit: { name: 'restored-assets', calls: 600, perSeconds: 3600 },
  async run({ wallet, id }, { assets, catalogue }: Needs) {
    const { asset, storage } = await assets.restore(wallet, id);
    return {
      wallet,
      ...assetAnswer(assets, wallet, asset),
      storage: storageAnswer(storage),
      ...freeAnswer(catalogue),
    };
  },
});

export const openVersion = defineOperation({
  name: 'open_asset_version',
  methods: ['GET'],
  path: '/api/assets/versions/{id}',
  tag: 'storage',
  summary: 'The bytes of an earlier version or of a deleted asset.',
  input: z.object({ id: earlierId, wallet: walletField }),
  answer: { file: '*/*', description: 'The bytes, with their stored media type.' },
  reaches: 'assets:read',
  isPrivate: true,
  async run({ id, wallet }, { assets }: Needs) {
    const { earlier, blob } = await assets.openEarlier(wallet, id);
    const { sha256, contentType } = earlier;
    return untrustedStoredFile({ bytes: blob, version: sha256, sha256, contentType }, 'private, no-cache');
  },
});

export const purgeVersion = defineOperation({
  name: 'purge_asset_version',
  methods: ['DELETE'],
  path: '/api/assets/versions/{id}',
  tag: 'storage',
  summary: 'Permanently deletes an earlier version or a deleted asset.',
  input: z.object({ id: earlierId, wallet: walletField }),
  answer: z.object({
    wallet: z.string(),
    purged: z.literal(true),
    freed_bytes: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
    storage: storageFields,
    ...costFields,
  }),
  reaches: 'assets:write',
  async run({ id, wallet }, { assets, catalogue }: Needs) {
    const { freedBytes, storage } = await assets.purge(wallet, id);
    return {
      wallet,
      purged: true as const,
      freed_bytes: freedBytes,
      storage: storageAnswer(storage),
      ...freeAnswer(catalogue),
    };
  },
});
