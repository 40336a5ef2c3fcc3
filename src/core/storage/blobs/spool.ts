import { createHash, randomUUID } from 'node:crypto';
import { close, open, writev } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BUSY_RETRY_SECONDS } from '../../../config/limits.ts';
import { AtelierError } from '../../errors/atelier_error.ts';
import { isMissing, refuseFullDisk } from './disk.ts';

/** A file that has not grown for this long belongs to a killed process: slower bodies are refused. */
const ABANDONED_MS = 10 * 60_000;
/** Limit of writev(2). */
const PIECES_MAX = 1024;

const descriptors = {
  open: promisify(open),
  writev: promisify(writev) as (
    descriptor: number,
    pieces: readonly Uint8Array[],
  ) => Promise<{ bytesWritten: number }>,
  close: promisify(close),
};

/** A complete body on the disk that nothing refers to yet. */
export interface SpooledFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** In hex. */
  readonly sha256: string;
}

/** A file that a body is written to while it arrives. */
export interface SpoolWriter {
  /** Hashes a piece and takes it over: its memory is freed once it is written. @throws AtelierError busy */
  add(piece: Uint8Array): void;
  /** Writes what was added. @throws AtelierError storage_full */
  flush(): Promise<void>;
  /** @throws AtelierError storage_full */
  finish(): Promise<SpooledFile>;
  /** Deletes the file. */
  remove(): Promise<void>;
}

export interface Spool {
  /** @param address whose share of the disk the file counts for */
  open(address: string): SpoolWriter;
  /** Deletes the files of killed processes; returns their number. */
  sweep(now: Date): Promise<number>;
}

interface SpoolOptions {
  readonly folder: string;
  /** Limit of all files; one address gets half of it. */
  readonly bytesMax: number;
}

/** Bodies in files while they arrive, so that memory holds a small part of each. */
export function createSpool({ folder, bytesMax }: SpoolOptions): Spool {
  const budgetOf = createBudgets(bytesMax);
  return {
    open: (address) => createWriter(folder, budgetOf(address)),
    async sweep(now) {
      const names = await readdir(folder).catch(() => []);
      const removed = await Promise.all(
        names.map((name) => removeIfAbandoned(join(folder, name), now.getTime() - ABANDONED_MS)),
      );
      return removed.filter(Boolean).length;
    },
  };
}

async function removeIfAbandoned(path: string, beforeMs: number): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (!found || found.mtimeMs >= beforeMs) return false;
  await rm(path, { force: true });
  return true;
}

interface Budget {
  /** @throws AtelierError busy */
  take(bytes: number): void;
  release(): void;
}

function createBudgets(bytesMax: number): (address: string) => Budget {
  const byAddress = new Map<string, number>();
  let all = 0;
  return (address) => {
    let own = 0;
    const add = (bytes: number) => {
      own += bytes;
      all += bytes;
      const sum = (byAddress.get(address) ?? 0) + bytes;
      if (sum > 0) byAddress.set(address, sum);
      else byAddress.delete(address);
    };
    return {
      take(bytes) {
        const ofAddress = (byAddress.get(address) ?? 0) + bytes;
        if (all + bytes > bytesMax || ofAddress > bytesMax / 2) throw tooManyUploads();
        add(bytes);
      },
      release: () => add(-own),
    };
  };
}

const tooManyUploads = (): AtelierError =>
  new AtelierError('busy', 'Too many uploads are in progress. Send the same file again.', {
    retryAfterSeconds: BUSY_RETRY_SECONDS,
  });

function createWriter(folder: string, budget: Budget): SpoolWriter {
  const path = join(folder, randomUUID());
  const hash = createHash('sha256');
  let descriptor: number | undefined;
  let pending: Uint8Array[] = [];
  let sizeBytes = 0;
  let writing = Promise.resolve();

  const writePending = async () => {
    descriptor ??= await openNew(folder, path);
    const pieces = pending;
    pending = [];
    for (let at = 0; at < pieces.length; at += PIECES_MAX)
      await writePieces(descriptor, pieces.slice(at, at + PIECES_MAX));
    for (const piece of pieces) freePiece(piece);
  };
  const flush = () => {
    writing = writing.then(() => refuseFullDisk(writePending));
    return writing;
  };
  const closeFile = async () => {
    const opened = descriptor;
    descriptor = undefined;
    if (opened !== undefined) await descriptors.close(opened);
  };
  return {
    add(piece) {
      budget.take(piece.byteLength);
      hash.update(piece);
      sizeBytes += piece.byteLength;
      pending.push(piece);
    },
    flush,
    async finish() {
      await flush();
      await closeFile();
      return { path, sizeBytes, sha256: hash.digest('hex') };
    },
    async remove() {
      await writing.catch(() => {});
      pending = [];
      await closeFile();
      await rm(path, { force: true });
      budget.release();
    },
  };
}

/** Readable by this user only. */
async function openNew(folder: string, path: string): Promise<number> {
  const openNewFile = () => descriptors.open(path, 'wx', 0o600);
  return openNewFile().catch(async (error: unknown) => {
    if (!isMissing(error)) throw error;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return openNewFile();
  });
}

/** A write may end early. */
async function writePieces(descriptor: number, pieces: readonly Uint8Array[]): Promise<void> {
  let left = pieces.filter(({ byteLength }) => byteLength > 0);
  while (left.length > 0) {
    let { bytesWritten } = await descriptors.writev(descriptor, left);
    const rest: Uint8Array[] = [];
    for (const piece of left) {
      const skipped = Math.min(bytesWritten, piece.byteLength);
      bytesWritten -= skipped;
      if (skipped < piece.byteLength) rest.push(piece.subarray(skipped));
    }
    left = rest;
  }
}

/** Frees the memory of a piece that shares it with nothing: bodies arrive faster than garbage is collected. */
export function freePiece({ buffer, byteLength }: Uint8Array): void {
  if (byteLength > 0 && byteLength === buffer.byteLength) (buffer as ArrayBuffer).transfer(0);
}
