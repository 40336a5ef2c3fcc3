import { DATASET_SIZE_FILES_MAX, DATASET_SIZE_TIMEOUT_MS } from '../limits.ts';
import { IMPORTERS } from '../museums/importers.ts';
import { MUSEUM_NAMES, type MuseumName } from '../museums/museums.ts';
import { mirrored } from './mirrored.ts';

interface Asked {
  /** Base address that stands for all hosts of museums. */
  readonly mirror: string | undefined;
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
}

/** The sizes that museums say of their files, all asked at the same time. */
export async function sizesAtMuseums(asked: Asked): Promise<Partial<Record<MuseumName, number>>> {
  const sizes = MUSEUM_NAMES.map(async (name) => [name, await publishedBytes(name, asked)] as const);
  return Object.fromEntries((await Promise.all(sizes)).filter(([, bytes]) => bytes !== undefined));
}

/**
 * Bytes of the files a museum publishes, as its server says (HEAD). Undefined where it does not say so, cannot be reached, or
 * publishes more files than it is polite to ask for one by one.
 */
async function publishedBytes(
  museum: MuseumName,
  { mirror, fetch, signal }: Asked,
): Promise<number | undefined> {
  const { published } = IMPORTERS[museum];
  if (!published || !('files' in published) || published.files.length > DATASET_SIZE_FILES_MAX)
    return undefined;
  const stop = AbortSignal.any([signal, AbortSignal.timeout(DATASET_SIZE_TIMEOUT_MS)]);
  const headers = { 'Accept-Encoding': 'identity' };
  const sizes = await Promise.all(
    published.files.map(async (url) => {
      const asked = fetch(mirrored(mirror, url), { method: 'HEAD', headers, signal: stop });
      const answer = await asked.catch(() => undefined);
      return answer?.ok ? Number(answer.headers.get('content-length') ?? 0) : 0;
    }),
  );
  return sizes.every((size) => size > 0) ? sizes.reduce((sum, size) => sum + size, 0) : undefined;
}

/** Where a museum's published files are, or those of the mirror that stands for it; undefined where it publishes none. */
export function museumAddress(name: MuseumName, mirror: string | undefined): string | undefined {
  const { published } = IMPORTERS[name];
  const url = published && ('files' in published ? published.files[0] : published.repository);
  return url === undefined ? undefined : mirrored(mirror, url);
}
