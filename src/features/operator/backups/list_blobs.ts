import type { Queryable } from '../../../core/database/types.ts';
import { namedBlobs } from './blobs_in_use.ts';
import type { Steps } from './deps.ts';
import type { KeptObjects } from './kept_objects.ts';

interface Listed {
  readonly lists: string[];
  readonly count: number;
}

/** One question for each: names of a sixteenth of all blobs are in memory at once. */
const DIGITS = '0123456789abcdef';

/** Keeps the names of all blobs that rows name at that moment, by their first two digits; also of those that are gone. */
export async function listBlobs(moment: Queryable, objects: KeptObjects, steps: Steps): Promise<Listed> {
  const lists: string[] = [];
  let count = 0;
  for (const digit of DIGITS) {
    steps.proceed();
    const named = (await namedBlobs(moment, digit)).sort();
    for (const names of Object.values(Object.groupBy(named, (name) => name.slice(0, 2)))) {
      lists.push((await objects.putLines(names!)).sha256);
      count += names!.length;
    }
  }
  return { lists, count };
}
