import { basename } from 'node:path';
import type { Database } from '../../core/database/types.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import { deleteWork } from '../provenance/hashes/store.ts';
import type { MuseumName } from './museums/museums.ts';
import { deleteLive } from './on_demand/on_demand_store.ts';
import { requireSource } from './readers/open_source.ts';
import { countByMuseum, insertWithdrawal, readRecord, removeWork } from './records/record_store.ts';
import {
  type Edition,
  lastOfEach,
  type Running,
  readEdition,
  readRunning,
} from './releases/edition_store.ts';
import { beginEdition, digestOf, importBatches, isCutShort, type Loss } from './releases/import_works.ts';
import { readInThread } from './releases/read_in_thread.ts';
import { emptyReport, type ImportReport } from './releases/report.ts';
import { writeTerms } from './releases/terms_store.ts';
import { installStarter } from './starter/install_starter.ts';

/** The dataset as operated from the command line. */
interface Dataset {
  /**
   * Imports the files at `path` and publishes the edition.
   * @throws SourceProblem if the file is in none of the museum's formats; AtelierError busy while another
   * import runs; WorksWouldGo if the museum would lose works, or more than 10 % of them would be replaced,
   * without permission of the request
   */
  import(request: ImportRequest): Promise<{ report: ImportReport; edition: Edition }>;
  status(): Promise<DatasetStatus>;
  /**
   * Withdraws a work permanently; returns the number of the edition.
   * @throws AtelierError artwork_not_found
   */
  withdraw(id: string, reason: string): Promise<number>;
  /** Records the hash of a museum's page of terms at the time it was read. */
  noteTerms(terms: { museum: MuseumName; url: string; sha256: string }): Promise<void>;
  close(): Promise<void>;
}

export interface ImportRequest {
  readonly museum: MuseumName;
  /** File or folder on this machine. */
  readonly path: string;
  /** Where it was downloaded from. */
  readonly source?: string | undefined;
  /** Maximum number of works. Absent: all. */
  readonly worksMax?: number | undefined;
  /** The file is a part of the museum's data: works that it lacks stay. */
  readonly isPart?: boolean | undefined;
  /**
   * Called before the museum would have fewer works, or more than a tenth of them would be replaced. Absent:
   * not allowed.
   */
  mayLose?(loss: Loss): Promise<boolean>;
  readonly signal: AbortSignal;
  onProgress(report: ImportReport): void;
}

export interface DatasetStatus {
  /** The last edition of each museum, newest first. */
  readonly editions: readonly Edition[];
  readonly works: Readonly<Record<string, { works: number; pictures: number }>>;
  readonly running:
    | (Running & { /** No process writes it any more. */ readonly isCutShort: boolean })
    | undefined;
}

export function createDataset(database: Database): Dataset {
  return {
    async import({ museum, path, source = basename(path), ...options }) {
      requireSource(path);
      await installStarter(database);
      const { worksMax } = options;
      return importBatches(database, (report) => readInThread({ museum, path, worksMax }, report), {
        museum,
        source,
        now: () => new Date(),
        ...options,
      });
    },
    async status() {
      const current = await readEdition(database);
      const running = await readRunning(database);
      return {
        editions: await lastOfEach(database),
        works: current ? await countByMuseum(database, current.number) : {},
        running: running && { ...running, isCutShort: isCutShort(running, new Date()) },
      };
    },
    withdraw: (id, reason) => withdraw(database, { id, reason, now: new Date() }),
    noteTerms: (terms) => writeTerms(database, { ...terms, now: new Date() }),
    close: () => database.close(),
  };
}

/**
 * Withdraws one work permanently, in an edition of its own.
 * @throws AtelierError artwork_not_found; busy while an import runs
 */
export async function withdraw(
  database: Database,
  { id, reason, now }: { id: string; reason: string; now: Date },
): Promise<number> {
  const current = await readEdition(database);
  if (!current || !(await readRecord(database, current.number, id))) {
    throw new AtelierError('artwork_not_found', `This dataset has no work "${id}".`);
  }
  const report = { ...emptyReport(), removed: 1 };
  const edition = { museum: 'withdrawal', source: id, now: () => now };
  const run = await beginEdition(database, edition, report);
  const { number } = run;
  try {
    await removeWork(database, number, id);
    // Reading every hash takes seconds in a large dataset, too long for a transaction.
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
