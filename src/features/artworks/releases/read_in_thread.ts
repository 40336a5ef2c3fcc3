import { Worker } from 'node:worker_threads';
import { DATASET_READING_YOUNG_MIB } from '../limits.ts';
import type { MuseumName } from '../museums/museums.ts';
import { SourceProblem } from '../readers/source_problem.ts';
import type { PreparedRecord } from '../records/canonical.ts';
import type { ArtworkRecord } from '../records/record.ts';
import type { ImportReport } from './report.ts';

/** What the reading thread is given. */
export interface Reading {
  readonly museum: MuseumName;
  readonly path: string;
  readonly worksMax: number | undefined;
}

/** What it answers each time it is asked for more. */
export type Read =
  | { readonly works: readonly Omit<PreparedRecord, 'record'>[]; readonly report: ReadReport }
  | { readonly report: ReadReport }
  | {
      readonly failure: {
        readonly message: string;
        readonly stack: string | undefined;
        readonly isSource: boolean;
      };
    };

/** What reading finds out; the rest of a report is what became of the works. */
export type ReadReport = Pick<ImportReport, 'rows' | 'left_out' | 'bad' | 'bad_rows' | 'complete'>;

/** Batches that are read ahead of the one being written. */
const AHEAD = 10;

/**
 * The works of a museum's file, read, checked and hashed in a thread of their own, while this one writes and indexes those before.
 * @throws SourceProblem where nothing could be read at all
 */
export async function* readInThread(
  reading: Reading,
  report: ImportReport,
): AsyncGenerator<readonly PreparedRecord[]> {
  const worker = new Worker(new URL('./reading_thread.ts', import.meta.url), {
    workerData: reading,
    resourceLimits: { maxYoungGenerationSizeMb: DATASET_READING_YOUNG_MIB },
  });
  const answers: Read[] = [];
  let wake = () => {};
  let broken: Error | undefined;
  worker.on('message', (answer: Read) => {
    answers.push(answer);
    wake();
  });
  worker.on('error', (error: NodeJS.ErrnoException) => {
    broken = error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? outOfMemory(reading.path) : error;
    wake();
  });
  const { left_out: counted } = report;
  try {
    for (let asked = 0; asked < AHEAD; asked += 1) worker.postMessage('more');
    for (;;) {
      while (answers.length === 0 && !broken) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        await promise;
      }
      if (broken) throw broken;
      const answer = answers.shift()!;
      if ('failure' in answer) throw errorOf(answer.failure);
      // What was left out here, such as works withdrawn, is counted beside what was left out there.
      Object.assign(report, answer.report, { left_out: Object.assign(counted, answer.report.left_out) });
      if (!('works' in answer)) return;
      worker.postMessage('more');
      // Reading its text again takes half as long as handing over the record itself.
      yield answer.works.map((work) => ({ ...work, record: JSON.parse(work.json) as ArtworkRecord }));
    }
  } finally {
    await worker.terminate();
  }
}

const outOfMemory = (path: string) =>
  new SourceProblem(`${path} takes more memory to read than there is. Nothing of it was published.`);

function errorOf({ message, stack, isSource }: Extract<Read, { failure: object }>['failure']): Error {
  if (isSource) return new SourceProblem(message);
  return Object.assign(new Error(message), { stack });
}
