import type { Queryable } from '../../../core/database/types.ts';

/**
 * Queues a log entry at each start. The log drops duplicates, so it contains the entry once.
 * @param sha256 hex
 */
export async function logCertificate(database: Queryable, sha256: string): Promise<void> {
  await database.query('insert into log_pending (entry) values ($1)', [`c2pa_certificate:${sha256}`]);
}
