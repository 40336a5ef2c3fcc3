import type { Queryable } from '../../database/contract.ts';
import * as answers from '../answers/store.ts';
import * as archive from '../archive/store.ts';
import * as assets from '../assets/store.ts';
import * as jobs from '../jobs/store.ts';
import * as manifests from '../kept_manifests/store.ts';
import * as x402 from '../x402/store.ts';

/** Every table that names blobs; whoever adds one adds it here. */
const OWNERS = [
  answers.blobsInUse,
  archive.selectBlobsInUse,
  assets.selectBlobsInUse,
  jobs.blobsInUse,
  manifests.selectBlobsInUse,
  x402.blobsInUse,
];

/** Which of some blobs any row still names: those are kept by a sweep, and in a backup. */
export async function blobsInUse(database: Queryable, sha256s: string[]): Promise<Set<string>> {
  let used = new Set<string>();
  for (const owner of OWNERS) used = used.union(await owner(database, sha256s));
  return used;
}
