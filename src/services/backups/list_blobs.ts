import type { Queryable } from '../../database/contract.ts';
import type { Objects } from '../objects/contract.ts';
import { blobsInUse } from '../sweeping/blobs_in_use.ts';
import type { KeptObjects } from './kept_objects.ts';
import { BLOBS_ASKED } from './limits.ts';
import type { Steps } from './parts.ts';

interface Listed {
  readonly lists: string[];
  readonly count: number;
}

const SHA256 = /^[0-9a-f]{64}$/;

/** Keeps the names of all blobs that rows name at that moment, by their first two digits. */
export async function listBlobs(
  { moment, blobs, objects }: { moment: Queryable; blobs: Objects; objects: KeptObjects },
  steps: Steps,
): Promise<Listed> {
  const lists: string[] = [];
  let count = 0;
  for (const folder of (await blobs.folders()).sort()) {
    steps.proceed();
    const used = await usedIn(folder, moment, blobs);
    if (used.length === 0) continue;
    lists.push((await objects.putLines(used.sort())).sha256);
    count += used.length;
  }
  return { lists, count };
}

async function usedIn(folder: string, moment: Queryable, blobs: Objects): Promise<string[]> {
  const used: string[] = [];
  let asked: string[] = [];
  const ask = async () => {
    used.push(...(await blobsInUse(moment, asked)));
    asked = [];
  };
  for await (const { name } of blobs.list(folder)) {
    const sha256 = name.slice(name.lastIndexOf('/') + 1);
    if (SHA256.test(sha256)) asked.push(sha256);
    if (asked.length === BLOBS_ASKED) await ask();
  }
  if (asked.length > 0) await ask();
  return used;
}
