import { DATASET_SIZE_FILES_MAX, DATASET_SIZE_TIMEOUT_MS } from '../limits.ts';
import { IMPORTERS } from '../museums/importers.ts';
import type { MuseumName } from '../museums/museums.ts';

/**
 * Bytes of the files a museum publishes, as its server says (HEAD). Undefined where it does not say so, cannot be reached, or
 * publishes more files than it is polite to ask for one by one.
 */
export async function publishedBytes(
  museum: MuseumName,
  { fetch, signal }: { fetch: typeof globalThis.fetch; signal: AbortSignal },
): Promise<number | undefined> {
  const { published } = IMPORTERS[museum];
  if (!published || !('files' in published) || published.files.length > DATASET_SIZE_FILES_MAX)
    return undefined;
  const stop = AbortSignal.any([signal, AbortSignal.timeout(DATASET_SIZE_TIMEOUT_MS)]);
  const sizes = await Promise.all(
    published.files.map(async (url) => {
      const headers = { 'Accept-Encoding': 'identity' };
      const answer = await fetch(url, { method: 'HEAD', headers, signal: stop }).catch(() => undefined);
      return answer?.ok ? Number(answer.headers.get('content-length') ?? 0) : 0;
    }),
  );
  return sizes.every((size) => size > 0) ? sizes.reduce((sum, size) => sum + size, 0) : undefined;
}
