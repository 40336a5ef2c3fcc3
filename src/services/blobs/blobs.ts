import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { AtelierError } from '../../errors/atelier_error.ts';
import type { Disk } from '../disk/contract.ts';
import type { Objects } from '../objects/contract.ts';
import type { Reserve } from '../visits/contract.ts';
import { reserveNothing } from '../visits/visits.ts';
import { blobName } from './blob_name.ts';
import type { Blobs } from './contract.ts';
import { tooLarge } from './disk.ts';

const SHA256 = /^[0-9a-f]{64}$/;
const SWEEP_BATCH = 500;
/** A bucket is listed by each server, and asks money for it. */
const SWEEP_STORE_MS = 1_800_000;

/** Where damage is reported; pino's logger fits. */
interface DamageLogger {
  error(details: object, message: string): void;
}

interface BlobsOptions {
  readonly logger?: DamageLogger;
  /** Absent: everything is taken until the disk is full. */
  readonly disk?: Pick<Disk, 'requireRoom'>;
  /** Counts what is read. */
  readonly reserve?: Reserve;
}

/**
 * Bytes named by their sha256, as `ab/cd/abcd…`. Several processes may share the objects.
 * Every `put` writes anew: that repairs damaged bytes and gives them a fresh age, which is what keeps a sweep from taking a blob
 * somebody has just kept.
 */
export function createBlobs(
  objects: Objects,
  { logger, disk, reserve = reserveNothing }: BlobsOptions = {},
): Blobs {
  const sizeOf = async (sha256: string): Promise<number | undefined> =>
    SHA256.test(sha256) ? objects.sizeOf(blobName(sha256)) : undefined;
  const reportDamage = (sha256: string, { isMissing: missing }: { isMissing: boolean }): AtelierError => {
    logger?.error({ sha256, missing }, 'stored bytes are damaged');
    return new AtelierError(
      'internal_error',
      'The stored bytes are damaged or gone, so they are not answered.',
      { cause: new Error(`blob ${sha256} ${missing ? 'is missing' : 'no longer has its sha256'}`) },
    );
  };

  const isDue = dueEvery(objects.kind === 's3' ? SWEEP_STORE_MS : 0);

  return {
    async put(bytes) {
      await disk?.requireRoom(bytes.length);
      const sha256 = sha256Of(bytes);
      await objects.replace(blobName(sha256), bytes);
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
      if (blob) return blob;
      throw reportDamage(sha256, { isMissing: true });
    },

    sweep: async (isUsed, olderThan) => (isDue() ? sweepUnused(objects, isUsed, olderThan) : 0),
  };
}

async function sweepUnused(
  objects: Objects,
  isUsed: Parameters<Blobs['sweep']>[0],
  olderThan: Date,
): Promise<number> {
  let removed = 0;
  let old: string[] = [];
  const removeUnused = async () => {
    const used = await isUsed(old.map((name) => basename(name)).filter((name) => SHA256.test(name)));
    for (const name of old) {
      // What is not named by a sha256 was left by a process that died while writing.
      if (!used.has(basename(name)) && (await objects.removeIfOlder(name, olderThan))) removed += 1;
    }
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
