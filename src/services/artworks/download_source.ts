import { createWriteStream } from 'node:fs';
import { mkdir, rename, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DATASET_FILE_BYTES_MAX } from '../../dataset_limits.ts';
import { MODEL_DOWNLOAD_STALL_MS } from '../../limits.ts';
import { SourceProblem } from './reading/source_problem.ts';

export interface Download {
  readonly url: string;
  /** Where files of this museum are kept. */
  readonly folder: string;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  onProgress(bytesDone: number, bytesInAll: number | undefined): void;
}

/**
 * Downloads a file into the folder and answers its path. What an earlier try has brought is gone on from (RFC 9110, 14);
 * a file that is there already is not asked for again.
 * @throws SourceProblem where it cannot be had
 */
export async function downloadSource(wanted: Download): Promise<string> {
  const path = join(wanted.folder, basename(new URL(wanted.url).pathname) || 'file');
  if (await stat(path).catch(() => undefined)) return path;
  await mkdir(wanted.folder, { recursive: true, mode: 0o700 });
  const part = `${path}.part`;
  const start = (await stat(part).catch(() => undefined))?.size ?? 0;
  const stall = new AbortController();
  const watch = setTimeout(() => stall.abort(), MODEL_DOWNLOAD_STALL_MS);
  try {
    await fetchRest(wanted, { part, start, signal: AbortSignal.any([wanted.signal, stall.signal]), watch });
  } catch (error) {
    if (wanted.signal.aborted || error instanceof SourceProblem) throw error;
    const { cause, message } = error as Error;
    throw new SourceProblem(
      `${wanted.url} cannot be reached or stopped sending (${cause instanceof Error ? cause.message : message}). What has arrived is kept, and the same command goes on from there.`,
      { cause: error },
    );
  } finally {
    clearTimeout(watch);
  }
  await rename(part, path);
  return path;
}

interface Rest {
  readonly part: string;
  readonly start: number;
  readonly signal: AbortSignal;
  readonly watch: NodeJS.Timeout;
}

async function fetchRest(
  { url, fetch, onProgress }: Download,
  { part, start, signal, watch }: Rest,
): Promise<void> {
  const headers = start > 0 ? { Range: `bytes=${start}-` } : {};
  const response = await fetch(url, { headers, signal });
  // Nothing is left to send: the part is the whole.
  if (response.status === 416) return;
  const goesOn =
    response.status === 206 && response.headers.get('content-range')?.startsWith(`bytes ${start}-`);
  if (!response.ok || !response.body) throw new SourceProblem(`${url} answered ${response.status}.`);
  const rest = Number(response.headers.get('content-length')) || undefined;
  let done = goesOn ? start : 0;
  const all = rest === undefined ? undefined : done + rest;
  const counted = async function* (body: AsyncIterable<Uint8Array>) {
    for await (const chunk of body) {
      watch.refresh();
      done += chunk.length;
      if (done > DATASET_FILE_BYTES_MAX) throw new SourceProblem(`${url} sends without end.`);
      onProgress(done, all);
      yield chunk;
    }
  };
  await pipeline(response.body, counted, createWriteStream(part, { flags: goesOn ? 'a' : 'w', mode: 0o600 }));
  if (all !== undefined && done < all)
    throw new SourceProblem(`${url} broke off after ${done} of ${all} bytes.`);
}
