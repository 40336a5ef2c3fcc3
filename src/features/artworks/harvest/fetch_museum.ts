import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { holdLock } from '../../../core/database/process_lock.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import {
  DATASET_DOWNLOAD_STALL_BYTES,
  DATASET_DOWNLOAD_STALL_MS,
  DATASET_FILE_BYTES_MAX,
  DATASET_INFLATION_GRACE_BYTES,
  DATASET_INFLATION_MAX,
  HARVEST_RECORDS_A_PAGE,
  HARVEST_SPARE,
} from '../limits.ts';
import { IMPORTERS } from '../museums/importers.ts';
import type { MuseumName } from '../museums/museums.ts';
import { SourceProblem } from '../readers/source_problem.ts';
import type { Found } from './import_fetched.ts';
import {
  connectionProblem,
  type Retries,
  refusalOf,
  retryTransient,
  TransientProblem,
} from './retry_transient.ts';

interface Download extends Retries {
  readonly url: string;
  /** Path of the finished file. */
  readonly path: string;
  readonly fetch: typeof fetch;
  /**
   * Called before this many bytes are written.
   * @throws if the disk has too little space
   */
  readonly requireRoom?: ((bytes: number) => Promise<void>) | undefined;
  /** Default: DATASET_DOWNLOAD_STALL_MS. */
  readonly stallMs?: number;
  onProgress(bytesDone: number, bytesInAll: number | undefined): void;
}

/**
 * Downloads a file and returns its path. Resumes an interrupted download, a few times in this call and in the
 * next one (RFC 9110, 13.1.5 and 14); starts over if the file has changed. Returns a file that exists already
 * without a request.
 * @throws SourceProblem if it cannot be downloaded
 */
export async function downloadSource(wanted: Download): Promise<string> {
  const { path } = wanted;
  if (await stat(path).catch(() => undefined)) return path;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const release = holdLock(`${path}.lock`, ({ pid }) => fetchedByAnother(wanted.url, pid));
  try {
    await retryTransient(() => fetchRest(wanted), wanted);
    await rename(partOf(path), path);
    await rm(versionOf(path), { force: true });
  } finally {
    release();
  }
  return path;
}

/** Two processes writing the same partial file would corrupt it. */
const fetchedByAnother = (url: string, pid: number): SourceProblem =>
  new SourceProblem(`Process ${pid} is already downloading ${url}. Wait until it has finished.`);

/** For responses without a length, and because others may fill the disk meanwhile. */
const ROOM_ASKED_EVERY_BYTES = 64 * 1024 * 1024;

const partOf = (path: string): string => `${path}.part`;
const versionOf = (path: string): string => `${path}.part.version`;

/** The version of the file, as named by the server: a strong entity tag or a date. */
interface Part {
  readonly bytes: number;
  readonly version: string;
}

/** The partial download to resume. One without a version may belong to another file by now, so it is not resumed. */
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
      // Ranges of a compressed response could not be combined.
      headers: {
        'Accept-Encoding': 'identity',
        ...(part && { Range: `bytes=${part.bytes}-`, 'If-Range': part.version }),
      },
      signal: AbortSignal.any([signal, stall.signal]),
    });
    // Either the partial file is complete, or the file has become shorter: the response does not tell which.
    if (response.status === 416 && part) {
      await rm(partOf(path));
      throw new TransientProblem(`${url} cannot be resumed after ${part.bytes} bytes.`);
    }
    if (!response.ok || !response.body) throw refusalOf(url, response);
    // A login or waiting page. No museum publishes its works as HTML.
    if (/^text\/html/i.test(response.headers.get('content-type') ?? ''))
      throw new SourceProblem(`${url} returned a web page instead of the file. Nothing was stored.`);
    await receive(wanted, response, { start: goesOn(response, part) ? part!.bytes : 0, watch });
  } catch (error) {
    if (signal.aborted || error instanceof SourceProblem || error instanceof AtelierError) throw error;
    throw connectionProblem(url, error);
  } finally {
    clearTimeout(watch);
    // Does not wait for the body of a refused response: its connection would keep the process alive.
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
    // A range that was not requested.
    if (status === 206) throw new SourceProblem(`${url} returned a range that was not requested.`);
    await rm(partOf(path), { force: true });
    await rm(versionOf(path), { force: true });
    const version = versionIn(headers);
    if (version) await writeFile(versionOf(path), version, { mode: 0o600 });
  }
  const isPlain = headers.get('content-encoding') === null;
  const rest = isPlain ? Number(headers.get('content-length')) || undefined : undefined;
  let done = start;
  const all = rest === undefined ? undefined : done + rest;
  // `fetch` decompresses a response that is compressed although that was not requested.
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
  if (all !== undefined && done < all) throw new Error(`the connection closed after ${done} of ${all} bytes`);
}

