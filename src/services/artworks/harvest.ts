import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SourceProblem } from './reading/source_problem.ts';

interface Harvest {
  /** The first request (OAI-PMH 2.0, ListRecords). */
  readonly url: string;
  readonly folder: string;
  /** Stops when so many pages are there; absent: at the end. */
  readonly pagesMax?: number | undefined;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  onProgress(pages: number): void;
}

const TOKEN = /<resumptionToken[^>]*>([^<]+)<\/resumptionToken>/;
const PAUSE_MS = 200;
const PAGE_CHARACTERS_MAX = 64 * 1024 * 1024;

/**
 * Fetches pages of a repository one after the other, each into a file of its own, and goes on after the last one that is
 * there. Asks politely: one page at a time, with a pause. @throws SourceProblem
 */
export async function harvest(wanted: Harvest): Promise<string> {
  const { url, folder, pagesMax = Number.POSITIVE_INFINITY, signal } = wanted;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  let pages = (await readdir(folder)).filter((name) => name.endsWith('.xml')).length;
  let token = pages > 0 ? tokenIn(await readFile(pageFile(folder, pages), 'utf8')) : undefined;
  while (pages < pagesMax && (pages === 0 || token !== undefined)) {
    const page = await fetchPage(wanted, token === undefined ? url : following(url, token));
    const draft = join(folder, 'page.part');
    await writeFile(draft, page, { mode: 0o600 });
    pages += 1;
    await rename(draft, pageFile(folder, pages));
    token = tokenIn(page);
    wanted.onProgress(pages);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    signal.throwIfAborted();
  }
  return folder;
}

async function fetchPage({ fetch, signal }: Harvest, url: string): Promise<string> {
  const response = await fetch(url, { signal }).catch((error: Error) => {
    throw new SourceProblem(
      `${url} cannot be reached (${(error.cause as Error | undefined)?.message ?? error.message}). Pages that have arrived are kept, and the same command goes on from there.`,
      { cause: error },
    );
  });
  const page = response.ok ? await response.text() : '';
  if (!page.includes('<ListRecords') || page.length > PAGE_CHARACTERS_MAX) {
    throw new SourceProblem(`${url} answered ${response.status} without records.`);
  }
  return page;
}

/** Entities of XML can stand in a token. */
const tokenIn = (page: string): string | undefined => TOKEN.exec(page)?.[1]?.replaceAll('&amp;', '&').trim();

function following(url: string, token: string): string {
  const next = new URL(url);
  next.search = new URLSearchParams({ verb: 'ListRecords', resumptionToken: token }).toString();
  return next.href;
}

const pageFile = (folder: string, page: number): string =>
  join(folder, `${String(page).padStart(6, '0')}.xml`);
