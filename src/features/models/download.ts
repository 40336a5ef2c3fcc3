import { open, readFile, rm, stat } from 'node:fs/promises';
import { WeightsError } from '@atelier/imaging/onnx/tensors.ts';
import { LeadsInward } from '../../core/outbound_http/follow_outward.ts';
import { hashOf } from './hash_of.ts';
import { MODEL_DOWNLOAD_STALL_BYTES, MODEL_DOWNLOAD_STALL_MS } from './limits.ts';
import type { PublishedFile } from './model_entry.ts';

interface Download {
  readonly url: string;
  /** What has arrived so far is kept here, and a later try goes on from it. */
  readonly part: string;
  readonly expected: Pick<PublishedFile, 'bytes' | 'sha256'>;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  /** Absent: MODEL_DOWNLOAD_STALL_MS. */
  readonly stallMs?: number;
  onProgress(bytesDone: number, bytesInAll: number): void;
}

/**
 * Downloads a file and checks it, going on after what `part` holds where the server can (RFC 9110, 14). Two that write one part would
 * spoil it: whoever calls sees to it that there is one.
 * @throws WeightsError where it cannot be had, or is not what was published
 */
export async function download(wanted: Download): Promise<Uint8Array> {
  const { part, expected, url } = wanted;
  const before = (await stat(part).catch(() => undefined))?.size ?? 0;
  // More than the whole cannot be a beginning of it.
  if (before > expected.bytes) await rm(part);
  const start = before > expected.bytes ? 0 : before;
  if (start < expected.bytes) await fetchRest(wanted, start);
  const bytes = await readFile(part);
  if (bytes.length === expected.bytes && hashOf(bytes) === expected.sha256) return bytes;
  await rm(part);
  throw new WeightsError(
    `What ${url} answered is not the published file: its sha256 is another one. Nothing was installed. Try again, or take the file from elsewhere and add it: atelier models add <file>.`,
  );
}

async function fetchRest(wanted: Download, start: number): Promise<void> {
  const { url, part, expected, signal, onProgress, stallMs = MODEL_DOWNLOAD_STALL_MS } = wanted;
  const stall = new AbortController();
  const stop = AbortSignal.any([signal, stall.signal]);
  const watch = setTimeout(() => stall.abort(), stallMs);
  try {
    const response = await wanted.fetch(url, {
      ...(start > 0 && { headers: { Range: `bytes=${start}-` } }),
      signal: stop,
    });
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
          throw new WeightsError(refusal(url, 'sends more than the published file has'));
        await file.writeFile(piece);
        onProgress(done, expected.bytes);
      }
      if (done < expected.bytes) throw new WeightsError(brokenOffText(done, expected.bytes));
    } finally {
      await file.close();
    }
  } catch (error) {
    throw asWeightsError(error, { url, isGivenUp: signal.aborted });
  } finally {
    clearTimeout(watch);
    // A body that was refused is not waited for: its connection would keep the process.
    stall.abort();
  }
}

/** What an answer says about itself that the published file cannot be, before a byte of it is kept. */
function otherFile({ headers }: Response, bytes: number): string | undefined {
  if (/^text\/html/i.test(headers.get('content-type') ?? ''))
    return 'answered with a web page, not with the file';
  const length = headers.get('content-encoding') === null ? headers.get('content-length') : null;
  if (length !== null && Number(length) !== bytes)
    return `offers ${length} bytes, and the published file has ${bytes} from there`;
  return undefined;
}

function asWeightsError(error: unknown, { url, isGivenUp }: { url: string; isGivenUp: boolean }): unknown {
  const isOurs = error instanceof WeightsError || (error as NodeJS.ErrnoException).code === 'ENOSPC';
  if (isOurs || isGivenUp) return error;
  if (error instanceof LeadsInward)
    return new WeightsError(refusal(url, `is not followed: ${error.message}`));
  const { cause, message } = error as Error;
  const reason = cause instanceof Error ? cause.message : message;
  return new WeightsError(refusal(url, `cannot be reached or stopped sending (${reason})`), { cause: error });
}

const refusal = (url: string, what: string): string =>
  `${url} ${what}. What has arrived is kept, and the same command goes on from there. A mirror can be set with MODEL_MIRROR; a file from elsewhere is added with: atelier models add <file>.`;

const brokenOffText = (done: number, all: number): string =>
  `The connection ended after ${Math.floor(done / 1e6)} of ${Math.floor(all / 1e6)} MB. The same command goes on from there.`;
