import { createHash } from 'node:crypto';
import { activeManifestOf } from '@atelier/imaging/provenance/c2pa/jumbf.ts';
import { MANIFESTS_BYTES_MAX } from '../../../config/limits.ts';
import type { Database } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { StorageQuota } from '../../../core/quotas/quotas.ts';
import type { Blobs } from '../../../core/storage/blobs/blobs.ts';
import {
  FOREIGN_MANIFESTS_MAX,
  MADE_MANIFESTS_MAX,
  MANIFEST_STORE_BYTES_MAX,
  SUM_LIFETIME_MS,
} from './limits.ts';
import * as store from './store.ts';
import type { NewManifest, StoredManifests } from './types.ts';

interface KeptManifestsDeps {
  readonly database: Database;
  readonly blobs: Pick<Blobs, 'put' | 'get'>;
  /** Maximum total size of all stores, in bytes. */
  readonly bytesMax?: number;
  /** Daily storage quota per client; absent: unlimited. */
  readonly quota?: StorageQuota;
  readonly foreignMax?: number;
  readonly now?: () => Date;
}

/** Stores manifests as blobs. A blob is on disk before its row is inserted. */
export function createStoredManifests(parts: KeptManifestsDeps): StoredManifests {
  const { database, blobs, now = () => new Date() } = parts;
  const requireRoom = createRoom(parts);
  return {
    async keep(manifest) {
      const { store: bytes, ...about } = manifest;
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      await requireRoom(manifest, sha256);
      await blobs.put(bytes);
      return store.upsert(database, { ...about, sha256, sizeBytes: bytes.length }, now());
    },
    find: (id, sha256) => store.select(database, id, sha256 ?? null),
    findOf: (wallet, sha256) => store.selectOf(database, wallet, sha256),
    async bytesOf({ sha256 }, { activeOnly = false } = {}) {
      const bytes = await blobs.get(sha256, { bytesMax: MANIFEST_STORE_BYTES_MAX });
      return activeOnly ? activeManifestOf(bytes) : bytes;
    },
    ofLookalikes: async (ids) => (ids.length > 0 ? store.selectOfLookalikes(database, ids) : []),
    ofMark: (markId) => store.selectOfMark(database, markId),
    ofBinding: (alg, values) => store.selectOfBinding(database, alg, values),
    remove: (wallet, id) => store.deleteOwn(database, wallet, id),
  };
}

/**
 * Checks quotas and free space. The total size is read from the database once a minute; in between, this
 * process adds what it stores.
 */
function createRoom({
  database,
  quota,
  bytesMax = MANIFESTS_BYTES_MAX,
  foreignMax = FOREIGN_MANIFESTS_MAX,
  now = () => new Date(),
}: KeptManifestsDeps) {
  let sum = { bytes: 0, until: 0 };
  return async ({ store: bytes, wallet, isOurs, madeFrom }: NewManifest, sha256: string): Promise<void> => {
    if (bytes.length > MANIFEST_STORE_BYTES_MAX) {
      throw new AtelierError(
        'payload_too_large',
        `The manifest store has ${bytes.length} bytes. The limit is ${MANIFEST_STORE_BYTES_MAX}.`,
      );
    }
    if (await store.isKept(database, { wallet, sha256 })) return;
    if (!isOurs && wallet !== undefined && (await store.countForeign(database, wallet)) >= foreignMax) {
      throw new AtelierError(
        'storage_quota_exceeded',
        `The wallet has reached the limit of ${foreignMax} manifests from other signers. Delete some: DELETE /api/c2pa/manifests/{manifestId}.`,
      );
    }
    if (
      madeFrom !== undefined &&
      (await store.countMade(database, { wallet, madeFrom })) >= MADE_MANIFESTS_MAX
    ) {
      throw new AtelierError(
        'storage_quota_exceeded',
        `The wallet has reached the limit of ${MADE_MANIFESTS_MAX} manifests of results made from one image.`,
      );
    }
    if (+now() >= sum.until) sum = { bytes: await store.sumBytes(database), until: +now() + SUM_LIFETIME_MS };
    if (sum.bytes + bytes.length > bytesMax) {
      throw new AtelierError(
        'storage_full',
        'The manifest storage of this server is full, so the manifest was not stored.',
        {
          retryAfterSeconds: 600,
        },
      );
    }
    await quota?.take(bytes.length);
    sum = { ...sum, bytes: sum.bytes + bytes.length };
  };
}
