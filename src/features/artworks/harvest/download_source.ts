import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { holdLock } from '../../../core/database/process_lock.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import {
  DATASET_DOWNLOAD_STALL_BYTES,
  DATASET_DOWNLOAD_STALL_MS,
  DATASET_FILE_BYTES_MAX,
  DATASET_INFLATION_GRACE_BYTES,
  DATASET_INFLATION_MAX,
} from '../limits.ts';
import { SourceProblem } from '../readers/source_problem.ts';
import { connectionProblem, PassingProblem, type Retries, refusalOf, retryPassing } from './retry_passing.ts';

export interface Download extends Retries {
  readonly url: string;
  /** Where the file will be. */
  readonly path: string;
  readonly fetch: typeof fetch;
  /** Asked before so many bytes are written. @throws where the disk has no room for them */
  readonly requireRoom?: ((bytes: number) => Promise<void>) | undefined;
  /** Absent: DATASET_DOWNLOAD_STALL_MS. */
  readonly stallMs?: number;
  onProgress(bytesDone: number, bytesInAll: number | undefined): void;
}

/**
 * Downloads a file and answers its path. A connection that breaks off is taken up again where it broke, a few times now and by the
 * next call after that (RFC 9110, 13.1.5 and 14); a file that has changed meanwhile is begun anew. A file that is there
 * already is not asked for again.
 * @throws SourceProblem where it cannot be had
 */
export async function downloadSource(wanted: Download): Promise<string> {
  const { path } = wanted;
  if (await stat(path).catch(() => undefined)) return path;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const release = holdLock(`${path}.lock`, ({ pid }) => fetchedByAnother(wanted.url, pid));
  try {
    await retryPassing(() => fetchRest(wanted), wanted);
    await rename(partOf(path), path);
    await rm(versionOf(path), { force: true });
  } finally {
    release();
  }
  return path;
}

/** Two that write one part would spoil it. */
export const fetchedByAnother = (url: string, pid: number): SourceProblem =>
  new SourceProblem(`Process ${pid} is fetching ${url} already. Wait until it has ended.`);

/** Of an answer that does not say how long it is, and while others fill the disk. */
const ROOM_ASKED_EVERY_BYTES = 64 * 1024 * 1024;

const partOf = (path: string): string => `${path}.part`;
const versionOf = (path: string): string => `${path}.part.version`;

/** Which version of the file a part is of, as the server named it: a strong entity tag or a date. */
interface Part {
  readonly bytes: number;
  readonly version: string;
}

/** What can be gone on with. A part of which nobody knows the version may belong to another file by now. */
async function partAt(path: string): Promise<Part | undefined> {
  const { size: bytes } = (await stat(partOf(path)).catch(() => undefined)) ?? { size: 0 };
  const version = await readFile(versionOf(path), 'utf8').catch(() => '');
  return bytes > 0 && version !== '' ? { bytes, version } : undefined;
}

async function fetchRest(wanted: Download): Promise<void> {
  const { url, path, fetch, signal, stallMs = DATASET_DOWNLOAD_STALL_MS } = wanted;
  const part = await partAt(path);
  const stall = new AbortController();
  const watch = setTimeout(() => stall.abort(), stallMs);
  try {
    const response = await fetch(url, {
      // Parts of a compressed answer would not fit together.
      headers: {
        'Accept-Encoding': 'identity',
        ...(part && { Range: `bytes=${part.bytes}-`, 'If-Range': part.version }),
      },
      signal: AbortSignal.any([signal, stall.signal]),
    });
    // The part is as long as the file, or the file has become shorter: which of them cannot be told.
    if (response.status === 416 && part) {
      await rm(partOf(path));
      throw new PassingProblem(`${url} does not go on after ${part.bytes} bytes.`);
    }
    if (!response.ok || !response.body) throw refusalOf(url, response);
    // As pages say that ask for a login or for patience. No museum publishes its works so.
    if (/^text\/html/i.test(response.headers.get('content-type') ?? ''))
      throw new SourceProblem(`${url} answered with a web page, not with the file. Nothing of it was kept.`);
    await receive(wanted, response, { start: goesOn(response, part) ? part!.bytes : 0, watch });
  } catch (error) {
    if (signal.aborted || error instanceof SourceProblem || error instanceof AtelierError) throw error;
    throw connectionProblem(url, error);
  } finally {
    clearTimeout(watch);
    // A body that was refused is not waited for: its connection would keep the process.
    stall.abort();
  }
}

const goesOn = ({ status, headers }: Response, part: Part | undefined): boolean =>
  status === 206 &&
  part !== undefined &&
  headers.get('content-range')?.startsWith(`bytes ${part.bytes}-`) === true;

async function receive(
  { url, path, requireRoom, onProgress }: Download,
  { status, headers, body }: Response,
  { start, watch }: { start: number; watch: NodeJS.Timeout },
): Promise<void> {
  if (start === 0) {
    // A part of the file that nobody asked for.
    if (status === 206) throw new SourceProblem(`${url} answered with another part than it was asked for.`);
    await rm(partOf(path), { force: true });
    await rm(versionOf(path), { force: true });
    const version = versionIn(headers);
    if (version) await writeFile(versionOf(path), version, { mode: 0o600 });
  }
  const isPlain = headers.get('content-encoding') === null;
  const rest = isPlain ? Number(headers.get('content-length')) || undefined : undefined;
  let done = start;
  const all = rest === undefined ? undefined : done + rest;
  // `fetch` inflates what was compressed though it was not asked for.
  const bytesMax = isPlain ? DATASET_FILE_BYTES_MAX : inflatedBytesMax(headers);
  if (rest !== undefined && done + rest > DATASET_FILE_BYTES_MAX) throw endless(url);
  await requireRoom?.(rest ?? 0);
  const file = await open(partOf(path), 'a', 0o600);
  let unasked = 0;
  let unwatched = 0;
  try {
    for await (const chunk of body!) {
      unwatched += chunk.length;
      if (unwatched >= DATASET_DOWNLOAD_STALL_BYTES) {
        watch.refresh();
        unwatched = 0;
      }
      done += chunk.length;
      unasked += chunk.length;
      if (done > bytesMax) throw endless(url);
      if (unasked > ROOM_ASKED_EVERY_BYTES) {
        await requireRoom?.(unasked);
        unasked = 0;
      }
      await file.writeFile(chunk);
      onProgress(done, all);
    }
  } finally {
    await file.close();
  }
  if (all !== undefined && done < all) throw new Error(`it broke off after ${done} of ${all} bytes`);
}

const inflatedBytesMax = (headers: Headers): number =>
  Math.min(
    DATASET_FILE_BYTES_MAX,
    DATASET_INFLATION_GRACE_BYTES + Number(headers.get('content-length') ?? 0) * DATASET_INFLATION_MAX,
  );

const endless = (url: string) => new SourceProblem(`${url} sends without end.`);

/** Empty where a part could not be gone on with. A weak tag does not say that the bytes are the same. */
function versionIn(headers: Headers): string {
  const tag = headers.get('etag');
  if (headers.get('content-encoding') !== null) return '';
  return tag !== null && !tag.startsWith('W/') ? tag : (headers.get('last-modified') ?? '');
}
