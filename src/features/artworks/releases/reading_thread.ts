import { parentPort, workerData } from 'node:worker_threads';
import { openSource } from '../readers/open_source.ts';
import { SourceProblem } from '../readers/source_problem.ts';
import { choose, prepareBatches } from './import_works.ts';
import type { Read, Reading, ReadReport } from './read_in_thread.ts';
import { readMuseum } from './read_museum.ts';
import { emptyReport } from './report.ts';

/** Thread that reads a museum's file: one response per message. */

const { museum, path, worksMax } = workerData as Reading;
const port = parentPort!;
const report = emptyReport();
let batches: ReturnType<typeof prepareBatches> | undefined;
let last: Promise<void> = Promise.resolve();

port.on('message', () => {
  last = last.then(async () => port.postMessage(await next()));
});

async function next(): Promise<Read> {
  try {
    batches ??= prepareBatches(choose(readMuseum(museum, openSource(path), report), report, worksMax));
    const { done, value } = await batches.next();
    if (done) return { report: soFar() };
    return { works: value.map(({ json, sha256 }) => ({ json, sha256 })), report: soFar() };
  } catch (error) {
    const { message, stack } = error as Error;
    return { failure: { message, stack, isSource: error instanceof SourceProblem } };
  }
}

function soFar(): ReadReport {
  const { rows, left_out, bad, bad_rows, complete } = report;
  return { rows, left_out, bad, bad_rows, complete };
}
