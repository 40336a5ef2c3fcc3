import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../src/database/contract.ts';
import { openDatabase } from '../src/database/open.ts';
import { createHourlyFiles } from '../src/services/blobs/hourly_files.ts';
import { createFileObjects } from '../src/services/objects/file_objects.ts';
import { openShares } from '../src/services/shares/open.ts';
import { createVisits } from '../src/services/visits/visits.ts';
import { newSchema } from '../tests/support/new_schema.ts';
import { ROOMY_DISK } from '../tests/support/roomy_disk.ts';

const FILES = 4_000;
const FILE_BYTES = 100_000;
const AT_ONCE = [1, 16];
const DAY_MS = 86_400_000;

/** What it costs to count who keeps a file: in the memory of one server, and in PostgreSQL for all of them. */
export async function run(): Promise<string> {
  const serverUrl = process.env.TEST_DATABASE_URL;
  if (!serverUrl) return '## Who keeps a file\n\nNot measured: TEST_DATABASE_URL names no PostgreSQL.';
  const schema = await newSchema(serverUrl);
  const database = await openDatabase({ dataDir: 'unused', databaseUrl: schema.url });
  const rows: string[] = [];
  for (const atOnce of AT_ONCE) {
    for (const where of ['memory', 'PostgreSQL'] as const) {
      rows.push(await rowOf(database, { where, atOnce, callers: 1 }));
      if (where === 'PostgreSQL') rows.push(await rowOf(database, { where, atOnce, callers: FILES }));
    }
  }
  await database.close();
  await schema.drop();
  return [
    '## Who keeps a file',
    '',
    `${FILES} results of ${FILE_BYTES} bytes kept as files, each counted for an address and a wallet. Processor time is that of this process.`,
    '',
    '| counted in | at once | callers | µs to count | µs with the file | processor µs with the file | statements a file |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

interface Round {
  readonly where: 'memory' | 'PostgreSQL';
  readonly atOnce: number;
  readonly callers: number;
}

async function rowOf(database: Database, { where, atOnce, callers }: Round): Promise<string> {
  let statements = 0;
  const query: Database['query'] = (text, values) => {
    statements += 1;
    return database.query(text, values);
  };
  const shares = openShares({ ...database, kind: where === 'memory' ? 'embedded' : 'postgresql', query });
  const visits = createVisits({ bytesMax: 1e9 });
  const own = shares.of({
    ...{ what: crypto.randomUUID(), callerBytesMax: 1e15, lifetimeMs: DAY_MS, visits, disk: ROOMY_DISK },
  });
  const folder = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
  const files = createHourlyFiles(createFileObjects(folder), {
    ...{ lifetimeMs: DAY_MS, bytesMax: 1e15, shares: own },
  });
  const bytes = new Uint8Array(FILE_BYTES);
  const visitOf = (nth: number) => {
    const visit = visits.begin(`10.0.${nth % callers}`);
    visit.wallet = `0x${(nth % callers).toString(16).padStart(40, 'b')}`;
    return visit;
  };
  const each = async (work: () => Promise<unknown>) => {
    const cpu = process.cpuUsage();
    const started = performance.now();
    for (let file = 0; file < FILES; file += atOnce)
      await Promise.all(Array.from({ length: atOnce }, (_, nth) => visitOf(file + nth).run(work)));
    const { user, system } = process.cpuUsage(cpu);
    return {
      us: (((performance.now() - started) * 1000) / FILES).toFixed(0),
      cpuUs: ((user + system) / FILES).toFixed(0),
    };
  };
  await each(() => own.take(1));
  const counted = await each(() => own.take(1));
  statements = 0;
  const kept = await each(() => files.write(bytes, '.png'));
  await shares.close();
  rmSync(folder, { recursive: true, force: true });
  return `| ${where} | ${atOnce} | ${callers} | ${counted.us} | ${kept.us} | ${kept.cpuUs} | ${(statements / FILES).toFixed(3)} |`;
}
