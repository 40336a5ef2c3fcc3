import type { Database } from '../../core/database/types.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import type { Blobs } from '../../core/storage/blobs/types.ts';
import { assetKey } from './asset_key.ts';
import * as earlier from './earlier_store.ts';
import { PURGED_A_ROUND } from './limits.ts';
import { quotaExceeded } from './quota_exceeded.ts';
import * as store from './store.ts';
import type { EarlierAssets } from './types.ts';

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Earlier versions of replaced and deleted assets. The database creates them. */
export function createEarlier({
  database,
  blobs,
}: {
  readonly database: Database;
  readonly blobs: Pick<Blobs, 'open'>;
}): EarlierAssets {
  return {
    versions: (wallet, key) => earlier.selectEarlier(database, { wallet, key: assetKey(key) }),
    trash: (wallet, page) => earlier.selectTrash(database, wallet, page),
    async openEarlier(wallet, id) {
      const found = ID.test(id) ? await earlier.selectOne(database, { wallet, id }) : undefined;
      if (!found) throw notFound();
      return { earlier: found, blob: await blobs.open(found.sha256) };
    },
    async restore(wallet, id) {
      if (!ID.test(id)) throw notFound();
      const row = await earlier.restoreAsset(database, { wallet, id }).catch((error: unknown) => {
        throw store.isQuotaViolation(error) ? quotaExceeded() : error;
      });
      if (!row) throw notFound();
      return { asset: store.assetOf(row), storage: await store.selectUse(database, wallet) };
    },
    async purge(wallet, id) {
      const freedBytes = ID.test(id) ? await earlier.deleteEarlier(database, { wallet, id }) : undefined;
      if (freedBytes === undefined) throw notFound();
      return { freedBytes, storage: await store.selectUse(database, wallet) };
    },
    sweep: (now) => earlier.purgeDue(database, now, PURGED_A_ROUND),
  };
}

const notFound = (): AtelierError =>
  new AtelierError(
    'asset_not_found',
    'This wallet keeps nothing of that id. GET /api/assets/versions lists the versions of a key, GET /api/assets/trash what was deleted in the last seven days.',
  );
