import { createWriteStream } from 'node:fs';
import { access, constants, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extensionOf } from '../files.ts';
import { RESULT_BYTES_MAX, RESULTS_MAX } from './limits.ts';
import { stemOf } from './readable_files.ts';
import type { Params, Upstream } from './upstream.ts';

/** An object of a result with a link to a file. */
interface Linked extends Params {
  readonly result_url: string;
}

interface Naming {
  readonly tool: string;
  /** The file the result was made from. */
  readonly source: string | undefined;
  /** `--out`, which takes precedence over the folder of the source. */
  readonly out: string | undefined;
  /**
   * The folder whose images the call processes. Results go into a subfolder of it and keep their names, so
   * that the next call does not use them as input.
   */
  readonly batch?: string | undefined;
  /** Folder for results without a source. Undefined if no folder may be used. */
  readonly folder: string | undefined;
}

interface Setup {
  readonly upstream: Upstream;
  readonly signal: AbortSignal;
}

/**
 * Writes the files behind the links of a result, and returns the result with their `path`. Existing files are
 * not overwritten. If a file cannot be written the result says why, and its link stays valid.
 */
export async function writeResults(answer: Params, naming: Naming, setup: Setup): Promise<Params> {
  const copy = structuredClone(answer);
  const linked = linkedIn(copy).slice(0, RESULTS_MAX);
  const warnings: string[] = [];
  for (const [place, object] of linked) {
    const target = { ...naming, stem: nameOf(object, naming, linked.length > 1 ? place : undefined) };
    try {
      Object.assign(object, { path: await writeResult(object, target, setup) });
    } catch (error) {
      if (setup.signal.aborted) throw error;
      warnings.push(`The file at result_url could not be written: ${(error as Error).message}`);
    }
  }
  const before = Array.isArray(copy.warnings) ? (copy.warnings as unknown[]) : [];
  return warnings.length > 0 ? { ...copy, warnings: [...before, ...warnings] } : copy;
}

/** All objects with a link, the result itself first. `place`: the name of the step in a recipe. */
function linkedIn(value: unknown, place?: string, depth = 0): [string | undefined, Linked][] {
  if (typeof value !== 'object' || value === null || depth > 6) return [];
  const { result_url: url, save_as: step } = value as Params;
  const name = typeof step === 'string' ? step : place;
  const own = typeof url === 'string' ? [[name, value as Linked] as [string | undefined, Linked]] : [];
  return [...own, ...Object.values(value).flatMap((part) => linkedIn(part, name, depth + 1))];
}

/** "photo-1200x800" for a resized photo.jpg, else "photo-remove-background". */
function nameOf(answer: Linked, { tool, source, batch }: Naming, step: string | undefined): string {
  const { width, height } = answer;
  if (batch !== undefined && source !== undefined)
    return plainName(stemOf(source) + (step ? `-${step}` : ''));
  const isSized = tool === 'resize_image' && typeof width === 'number' && typeof height === 'number';
  const made = isSized ? `${width}x${height}` : (step ?? shortName(tool));
  return plainName(`${source === undefined ? '' : `${stemOf(source)}-`}${made}`);
}

/** `remove_background` → "remove-background", `resize_image` → "resize" */
const shortName = (tool: string): string => plainName(tool.replace(/_image$/, ''));

const plainName = (text: string): string => text.replace(/[^\p{L}\p{N}\p{M}.,()@+ -]+/gu, '-').slice(0, 150);

async function writeResult(
  { result_url: url }: Linked,
  { stem, tool, source, out, batch, folder }: Naming & { stem: string },
  { upstream, signal }: Setup,
): Promise<string> {
  const { pathname, search } = new URL(url);
  if (!/^\/([^/]+\/)*api\/results\//.test(pathname))
    throw new Error('the link points to another server or path.');
  // Through the connection of the calls, whatever URL the server reports for itself.
  const path = pathname.slice(pathname.lastIndexOf('/api/results/')) + search;
  const response = await upstream.fetch(path, { signal });
  if (!response.ok || !response.body) throw new Error(`the server answered ${response.status}.`);
  const extension = extensionOf(response.headers.get('content-type') ?? '');
  const own = batch && join(batch, shortName(tool));
  if (own && !out) await mkdir(own, { recursive: true }).catch(() => {});
  const target = out ?? (await firstWritable([own, source && dirname(source), folder]));
  if (target === undefined)
    throw new Error('no folder is writable. Set one with "atelier mcp --out <folder>".');
  return writeNewFile(join(target, stem), extension, response.body, signal);
}

async function firstWritable(folders: readonly (string | undefined)[]): Promise<string | undefined> {
  for (const folder of folders) {
    if (folder === undefined) continue;
    const error = await access(folder, constants.W_OK).catch((problem: Error) => problem);
    if (!error) return folder;
  }
  return undefined;
}

/** Writes under the first free name: photo-80x80.webp, photo-80x80-2.webp … @throws Error */
async function writeNewFile(
  stem: string,
  extension: string,
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): Promise<string> {
  for (let count = 1; ; count += 1) {
    const path = `${stem}${count === 1 ? '' : `-${count}`}.${extension}`;
    // Exclusive: a dangling link also counts as a used name.
    const handle = await open(path, 'wx').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return undefined;
      throw new Error(`${path} cannot be written (${error.code}).`, { cause: error });
    });
    if (!handle) continue;
    try {
      await pipeline(Readable.fromWeb(body as never), bounded, createWriteStream(path, { fd: handle }), {
        signal,
      });
      return path;
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }
}

/** @throws Error above the maximum size of a result */
async function* bounded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > RESULT_BYTES_MAX) throw new Error('it is larger than 1 GiB.');
    yield chunk;
  }
}
