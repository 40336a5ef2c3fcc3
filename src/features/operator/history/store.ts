import type { Queryable } from '../../../core/database/types.ts';
import { SAMPLES_READ_MAX } from './limits.ts';
import type { Sample } from './types.ts';

/** Each function is one statement. */

export async function insertSample(database: Queryable, sample: Sample): Promise<void> {
  const { at, requests, failed, latencies, queued, credits } = sample;
  await database.query(
    `insert into server_samples (at, requests, failed, latencies, queued, credits) values ($1, $2, $3, $4, $5, $6)`,
    [at, requests, failed, latencies, queued, credits],
  );
}

/** Oldest first; of more than SAMPLES_READ_MAX, the newest. */
export async function selectSamples(database: Queryable, from: Date): Promise<readonly Sample[]> {
  const samples = await database.query<Sample>(
    `select at, requests, failed, latencies, queued, credits from server_samples
     where at >= $1 order by at desc limit $2`,
    [from, SAMPLES_READ_MAX],
  );
  return samples.reverse();
}

/** Returns the number deleted. */
export async function deleteSamples(database: Queryable, before: Date): Promise<number> {
  const deleted = await database.query('delete from server_samples where at < $1 returning number', [before]);
  return deleted.length;
}
