import type { Queryable } from '../../../core/database/types.ts';
import * as answers from '../../../core/idempotency/store.ts';
import * as jobs from '../../../core/queue/store.ts';
import * as archive from '../../archive/store.ts';
import * as assets from '../../assets/store.ts';
import * as x402 from '../../billing/x402/store.ts';
import * as manifests from '../../provenance/stored_manifests/store.ts';

interface NamedBlobs {
  /** Expression for the name of a blob. */
  readonly blob: string;
  readonly from: string;
  readonly where?: string;
}

/** Every room whose rows name blobs; whoever adds one adds it here. */
const NAMED: readonly NamedBlobs[] = [answers, archive, assets, jobs, manifests, x402].flatMap(
  ({ NAMED_BLOBS }) => NAMED_BLOBS,
);

/** Which of some blobs any row still names: a sweep keeps those. */
export const blobsInUse = async (database: Queryable, sha256s: string[]): Promise<Set<string>> =>
  new Set(await namesWhere(database, (blob) => `${blob} = any($1::text[])`, sha256s));

/** All blobs that rows name and whose names begin with a digit, whether they are there or not. */
export const namedBlobs = (database: Queryable, digit: string): Promise<string[]> =>
  namesWhere(database, (blob) => `left(${blob}, 1) = $1`, digit);

/** The condition is put to each column as it is: columns of another collation have no index in common with the rest. */
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