const inflatedBytesMax = (headers: Headers): number =>
  Math.min(
    DATASET_FILE_BYTES_MAX,
    DATASET_INFLATION_GRACE_BYTES + Number(headers.get('content-length') ?? 0) * DATASET_INFLATION_MAX,
  );

const endless = (url: string) => new SourceProblem(`${url} exceeds the maximum size.`);

/** Empty if a partial file could not be resumed. A weak entity tag does not guarantee identical bytes. */
function versionIn(headers: Headers): string {
  const tag = headers.get('etag');
  if (headers.get('content-encoding') !== null) return '';
  return tag !== null && !tag.startsWith('W/') ? tag : (headers.get('last-modified') ?? '');
}

interface Harvest extends Retries {
  /** URL of the first request (OAI-PMH 2.0, ListRecords). */
  readonly url: string;
  readonly folder: string;
  /** Maximum number of pages; absent: all. */
  readonly pagesMax?: number | undefined;
  readonly fetch: typeof fetch;
  /**
   * Called before this many bytes are written.
   * @throws if the disk has too little space
   */
  readonly requireRoom?: ((bytes: number) => Promise<void>) | undefined;
  onProgress(pages: number): void;
}

/** Bounded, so that a page with many beginnings of tokens is searched in linear time. */
const TOKEN = /<resumptionToken[^<>]{0,1000}>([^<]{1,2000})<\/resumptionToken>/;
const PAUSE_MS = 200;
const PAGE_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Fetches the pages of a repository one after the other, each into its own file, resuming after the last
 * existing one. Sends one request at a time, with a pause in between, and retries a failed page a few times.
 * @throws SourceProblem
 */
export async function harvest(wanted: Harvest): Promise<string> {
  const { url, folder, pagesMax = Number.POSITIVE_INFINITY } = wanted;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const release = holdLock(join(folder, 'harvest.lock'), ({ pid }) => fetchedByAnother(url, pid));
  try {
    return await harvestAlone({ ...wanted, pagesMax });
  } finally {
    release();
  }
}

async function harvestAlone(wanted: Harvest & { readonly pagesMax: number }): Promise<string> {
  const { url, folder, pagesMax, signal } = wanted;
  let pages = (await readdir(folder)).filter((name) => name.endsWith('.xml')).length;
  let token = pages > 0 ? tokenIn(await readFile(pageFile(folder, pages), 'utf8')) : undefined;
  let bytes = 0;
  while (pages < pagesMax && (pages === 0 || token !== undefined)) {
    const address = token === undefined ? url : nextPageUrl(url, token);
    const page = await retryTransient(() => fetchPage(wanted, address), wanted);
    const draft = join(folder, 'page.part');
    await wanted.requireRoom?.(page.length);
    await writeFile(draft, page, { mode: 0o600 });
    pages += 1;
    await rename(draft, pageFile(folder, pages));
    const next = tokenIn(page);
    bytes += page.length;
    if ((next !== undefined && next === token) || bytes > DATASET_FILE_BYTES_MAX)
      throw new SourceProblem(
        `${url} exceeds the maximum number of pages. The pages fetched so far can be imported: ${folder}.`,
      );
    token = next;
    wanted.onProgress(pages);
    await wait(PAUSE_MS, undefined, { signal });
  }
  return folder;
}

async function fetchPage({ fetch, folder, signal }: Harvest, url: string): Promise<string> {
  const stop = AbortSignal.any([signal, AbortSignal.timeout(DATASET_DOWNLOAD_STALL_MS)]);
  try {
    const response = await fetch(url, { signal: stop });
    if (!response.ok) throw refusalOf(url, response);
    const page = await textOf(response, url);
    if (page.includes('code="badResumptionToken"')) {
      throw new SourceProblem(
        `${url}: the repository cannot resume after the last page. The pages fetched so far can be imported: ${folder}. To start over, delete them.`,
      );
    }
    if (!page.includes('<ListRecords'))
      throw new SourceProblem(`${url} returned status ${response.status} without records.`);
    return page;
  } catch (error) {
    if (signal.aborted || error instanceof SourceProblem) throw error;
    throw connectionProblem(url, error);
  }
}

