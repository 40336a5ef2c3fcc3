import { join } from 'node:path';
import type { BaseLogger } from 'pino';
import type { Config } from './config/config.ts';
import {
  IDEMPOTENCY_LIFETIME_MS,
  KEPT_RESULT_GRACE_MS,
  RESULT_LIFETIME_MS,
  SPOOL_BYTES_MAX,
  UPLOAD_LIFETIME_MS,
} from './config/limits.ts';
import type { CpuBudget } from './core/cpu_budget/types.ts';
import type { Queryable } from './core/database/types.ts';
import { createResponseTexts } from './core/idempotency/response_texts.ts';
import type { Links } from './core/links/links.ts';
import type { StorageQuota, StorageQuotas } from './core/quotas/quotas.ts';
import { createRequestScopes, meterMainThread } from './core/request_scope/request_scope.ts';
import { createBlobs } from './core/storage/blobs/blobs.ts';
import { createDisk } from './core/storage/blobs/disk.ts';
import { createSpool } from './core/storage/blobs/spool.ts';
import { createBlobRecords } from './core/storage/blobs/store.ts';
import type { Store } from './core/storage/objects/types.ts';
import type { Telemetry } from './core/telemetry/types.ts';
import { createResults } from './features/assets/results/results.ts';
import { createUploads } from './features/assets/uploads/uploads.ts';

const A_DAY_MS = 86_400_000;

interface FilesDeps {
  readonly store: Store;
  readonly quotas: StorageQuotas;
  readonly links: Links;
  readonly logger: BaseLogger;
  readonly database: Queryable;
  readonly telemetry: Pick<Telemetry, 'count'>;
  readonly cpu: CpuBudget;
}

/** A bucket reports itself when it is full. */
const UNLIMITED_DISK = { requireRoom: async () => {} };

/**
 * Creates the services for files in DATA_DIR or in a bucket, within the limits of memory, disk and clients.
 */
export function createFiles(
  config: Config,
  { store, quotas, links, logger, database, telemetry, cpu }: FilesDeps,
) {
  const { objectsOf } = store;
  const requestScopes = createRequestScopes({
    bytesMax: config.BYTES_IN_MEMORY_MAX,
    meter: (current) =>
      meterMainThread({
        current,
        charge: (account, seconds) => cpu.charge(account, seconds, 'main'),
        settle: cpu.settle,
      }),
  });
  const disk = createDisk({ folder: config.DATA_DIR, freeBytesMin: config.DISK_FREE_MIN_BYTES });
  const room = store.remote ? UNLIMITED_DISK : disk;
  const { reserve } = requestScopes;
  const quotaOf = (what: string, bytesMax: number, lifetimeMs: number) =>
    quotas.of({
      what,
      bytesMax,
      callerBytesMax: callerShare(config, bytesMax),
      lifetimeMs,
      requestScopes,
      disk: room,
    });

  const blobs = createBlobs(objectsOf('blobs'), {
    logger,
    disk: room,
    reserve,
    records: createBlobRecords(database),
    onDamage: (kind) => telemetry.count('atelier_stored_files_damaged_total', { kind }),
  });
  const { UPLOADS_BYTES_MAX, RESULTS_BYTES_MAX, ANSWERS_BYTES_MAX } = config;
  const uploads = createUploads({
    objects: objectsOf('uploads'),
    links,
    bytesMax: UPLOADS_BYTES_MAX,
    quota: quotaOf('uploads', UPLOADS_BYTES_MAX, UPLOAD_LIFETIME_MS),
    reserve,
  });
  const spool = createSpool({ folder: join(config.DATA_DIR, 'arriving'), bytesMax: SPOOL_BYTES_MAX });
  const results = createResults({
    objects: objectsOf('results'),
    links,
    reserve,
    bytesMax: RESULTS_BYTES_MAX,
    quota: quotaOf('results', RESULTS_BYTES_MAX, RESULT_LIFETIME_MS + KEPT_RESULT_GRACE_MS),
  });
  const texts = createResponseTexts({
    blobs,
    results,
    quota: quotaOf('answers', ANSWERS_BYTES_MAX, IDEMPOTENCY_LIFETIME_MS),
  });
  return { blobs, uploads, spool, results, ...permanentQuotas(config, quotaOf), texts, disk, requestScopes };
}

type QuotaOf = (what: string, bytesMax: number, lifetimeMs: number) => StorageQuota;

/**
 * Assets, manifests and workspaces have no expiry; the share of a client counts what it stored in the last
 * day.
 */
const permanentQuotas = (config: Config, quotaOf: QuotaOf) => ({
  assetQuota: quotaOf('assets', config.ASSETS_BYTES_MAX, A_DAY_MS),
  manifestQuota: quotaOf('manifests', config.MANIFESTS_BYTES_MAX, A_DAY_MS),
  workspaceQuota: quotaOf('workspaces', config.WORKSPACES_BYTES_MAX, A_DAY_MS),
});

/** Limit of one client, from a total in bytes. */
const callerShare = ({ KEPT_SHARE_PERCENT }: Config, bytesMax: number): number =>
  Math.floor((bytesMax * KEPT_SHARE_PERCENT) / 100);
