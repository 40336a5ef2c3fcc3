import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { AtelierError } from '../../errors/atelier_error.ts';
import type { Reserve } from '../../request_scope/types.ts';
import { reserveNothing } from '../../request_scope/visits.ts';
import type { Disk } from '../disk/types.ts';
import type { Objects } from '../objects/types.ts';
import { blobName } from './blob_name.ts';
import { CheckedBlob, CheckedDirectBlob, chunkDigests } from './checked_blob.ts';
import { tooLarge } from './disk.ts';
import { CHUNK_BYTES } from './limits.ts';
import type { BlobChecksums, BlobRecords, Blobs } from './types.ts';

const SHA256 = /^[0-9a-f]{64}$/;
const SWEEP_BATCH = 500;
/** A bucket is listed by each server, and asks money for it. */
const SWEEP_STORE_MS = 1_800_000;

/** Where damage is reported; pino's logger fits. */
interface DamageLogger {
  error(details: object, message: string): void;
}

/** Without a database nothing is known of a file but its name. */
const NO_RECORDS: BlobRecords = {
  saveChecksums: async () => {},
  checksumsOf: async () => undefined,
  saveDamage: async () => {},
  removeDamage: async () => {},
  forget: async () => {},
};

interface BlobsOptions {
  readonly logger?: DamageLogger;
  /** Absent: everything is taken until the disk is full. */
  readonly disk?: Pick<Disk, 'requireRoom'>;
  /** Counts what is read. */
  readonly reserve?: Reserve;
  readonly records?: BlobRecords;
  /** Told of every damaged file that is asked for. */
  readonly onDamage?: (kind: 'changed' | 'missing') => void;
}

/**
 * Bytes named by their sha256, as `ab/cd/abcd…`. Several processes may share the objects.
 * Every `put` writes anew: that repairs damaged bytes and gives them a fresh age, which is what keeps a sweep from taking a blob
 * somebody has just kept.
 */
export function createBlobs(
  objects: Objects,
  { logger, disk, reserve = reserveNothing, records = NO_RECORDS, onDamage }: BlobsOptions = {},
): Blobs {
  const sizeOf = async (sha256: string): Promise<number | undefined> =>
    SHA256.test(sha256) ? objects.sizeOf(blobName(sha256)) : undefined;
  const { damaged, reportDamage } = createDamageReporter({ logger, records, onDamage });
  const isDue = dueEvery(objects.kind === 's3' ? SWEEP_STORE_MS : 0);

  return {
    async put(bytes) {
      await disk?.requireRoom(bytes.length);
      const sha256 = sha256Of(bytes);
      await objects.replace(blobName(sha256), bytes);
      if (bytes.length > CHUNK_BYTES)
        await records.saveChecksums(sha256, { bytes: bytes.length, chunks: chunkDigests(bytes) });
      if (damaged.delete(sha256)) await records.removeDamage(sha256);
      return sha256;
    },

    async get(sha256, { bytesMax = Number.POSITIVE_INFINITY, copies = 1 } = {}) {
      const size = await sizeOf(sha256);
      if (size !== undefined && size > bytesMax) throw tooLarge(size, bytesMax);
      await reserve((size ?? 0) * copies);
      const bytes = size === undefined ? undefined : await objects.read(blobName(sha256));
      if (bytes && sha256Of(bytes) === sha256) return bytes;
      throw reportDamage(sha256, { isMissing: !bytes });
    },

    async open(sha256) {
      const blob = SHA256.test(sha256) ? await objects.open(blobName(sha256)) : undefined;
      const checks = {
        sha256,
        load: () => records.checksumsOf(sha256),
        save: (checksums: BlobChecksums) => records.saveChecksums(sha256, checksums),
        reportDamage: () => reportDamage(sha256, { isMissing: false }),
      };
      if (blob)
        return 'addressFor' in blob ? new CheckedDirectBlob(blob, checks) : new CheckedBlob(blob, checks);
      throw reportDamage(sha256, { isMissing: true });
    },

    sweep: async (isUsed, olderThan) => (isDue() ? sweepUnused(objects, records, { isUsed, olderThan }) : 0),
  };
}

function createDamageReporter({
  logger,
  records,
  onDamage,
}: Pick<BlobsOptions, 'logger' | 'onDamage'> & { readonly records: BlobRecords }) {
  /** Damage this process has met; what another has recorded of a small file stays until a sweep deletes it. */
  const damaged = new Set<string>();
  const reportDamage = (sha256: string, { isMissing: missing }: { isMissing: boolean }): AtelierError => {
    logger?.error({ sha256, missing }, 'stored file is damaged');
    onDamage?.(missing ? 'missing' : 'changed');
    damaged.add(sha256);
    // The failure is answered either way; the log has it where the database has not.
    if (SHA256.test(sha256))
      records
        .saveDamage(sha256, missing)
        .catch((error: unknown) => logger?.error({ sha256, err: error }, 'damage could not be recorded'));
    return new AtelierError(
      'stored_file_damaged',
      missing
        ? 'The stored file is damaged: its bytes are gone.'
        : 'The stored file is damaged: its bytes are no longer those that were saved.',
      { cause: new Error(`blob ${sha256} ${missing ? 'is missing' : 'no longer has its sha256'}`) },
    );
  };
  return { damaged, reportDamage };
}

async function sweepUnused(
  objects: Objects,
  records: BlobRecords,
  { isUsed, olderThan }: { isUsed: Parameters<Blobs['sweep']>[0]; olderThan: Date },
): Promise<number> {
  let removed = 0;
  let old: string[] = [];
  const removeUnused = async () => {
    const used = await isUsed(old.map((name) => basename(name)).filter((name) => SHA256.test(name)));
    const gone: string[] = [];
    for (const name of old) {
      // What is not named by a sha256 was left by a process that died while writing.
      if (!used.has(basename(name)) && (await objects.removeIfOlder(name, olderThan)))
        gone.push(basename(name));
    }
    if (gone.length > 0) await records.forget(gone);
    removed += gone.length;
    old = [];
  };
  for await (const { name, modifiedAt } of objects.list()) {
    if (modifiedAt < olderThan) old.push(name);
    if (old.length === SWEEP_BATCH) await removeUnused();
  }
  if (old.length > 0) await removeUnused();
  return removed;
}

/** True the first time, and whenever so much time has gone by since it was. */
function dueEvery(ms: number): () => boolean {
  let lastAt = Number.NEGATIVE_INFINITY;
  return () => {
    const isDue = performance.now() - lastAt >= ms;
    if (isDue) lastAt = performance.now();
    return isDue;
  };
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
