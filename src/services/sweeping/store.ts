import type { Queryable } from '../../database/contract.ts';
import * as answers from '../answers/store.ts';
import * as archive from '../archive/store.ts';
import * as assets from '../assets/store.ts';
import * as jobs from '../jobs/store.ts';
import * as manifests from '../kept_manifests/store.ts';
import * as x402 from '../x402/store.ts';

/** Every room whose rows name blobs; whoever adds one adds it here. */
const NAMED = [answers, archive, assets, jobs, manifests, x402]
  .map(({ NAMED_BLOBS }) => NAMED_BLOBS)
  .join(' union all ');

/** Which of some blobs any row still names: a sweep keeps those. */
export async function blobsInUse(database: Queryable, sha256s: string[]): Promise<Set<string>> {
  const rows = await database.query<{ sha256: string }>(
    `select distinct sha256 from (${NAMED}) named where sha256 = any($1::text[])`,
    [sha256s],
  );
  return new Set(rows.map(({ sha256 }) => sha256));
}

/** All blobs that rows name and whose names begin with a digit, whether they are there or not. */
export async function namedBlobs(database: Queryable, digit: string): Promise<string[]> {
  const rows = await database.query<{ sha256: string }>(
    `select distinct sha256 from (${NAMED}) named where left(sha256, 1) = $1`,
    [digit],
  );
  return rows.map(({ sha256 }) => sha256);
}
