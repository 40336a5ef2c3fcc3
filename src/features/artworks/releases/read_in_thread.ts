import { Worker } from 'node:worker_threads';
import { DATASET_READING_YOUNG_MIB } from '../limits.ts';
import type { MuseumName } from '../museums/museums.ts';
import { SourceProblem } from '../readers/source_problem.ts';
import type { PreparedRecord } from '../records/canonical.ts';
import type { ArtworkRecord } from '../records/record.ts';
import type { ImportReport } from './report.ts';

/** Input of the reading thread. */
export interface Reading {
  readonly museum: MuseumName;
  readonly path: string;
  readonly worksMax: number | undefined;
}

/** Response of the thread to each request for more. */
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

/** The part of an import report that the reading thread fills in; the rest is about writing. */
export type ReadReport = Pick<ImportReport, 'rows' | 'left_out' | 'bad' | 'bad_rows' | 'complete'>;

/** Batches read ahead of the one being written. */
const AHEAD = 10;

/**
 * Streams the works of a museum's file, parsed, validated and hashed in a separate thread while this one
 * writes and indexes the previous ones.
 * @throws SourceProblem if nothing could be read
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
      // Merges the counts of both threads: this one counts withdrawn works.
      Object.assign(report, answer.report, { left_out: Object.assign(counted, answer.report.left_out) });
      if (!('works' in answer)) return;
      worker.postMessage('more');
      // Parsing the text again takes half as long as transferring the record itself.
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
