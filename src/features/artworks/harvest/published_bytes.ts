import { DATASET_SIZE_FILES_MAX, DATASET_SIZE_TIMEOUT_MS } from '../limits.ts';
import { IMPORTERS } from '../museums/importers.ts';
import { MUSEUM_NAMES, type MuseumName } from '../museums/museums.ts';
import { mirrorUrl } from './mirror_url.ts';

interface Asked {
  /** Base URL of a mirror that serves all museums. */
  readonly mirror: string | undefined;
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
}

/** Sizes of the museums' files according to their servers, requested concurrently. */
export async function sizesAtMuseums(asked: Asked): Promise<Partial<Record<MuseumName, number>>> {
  const sizes = MUSEUM_NAMES.map(async (name) => [name, await publishedBytes(name, asked)] as const);
  return Object.fromEntries((await Promise.all(sizes)).filter(([, bytes]) => bytes !== undefined));
}

/**
 * Total size of the files a museum publishes, in bytes, by HEAD requests. Undefined if the server does not
 * state it, cannot be reached, or publishes too many files to ask for each.
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
      const asked = fetch(mirrorUrl(mirror, url), { method: 'HEAD', headers, signal: stop });
      const answer = await asked.catch(() => undefined);
      return answer?.ok ? Number(answer.headers.get('content-length') ?? 0) : 0;
    }),
  );
  return sizes.every((size) => size > 0) ? sizes.reduce((sum, size) => sum + size, 0) : undefined;
}

/** URL of a museum's published files, or of their mirror; undefined if it publishes none. */
export function museumAddress(name: MuseumName, mirror: string | undefined): string | undefined {
  const { published } = IMPORTERS[name];
  const url = published && ('files' in published ? published.files[0] : published.repository);
  return url === undefined ? undefined : mirrorUrl(mirror, url);
}
