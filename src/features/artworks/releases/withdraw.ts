import type { Database } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { deleteWork } from '../../provenance/hashes/store.ts';
import { deleteLive } from '../on_demand/live_store.ts';
import { insertWithdrawal, readRecord, removeWork } from '../records/record_store.ts';
import { readEdition } from './edition_store.ts';
import { beginEdition, digestOf } from './import_works.ts';
import { emptyReport } from './report.ts';

/** Takes one work out for good, in an edition of its own. @throws AtelierError artwork_not_found; busy while an import runs */
export async function withdraw(
  database: Database,
  { id, reason, now }: { id: string; reason: string; now: Date },
): Promise<number> {
  const current = await readEdition(database);
  if (!current || !(await readRecord(database, current.number, id))) {
    throw new AtelierError('artwork_not_found', `There is no work "${id}" in this dataset.`);
  }
  const report = { ...emptyReport(), removed: 1 };
  const edition = { museum: 'withdrawal', source: id, now: () => now };
  const run = await beginEdition(database, edition, report);
  const { number } = run;
  try {
    await removeWork(database, number, id);
    // Reading every hash takes seconds in a large dataset, and everybody would wait for a transaction.
    const digest = await digestOf(database, number);
    await database.transaction(async (tx) => {
      await deleteWork(tx, id);
      await deleteLive(tx, id);
      await insertWithdrawal(tx, { id, reason, now, edition: number });
      await run.publish(tx, { now, report, ...digest });
    });
    return number;
  } catch (error) {
    await run.abandon(report);
    throw error;
  }
}
