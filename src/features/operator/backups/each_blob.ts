import type { Steps } from './deps.ts';
import type { KeptObjects } from './kept_objects.ts';
import { BLOBS_AT_ONCE } from './limits.ts';
import type { Manifest } from './manifest.ts';

/** Does the same with every blob a backup lists, a few at a time. */
export async function eachBlob(
  { lists, count }: Pick<NonNullable<Manifest['blobs']>, 'lists' | 'count'>,
  { objects, steps }: { objects: KeptObjects; steps: Steps },
  work: (sha256: string) => Promise<void>,
): Promise<void> {
  let done = 0;
  for (const list of lists) {
    const names = await objects.readLines(list);
    const next = names.values();
    const worker = async () => {
      for (const name of next) {
        steps.proceed();
        await work(name);
        done += 1;
      }
    };
    await Promise.all(Array.from({ length: BLOBS_AT_ONCE }, worker));
    steps.progress(done / count, `blobs ${names[0]?.slice(0, 2)}`);
  }
}
