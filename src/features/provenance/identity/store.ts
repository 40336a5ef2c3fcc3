import type { Queryable } from '../../../core/database/types.ts';

/** An entry of the log, which has it once however often a server starts: what is queued again is left out there. @param sha256 hex */
export async function logCertificate(database: Queryable, sha256: string): Promise<void> {
  await database.query('insert into log_pending (entry) values ($1)', [`c2pa_certificate:${sha256}`]);
}
