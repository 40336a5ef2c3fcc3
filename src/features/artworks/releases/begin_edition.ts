import type { Database, Queryable } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { DATASET_TAKEOVER_MS } from '../limits.ts';
import {
  abandonEdition,
  publishEdition,
  type Running,
  readRunning,
  startEdition,
  touchEdition,
} from './edition_store.ts';
import type { ImportReport } from './report.ts';

/** An edition that is being written by this process alone. */
export interface Run {
  readonly number: number;
  /**
   * Says that it goes on; in the transaction of what is written, nothing is written beside another process.
   * @throws AtelierError busy where another process has taken over
   */
  touch(report: ImportReport, tx?: Queryable): Promise<void>;
  /** Takes everything back, unless another process has taken over: then it is not ours any more. */
  abandon(report: ImportReport): Promise<void>;
  /** Leaves it unfinished: the next one of the same source goes on with it, without waiting. */
  release(report: ImportReport): Promise<void>;
  /** From now on everybody sees it. @throws AtelierError busy where another process has taken it back */
  publish(database: Queryable, whole: Whole): Promise<void>;
}

interface Whole {
  readonly now: Date;
  readonly report: ImportReport;
  /** Works of the whole dataset. */
  readonly works: number;
  readonly digest: string;
}

interface Begun {
  /** A museum, or what else makes an edition. */
  readonly museum: string;
  readonly source: string;
  readonly now: () => Date;
}

/**
 * Begins an edition, or goes on with one of the same source that was cut short; one of another source is taken back.
 * @throws AtelierError busy while another one runs
 */
export async function beginEdition(
  database: Database,
  { museum, source, now }: Begun,
  report: ImportReport,
): Promise<Run> {
  const running = await readRunning(database);
  if (running && !isCutShort(running, now())) throw isBusy(running.museum);
  const isSame = running?.museum === museum && running.source === source;
  if (running && !isSame) await abandonEdition(database, running.number);
  let writtenAt = isSame ? running.writtenAt : now();
  const number = isSame
    ? running.number
    : await startEdition(database, { museum, source, now: writtenAt, report }).catch((error) => {
        throw (error as { code?: string }).code === '23505' ? isBusy('another museum') : error;
      });
  const touched = async (current: ImportReport, at: Date, queryable: Queryable = database) => {
    const before = writtenAt;
    const isOurs = await touchEdition(queryable, { number, now: at, report: current, before });
    if (isOurs) writtenAt = at;
    return isOurs;
  };
  const write = async (current: ImportReport, at: Date, tx?: Queryable) => {
    if (!(await touched(current, at, tx))) throw isBusy(museum);
  };
  const run: Run = {
    number,
    touch: (current, tx) => write(current, now(), tx),
    async abandon(current) {
      if (await touched(current, now())) await abandonEdition(database, number);
    },
    async publish(queryable, whole) {
      if (!(await publishEdition(queryable, { number, ...whole }))) throw isBusy(museum);
    },
    release: (current) => write(current, new Date(now().getTime() - DATASET_TAKEOVER_MS)),
  };
  // Whoever comes second to a dead import loses here.
  await run.touch(report);
  return run;
}

/** Nobody writes it any more. */
export const isCutShort = ({ writtenAt }: Running, now: Date): boolean =>
  now.getTime() - writtenAt.getTime() >= DATASET_TAKEOVER_MS;

const isBusy = (what: string) =>
  new AtelierError('busy', `An import is running already (${what}). Wait until it has ended.`);
