import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../src/core/database/open_database.ts';
import type { Database } from '../src/core/database/types.ts';
import { createWallets } from '../src/features/wallets/wallets.ts';
import { median } from './support/load.ts';

const CALLS = 400;
const PARALLEL = 16;

/** Measures the cost of holding and settling one paid call with credit-back, on both databases. */
export async function run(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
  const rows = [
    row('one round trip, embedded', 'embedded', await measure(await openDatabase({ dataDir: folder }))),
  ];
  rmSync(folder, { recursive: true });
  const databaseUrl = process.env.TEST_DATABASE_URL;
  if (databaseUrl)
    rows.push(
      row(
        'one round trip, PostgreSQL',
        'PostgreSQL',
        await measure(await openDatabase({ dataDir: folder, databaseUrl })),
      ),
    );
  return [
    '## The ledger',
    '',
    `${CALLS} times hold and settle, one after the other on one wallet, then ${PARALLEL} wallets at a time.`,
    '',
    `| step | p50 ms | p99 ms | a second, ${PARALLEL} at a time |`,
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
}

interface Measured {
  readonly empty: number[];
  readonly paid: number[];
  readonly perSecond: number;
}

function row(emptyName: string, name: string, { empty, paid, perSecond }: Measured): string {
  const figures = (times: number[]) => `${median(times).toFixed(2)} | ${percentile99(times).toFixed(2)}`;
  return `| ${emptyName} | ${figures(empty)} | |\n| hold + settle, ${name} | ${figures(paid)} | ${perSecond.toFixed(0)} |`;
}

async function measure(database: Database): Promise<Measured> {
  const pay = await payers(database);
  for (let call = 0; call < 100; call += 1) await pay(0);
  const empty = await timed(CALLS, () => database.query('select $1::int8 as n', [1]));
  const paid = await timed(CALLS, () => pay(0));
  const started = performance.now();
  const rounds = Array.from({ length: CALLS / PARALLEL }, (_, round) => round);
  await Promise.all(
    Array.from({ length: PARALLEL }, async (_, wallet) => {
      for (const _round of rounds) await pay(wallet);
    }),
  );
  const perSecond = (rounds.length * PARALLEL) / ((performance.now() - started) / 1000);
  await database.close();
  return { empty, paid, perSecond };
}

/** Wallets with enough credits for many small payments. */
async function payers(database: Database): Promise<(wallet: number) => Promise<unknown>> {
  const wallets = createWallets(database);
  const run = crypto.randomUUID();
  const addresses = Array.from(
    { length: PARALLEL },
    (_, number) => `0x${run.replaceAll('-', '')}${String(number).padStart(8, '0')}`,
  );
  for (const address of addresses) await wallets.register(address);
  let calls = 0;
  return async (wallet) => {
    calls += 1;
    const hold = await wallets.hold({
      id: `${run}.${calls}`,
      wallet: addresses[wallet]!,
      // 20 millicredits allow hundreds of payments, and are just enough for a credit-back of 0.001.
      amount: 20,
      tool: 'bench',
      expiresAt: new Date(Date.now() + 60_000),
    });
    return wallets.settle(hold);
  };
}

async function timed(count: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return times;
}

const percentile99 = (times: number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)]!;
