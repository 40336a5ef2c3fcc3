import { runFaults } from './support/fault_run/run_faults.ts';

/** Memory is compared between so many equal parts of the time. */
const PARTS = 6;

/**
 * Counts calls that are lost, executed twice, charged wrongly or left open while database, store, disk, servers and worker fail in
 * turn; the target is zero. Two servers and a worker, for FAULT_MINUTES (20), with bytes in the bucket of TEST_STORAGE_URL if there is
 * one. Where PostgreSQL is installed, two of its servers are started and the primary dies; else TEST_DATABASE_URL is used. The servers
 * begin with the version in TEST_EARLIER_VERSION, if any, and are upgraded when they are first restarted in turn.
 */
export async function run(): Promise<string> {
  const serverUrl = process.env.TEST_DATABASE_URL;
  if (!serverUrl) return 'fault_run: skipped, TEST_DATABASE_URL names no PostgreSQL';
  const minutes = Number(process.env.FAULT_MINUTES ?? 20);
  const storageUrl = process.env.TEST_STORAGE_URL || undefined;
  const report = await runFaults(serverUrl, minutes, storageUrl);
  const { calls, answers, jobs, faults, replayed, assets, credits, wrong, memoryMiB } = report;
  for (const problem of wrong) console.error(problem);
  return [
    '## Two servers and a worker, under faults',
    '',
    `${minutes} minutes of four clients who send a call again until it is answered; PostgreSQL behind proxies, bytes ${storageUrl ? 'in an object store behind another' : 'in files'}. Faults, one after the other: ${faults}.`,
    `${calls} calls; answers by status: ${answers}. ${jobs} jobs ended. ${replayed} acknowledged calls were sent once more and compared with their first answer,`,
    `${assets} acknowledged assets with what is there, ${credits} credits by the answers with the books. The longest that a key stayed claimed after a fault:`,
    `${report.claimedSeconds.toFixed(1)} s; until nothing was open after the last one: ${report.resolvedSeconds.toFixed(1)} s. Wrong: ${wrong.length}. Memory of the server that is never`,
    `killed, with its processes:`,
    '',
    ...memoryTable(memoryMiB),
  ].join('\n');
}

function memoryTable(memory: readonly number[]): string[] {
  const size = Math.floor(memory.length / PARTS);
  const parts = Array.from({ length: PARTS }, (_, part) => memory.slice(part * size, (part + 1) * size));
  const mean = (values: readonly number[]) =>
    Math.round(values.reduce((all, value) => all + value, 0) / values.length);
  return [
    `| part | ${parts.map((_, part) => part + 1).join(' | ')} |`,
    `|${'---|'.repeat(PARTS + 1)}`,
    `| mean MiB | ${parts.map(mean).join(' | ')} |`,
    `| most MiB | ${parts.map((values) => Math.max(...values)).join(' | ')} |`,
  ];
}
