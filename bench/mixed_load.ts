import { soak } from './support/soak/soak.ts';

/** Memory is compared between so many equal parts of the time. */
const PARTS = 6;

/**
 * Counts calls that are lost, executed twice, charged wrongly or left open while database, store, disk, servers and worker fail in
 * turn; the target is zero. Two servers and a worker on the PostgreSQL of TEST_DATABASE_URL, with bytes in the bucket of
 * TEST_STORAGE_URL if there is one, for MIXED_MINUTES (10).
 */
export async function run(): Promise<string> {
  const serverUrl = process.env.TEST_DATABASE_URL;
  if (!serverUrl) return 'mixed_load: skipped, TEST_DATABASE_URL names no PostgreSQL';
  const minutes = Number(process.env.MIXED_MINUTES ?? 10);
  const storageUrl = process.env.TEST_STORAGE_URL || undefined;
  const { calls, answers, jobs, faults, unknown, assets, credits, wrong, memoryMiB } = await soak(
    serverUrl,
    minutes,
    storageUrl,
  );
  for (const problem of wrong) console.error(problem);
  return [
    '## Two servers and a worker, under faults',
    '',
    `${minutes} minutes of four clients who send a call again until it is answered; PostgreSQL behind a proxy, bytes ${storageUrl ? 'in an object store behind another' : 'in files'}. Faults, one after the other: ${faults}.`,
    `${calls} calls; answers by status: ${answers}. ${jobs} jobs ended, ${assets} acknowledged assets compared with what is there, ${credits} credits by the`,
    `answers compared with the books, ${unknown} calls whose server died sent again with their key. Wrong: ${wrong.length}. Memory of the server that is never`,
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
