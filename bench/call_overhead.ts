import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { createCatalogue } from '../src/catalog/create_catalogue.ts';
import { openDatabase } from '../src/core/database/open_database.ts';
import type { Database } from '../src/core/database/types.ts';
import { createMemoryLimiter } from '../src/core/rate_limits/rate_limits.ts';
import { createRequestScopes } from '../src/core/request_scope/request_scope.ts';
import { createReceipts } from '../src/features/billing/receipts/receipts.ts';
import { credits } from '../src/features/definitions/price.ts';
import { type AnyTool, defineTool } from '../src/features/definitions/tool.ts';
import { LIST_PRICES } from '../src/features/operator/prices/prices.ts';
import type { Services } from '../src/features/services.ts';
import { createOwnership } from '../src/features/wallets/ownership/ownership.ts';
import { createWallets } from '../src/features/wallets/wallets.ts';
import { createDurations } from '../src/pipeline/durations.ts';
import { callTool } from '../src/pipeline/pipeline.ts';
import type { PipelineContext } from '../src/pipeline/types.ts';
import { NO_CPU_BUDGET } from '../tests/support/no_cpu_budget.ts';
import { quietTelemetry } from '../tests/support/quiet_telemetry.ts';
import { ROOMY_DISK } from '../tests/support/roomy_disk.ts';
import { median } from './support/load.ts';

const CALLS = 4000;
const AT_ONCE = [16, 200];
const PAYERS = [
  ['an address', 1],
  ['an address', 200],
  ['a key with a budget', 1],
] as const;
const publicUrl = 'http://atelier.bench';

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

/**
 * Measures the cost of a paid call besides its tool: authenticate, parse, limit, hold, sign a receipt, settle
 * with credit-back, respond.
 */
export async function run(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
  const embedded = await openDatabase({ dataDir: folder, databaseUrl: undefined });
  const rows = await rowsOf('embedded', embedded);
  await embedded.close();
  rmSync(folder, { recursive: true });
  const databaseUrl = process.env.TEST_DATABASE_URL;
  if (databaseUrl) {
    const server = await openDatabase({ dataDir: folder, databaseUrl });
    rows.push(...(await rowsOf('PostgreSQL', server)));
    await server.close();
  }
  return [
    '## A paid call around an empty tool',
    '',
    `Target: a p50 under 2 ms. ${CALLS} calls from one wallet in sequence, then ${AT_ONCE.join(' and ')} concurrent calls. Concurrent calls of one wallet are`,
    'serialised at its balance; with many wallets, calls contend only for the server’s own accounts. Target: 1,500 calls/s on PostgreSQL.',
    '',
    `| database, who pays | p50 ms | p99 ms | ${AT_ONCE.map((count) => `calls/s, ${count} at a time`).join(' | ')} |`,
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

async function rowsOf(name: string, database: Database): Promise<string[]> {
  const context = await kitOf(database);
  const rows = [];
  for (const [who, count] of PAYERS) {
    const bearers: string[] = [];
    for (let nth = 0; nth < count; nth += 1) bearers.push(await newPayer(context, database, who));
    rows.push(
      `| ${name}, ${count === 1 ? '' : `${count} times `}${who} | ${(await measure(context, bearers)).join(' | ')} |`,
    );
  }
  return rows;
}

async function measure(context: PipelineContext, bearers: readonly string[]): Promise<string[]> {
  const signal = new AbortController().signal;
  const call = (nth = 0) =>
    callTool(
      context,
      'nothing',
      {},
      { requestId: 'bench', address: '::1', bearer: bearers[nth % bearers.length]!, signal },
    );
  const times: number[] = [];
  for (let index = 0; index < CALLS + 200; index += 1) {
    const started = performance.now();
    await call();
    if (index >= 200) times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  const perSecond = [];
  for (const count of AT_ONCE) {
    const started = performance.now();
    await Promise.all(
      Array.from({ length: count }, async (_, nth) => {
        for (let index = 0; index < CALLS / count; index += 1) await call(nth);
      }),
    );
    perSecond.push(CALLS / ((performance.now() - started) / 1000));
  }
  const p99 = times[Math.floor(times.length * 0.99)]!;
  return [median(times).toFixed(2), p99.toFixed(2), ...perSecond.map((count) => count.toFixed(0))];
}

/** Creates a wallet with enough credits; returns its address, or a key of it. */
async function newPayer(
  context: PipelineContext,
  database: Database,
  who: 'an address' | 'a key with a budget',
) {
  const { wallets, ownership } = context.services;
  const wallet = `0x00000000${crypto.randomUUID().replaceAll('-', '')}`;
  await wallets.register(wallet);
  await database.query(
    `insert into transfers (id, at, debit, credit, amount, phase, code) values ($1, now(), 'adjustment:manual', $2, 100000000, 'posted', 'adjustment')`,
    [`adjust:${crypto.randomUUID()}`, `wallet:${wallet}`],
  );
  if (who === 'an address') return wallet;
  const budget = { maxTotal: 90_000_000, maxDaily: 80_000_000 };
  return (await ownership.createKey(wallet, { name: 'bench', scopes: ['spend'], ...budget })).token;
}

async function kitOf(database: Database): Promise<PipelineContext> {
  const { privateKey: key } = generateKeyPairSync('ed25519');
  const services: Partial<Services> = {
    wallets: createWallets(database),
    ownership: createOwnership({ database, publicUrl }),
    receipts: await createReceipts({ database, key, publicUrl }),
    prices: LIST_PRICES,
    catalogue: createCatalogue([nothing as AnyTool]),
    site: { publicUrl },
  };
  const context: Partial<PipelineContext> = {
    services: services as Services,
    limiter: createMemoryLimiter(),
    audit: { recordRefusal: () => {} },
    requestScopes: createRequestScopes({ bytesMax: 2 ** 30 }),
    disk: ROOMY_DISK,
    cpu: NO_CPU_BUDGET,
    durations: createDurations(),
    maintenance: { current: () => undefined },
    telemetry: quietTelemetry(),
    rates: { 'free-tools': 1e9, 'paid-tools': 1e9, mcp: 1e9 },
    addressFactor: 1,
    deadlineMs: 10_000,
  };
  return context as PipelineContext;
}
