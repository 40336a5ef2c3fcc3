import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { holdLock } from '../../../core/database/process_lock.ts';
import { DATASET_DOWNLOAD_STALL_MS, DATASET_FILE_BYTES_MAX } from '../limits.ts';
import { SourceProblem } from '../readers/source_problem.ts';
import { fetchedByAnother } from './download_source.ts';
import { connectionProblem, type Retries, refusalOf, retryPassing } from './retry_passing.ts';

interface Harvest extends Retries {
  /** The first request (OAI-PMH 2.0, ListRecords). */
  readonly url: string;
  readonly folder: string;
  /** Stops when so many pages are there; absent: at the end. */
  readonly pagesMax?: number | undefined;
  readonly fetch: typeof fetch;
  /** @throws where the disk has no room for so many bytes */
  readonly requireRoom?: ((bytes: number) => Promise<void>) | undefined;
  onProgress(pages: number): void;
}

/** Bounded, so that a page full of beginnings of tokens is searched in linear time. */
const TOKEN = /<resumptionToken[^<>]{0,1000}>([^<]{1,2000})<\/resumptionToken>/;
const PAUSE_MS = 200;
const PAGE_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Fetches pages of a repository one after the other, each into a file of its own, and goes on after the last one that is
 * there. Asks politely: one page at a time, with a pause. A page that does not come is asked for again, a few times.
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
    const page = await retryPassing(() => fetchPage(wanted, address), wanted);
    const draft = join(folder, 'page.part');
    await wanted.requireRoom?.(page.length);
    await writeFile(draft, page, { mode: 0o600 });
    pages += 1;
    await rename(draft, pageFile(folder, pages));
    const next = tokenIn(page);
    bytes += page.length;
    if ((next !== undefined && next === token) || bytes > DATASET_FILE_BYTES_MAX)
      throw new SourceProblem(
        `${url} sends pages without end. Those that are there can be imported: ${folder}.`,
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
        `${url}: the repository no longer knows where the last page ended. The pages that are there can be imported as they are: ${folder}. Delete them to begin anew.`,
      );
    }
    if (!page.includes('<ListRecords'))
      throw new SourceProblem(`${url} answered ${response.status} without records.`);
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
    if (bytes > PAGE_BYTES_MAX) throw new SourceProblem(`${url} sends a page without end.`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** Entities of XML can stand in a token. */
const tokenIn = (page: string): string | undefined => TOKEN.exec(page)?.[1]?.replaceAll('&amp;', '&').trim();

function nextPageUrl(url: string, token: string): string {
  const next = new URL(url);
  next.search = new URLSearchParams({ verb: 'ListRecords', resumptionToken: token }).toString();
  return next.href;
}

const pageFile = (folder: string, page: number): string =>
  join(folder, `${String(page).padStart(6, '0')}.xml`);
