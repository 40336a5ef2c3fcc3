import { runFaults } from './support/fault_run/run_faults.ts';

/** Memory is compared between this many equal parts of the run. */
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
    `Four clients repeat each call until it is answered, for ${minutes} minutes. PostgreSQL is behind proxies; files are ${storageUrl ? 'in an object store behind another proxy' : 'on disk'}. Faults in turn: ${faults}.`,
    `${calls} calls by status: ${answers}. ${jobs} jobs ended. ${replayed} acknowledged calls were repeated and compared with their first answer,`,
    `${assets} acknowledged assets with the stored files, ${credits} credits with the ledger. A key stayed claimed after a fault for at most`,
    `${report.claimedSeconds.toFixed(1)} s; everything was settled ${report.resolvedSeconds.toFixed(1)} s after the last fault. Wrong: ${wrong.length}. Memory of the server that is never`,
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