async function textOf(response: Response, url: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > PAGE_BYTES_MAX) throw new SourceProblem(`${url} sends a page above the maximum size.`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** A token may contain XML entities. */
const tokenIn = (page: string): string | undefined => TOKEN.exec(page)?.[1]?.replaceAll('&amp;', '&').trim();

function nextPageUrl(url: string, token: string): string {
  const next = new URL(url);
  next.search = new URLSearchParams({ verb: 'ListRecords', resumptionToken: token }).toString();
  return next.href;
}

const pageFile = (folder: string, page: number): string =>
  join(folder, `${String(page).padStart(6, '0')}.xml`);

export interface Fetching extends Omit<Retries, 'onPause'> {
  /** Downloads are stored in a subfolder for the museum. */
  readonly folder: string;
  /** Maximum number of works to import; absent: all. A repository is read only as far as that requires. */
  readonly worksMax?: number | undefined;
  readonly fetch: typeof fetch;
  /**
   * Called before this many bytes are written.
   * @throws if the disk has too little space
   */
  readonly requireRoom?: ((bytes: number) => Promise<void>) | undefined;
  /** Progress for a person: what is being fetched. */
  onProgress(fraction: number, message: string): void;
  /** Called before each retry. Default: `onProgress`. */
  readonly onRetry?: ((message: string) => void) | undefined;
}

/**
 * Downloads what a museum publishes. Returns its path and source.
 * @throws SourceProblem if the museum publishes no bulk data, or cannot be reached
 */
export async function fetchMuseum(
  museum: MuseumName,
  { folder, worksMax, onProgress, onRetry, ...rest }: Fetching,
): Promise<Required<Found>> {
  const { published, reads } = IMPORTERS[museum];
  const own = join(folder, museum);
  const how = { ...rest, onPause: pauseTold(onRetry ?? ((message) => onProgress(0, message))) };
  const isKept = existsSync(own);
  if (!published) {
    throw new SourceProblem(`This museum publishes no bulk file. Import your own: ${reads}.`);
  }
  if ('repository' in published) {
    const pagesMax =
      worksMax === undefined ? undefined : Math.ceil((worksMax * HARVEST_SPARE) / HARVEST_RECORDS_A_PAGE);
    await harvest({
      ...how,
      url: published.repository,
      folder: own,
      pagesMax,
      onProgress: (pages) => onProgress(pagesMax ? pages / pagesMax : 0, `page ${pages}`),
    });
    return { path: own, source: published.repository, isKept };
  }
  const { files } = published;
  const place = folderOf(files);
  for (const [at, url] of files.entries()) {
    await downloadSource({
      ...how,
      url,
      path: join(own, url.slice(place.length)),
      onProgress: (done, all) =>
        onProgress(
          (at + (all ? done / all : 0)) / files.length,
          `${Math.floor(done / 1e6)} MB of file ${at + 1} of ${files.length}`,
        ),
    });
  }
  const [only] = files;
  return files.length > 1
    ? { path: own, source: place, isKept }
    : { path: join(own, basename(only!)), source: only!, isKept };
}

const pauseTold =
  (tell: (message: string) => void): Retries['onPause'] =>
  ({ message }, pauseMs) =>
    tell(`trying again in ${Math.ceil(pauseMs / 1000)} s: ${message}`);

/** URL of the common folder of all files, because files of different folders may have the same name. */
function folderOf(urls: readonly string[]): string {
  let place = urls[0]!.replace(/[^/]*$/, '');
  while (!urls.every((url) => url.startsWith(place))) place = place.replace(/[^/]*\/$/, '');
  return place;
}

/**
 * Downloads one file named by the operator into a folder of its own, because other URLs may end in the same
 * name.
 */
export async function fetchFile(
  url: string,
  { folder, onProgress, worksMax: _, ...rest }: Fetching,
): Promise<Required<Found>> {
  const own = createHash('sha256').update(url).digest('hex').slice(0, 16);
  const path = join(folder, 'by_address', own, basename(new URL(url).pathname) || 'file');
  const isKept = existsSync(path);
  await downloadSource({
    ...rest,
    url,
    path,
    onPause: pauseTold((message) => onProgress(0, message)),
    onProgress: (done, all) => onProgress(all ? done / all : 0, `${Math.floor(done / 1e6)} MB`),
  });
  return { path, source: url, isKept };
}
