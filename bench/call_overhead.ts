import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { type CallKit, callTool } from '../src/call/call_tool.ts';
import { createCatalogue } from '../src/catalogue/index.ts';
import { type Database, openDatabase } from '../src/database/index.ts';
import { createMemoryLimiter } from '../src/services/limiter/index.ts';
import type { Services } from '../src/services/services.ts';
import { createWallets } from '../src/services/wallets/index.ts';
import { credits } from '../src/tools/price.ts';
import { type AnyTool, defineTool } from '../src/tools/tool.ts';
import { median } from './support/load.ts';

const CALLS = 2000;
const WALLET = '0x00000000000000000000000000000000000000be';

const nothing = defineTool({
  name: 'nothing',
  title: 'Nothing',
  category: 'account',
  summary: 'Does nothing, for a credit.',
  price: credits(1),
  input: z.object({}),
  output: z.object({}),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [{}],
  run: async () => ({}),
});

/** What a paid call costs around its tool: parse, limit, hold, settle with credit-back, answer. */
export async function run(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
  const rows = [
    row('embedded', await measure(await openDatabase({ dataDir: folder, databaseUrl: undefined }))),
  ];
  rmSync(folder, { recursive: true });
  const databaseUrl = process.env.TEST_DATABASE_URL;
  if (databaseUrl)
    rows.push(row('PostgreSQL', await measure(await openDatabase({ dataDir: folder, databaseUrl }))));
  return `## A paid call around an empty tool\n\nThe target is a p50 under 2 ms. ${CALLS} calls, one at a time, then 16 at a time.\n\n| database | p50 ms | p99 ms | calls/s, 16 at a time |\n|---|---|---|---|\n${rows.join('\n')}`;
}

interface Measured {
  readonly p50: number;
  readonly p99: number;
  readonly perSecond: number;
}

const row = (name: string, { p50, p99, perSecond }: Measured) =>
  `| ${name} | ${p50.toFixed(2)} | ${p99.toFixed(2)} | ${perSecond.toFixed(0)} |`;

async function measure(database: Database): Promise<Measured> {
  const call = await payingCaller(database);
  const times: number[] = [];
  for (let index = 0; index < CALLS + 200; index += 1) {
    const started = performance.now();
    await call();
    if (index >= 200) times.push(performance.now() - started);
  }
  const started = performance.now();
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (let index = 0; index < CALLS / 16; index += 1) await call();
    }),
  );
  const perSecond = CALLS / ((performance.now() - started) / 1000);
  await database.close();
  times.sort((a, b) => a - b);
  return { p50: median(times), p99: times[Math.floor(times.length * 0.99)]!, perSecond };
}

async function payingCaller(database: Database): Promise<() => Promise<unknown>> {
  const wallets = createWallets(database);
  await wallets.register(WALLET);
  await database.query(
    `insert into transfers (id, at, debit, credit, amount, phase, code) values ($1, now(), 'adjustment:manual', $2, 100000000, 'posted', 'adjustment')`,
    [`adjust:${crypto.randomUUID()}`, `wallet:${WALLET}`],
  );
  const services = {
    wallets,
    catalogue: createCatalogue([nothing as AnyTool]),
    site: { publicUrl: '' },
  } as unknown as Services;
  const kit = {
    services,
    limiter: createMemoryLimiter(),
    rates: { 'free-tools': 1e9, 'paid-tools': 1e9, mcp: 1e9 },
    deadlineMs: 10_000,
  } as unknown as CallKit;
  const signal = new AbortController().signal;
  return () =>
    callTool(kit, 'nothing', {}, { requestId: 'bench', address: '127.0.0.1', bearer: WALLET, signal });
}
