import type { Queryable } from '../../../core/database/types.ts';
import * as answers from '../../../core/idempotency/store.ts';
import * as jobs from '../../../core/queue/store.ts';
import * as archive from '../../archive/store.ts';
import * as assets from '../../assets/store.ts';
import * as x402 from '../../billing/x402/store.ts';
import * as manifests from '../../provenance/stored_manifests/store.ts';
import * as workspaces from '../../workspaces/store.ts';

interface NamedBlobs {
  /** SQL expression for the name of a blob. */
  readonly blob: string;
  readonly from: string;
  readonly where?: string;
}

/** Every feature whose rows reference blobs. Add new ones here. */
const NAMED: readonly NamedBlobs[] = [answers, archive, assets, jobs, manifests, workspaces, x402].flatMap(
  ({ NAMED_BLOBS }) => NAMED_BLOBS,
);

/** The blobs among these that a row references, which the cleanup keeps. */
export const blobsInUse = async (database: Queryable, sha256s: string[]): Promise<Set<string>> =>
  new Set(await namesWhere(database, (blob) => `${blob} = any($1::text[])`, sha256s));

/** All referenced blobs whose names begin with a digit, whether they exist or not. */
export const namedBlobs = (database: Queryable, digit: string): Promise<string[]> =>
  namesWhere(database, (blob) => `left(${blob}, 1) = $1`, digit);

/** The condition applies to each column separately: columns of another collation cannot share an index. */
async function namesWhere(
  database: Queryable,
  condition: (blob: string) => string,
  value: string | string[],
): Promise<string[]> {
  const selects = NAMED.map(
    ({ blob, from, where = 'true' }) =>
      `select (${blob}) collate "C" as sha256 from ${from} where ${where} and ${condition(blob)}`,
  );
  const rows = await database.query<{ sha256: string }>(selects.join(' union '), [value]);
  return rows.map(({ sha256 }) => sha256);
}
