import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { AtelierError, type ErrorCode, type FieldProblem } from '../../../core/errors/atelier_error.ts';
import type { SpooledFile } from '../../../core/storage/blobs/spool.ts';
import type { ArchivedWorkspace } from '../../workspaces/types.ts';
import { MANIFEST_HEAP_MIB, MANIFEST_IN_PLACE_BYTES_MAX, MANIFEST_MS_MAX } from './limits.ts';
import { type ManifestBatch, readManifest, type SignedManifest } from './manifest_batches.ts';
import { archiveInvalid } from './read_tar.ts';

/** Response of the thread to each request. */
export type ManifestMessage =
  | { readonly batch: ManifestBatch }
  | { readonly isEnd: true }
  | {
      readonly refusal: {
        readonly code: ErrorCode;
        readonly message: string;
        readonly errors: FieldProblem[] | undefined;
      };
    };

/** JSON arrays, each for one statement. */
export interface ArchiveRows {
  readonly assets: readonly string[];
  /** Oldest first. */
  readonly versions: readonly string[];
}

export interface ArchiveContents {
  readonly exportedAt: string;
  readonly records: number;
  /** Files of assets and records, by name. */
  readonly files: Map<string, { sha256: string; bytes: number }>;
  readonly workspaces: readonly ArchivedWorkspace[];
  readonly rows: ArchiveRows;
}

/** A signed manifest on the disk. */
export type StoredManifest = SpooledFile & Omit<SignedManifest, 'text'>;

export type ManifestReader = (manifest: StoredManifest, signal: AbortSignal) => Promise<ArchiveContents>;

/** Reads manifests, large ones in a thread and one at a time: each may need MANIFEST_HEAP_MIB and a core. */
export function createManifestReader(): ManifestReader {
  let last: Promise<unknown> = Promise.resolve();
  return async (manifest, signal) => {
    if (manifest.sizeBytes <= MANIFEST_IN_PLACE_BYTES_MAX)
      return collect(readManifest({ ...manifest, text: await readFile(manifest.path) }));
    const reading = last.then(() => {
      signal.throwIfAborted();
      return collect(batchesFromThread(manifest, signal));
    });
    last = reading.catch(() => {});
    return reading;
  };
}

async function collect(
  batches: Iterable<ManifestBatch> | AsyncIterable<ManifestBatch>,
): Promise<ArchiveContents> {
  let about = { exportedAt: '', records: 0 };
  const files: ArchiveContents['files'] = new Map();
  const rows = { assets: [] as string[], versions: [] as string[] };
  const workspaces: ArchivedWorkspace[] = [];
  for await (const batch of batches) {
    if ('files' in batch) for (const [name, sha256, bytes] of batch.files) files.set(name, { sha256, bytes });
    else if ('assets' in batch) rows.assets.push(batch.assets);
    else if ('versions' in batch) rows.versions.push(batch.versions);
    else if ('workspaces' in batch) workspaces.push(...batch.workspaces);
    else about = batch;
  }
  return { ...about, files, workspaces, rows };
}

/** @throws AtelierError as readManifest does; archive_invalid where the thread ends without a response */
async function* batchesFromThread(
  manifest: StoredManifest,
  signal: AbortSignal,
): AsyncGenerator<ManifestBatch> {
  const worker = new Worker(new URL('./manifest_thread.ts', import.meta.url), {
    workerData: manifest,
    resourceLimits: { maxOldGenerationSizeMb: MANIFEST_HEAP_MIB },
  });
  const late = AbortSignal.any([signal, AbortSignal.timeout(MANIFEST_MS_MAX)]);
  try {
    for (;;) {
      const answer = once(worker, 'message', { signal: late });
      worker.postMessage('more');
      const [message] = (await answer) as [ManifestMessage];
      if ('isEnd' in message) return;
      if ('refusal' in message) {
        const { code, message: said, errors } = message.refusal;
        throw new AtelierError(code, said, errors && { errors });
      }
      yield message.batch;
    }
  } catch (error) {
    if (late.aborted || (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY')
      throw archiveInvalid('Reading its manifest takes too much time or memory.');
    throw error;
  } finally {
    await worker.terminate();
  }
}
