import type { Database } from '../../database/index.ts';
import { AtelierError } from '../../errors.ts';
import { publishEdition, readEdition, startEdition } from './edition_store.ts';
import { digestOf } from './import_works.ts';
import { insertWithdrawal, readRecord, removeWork } from './record_store.ts';
import { emptyReport } from './report.ts';

/**
 * Takes one work out for good, in an edition of its own. @throws AtelierError artwork_not_found; an SQL error (unique)
 * while an import runs
 */
export async function withdraw(
  database: Database,
  { id, reason, now }: { id: string; reason: string; now: Date },
): Promise<number> {
  const current = await readEdition(database);
  if (!current || !(await readRecord(database, current.number, id))) {
    throw new AtelierError('artwork_not_found', `There is no work "${id}" in this dataset.`);
  }
  const report = { ...emptyReport(), removed: 1 };
  return database.transaction(async (tx) => {
    const number = await startEdition(tx, { museum: 'withdrawal', source: id, now, report });
    await removeWork(tx, number, id);
    await insertWithdrawal(tx, { id, reason, now, edition: number });
    await publishEdition(tx, { number, now, report, ...(await digestOf(tx, number)) });
    return number;
  });
}
