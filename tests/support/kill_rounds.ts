import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../src/database/index.ts';
import { HOLD_LIFETIME_MS } from '../../src/limits.ts';
import { createAnswers } from '../../src/services/answers/index.ts';
import { createWallets } from '../../src/services/wallets/index.ts';
import { newSchema } from './new_schema.ts';
import { postTo } from './post_to.ts';
import { type ServiceProcess, startService } from './start_service.ts';

/** What was found over all rounds. Everything under `wrong` breaks a promise. */
export interface KillReport {
  kills: number;
  calls: number;
  /** Answered before the kill. */
  answered: number;
  /** Charged before the kill, though the answer never arrived: the retry got it without paying again. */
  chargedUnanswered: number;
  wrong: string[];
}

const CALLS = 8;
const SETTINGS = { PAID_TOOLS_PER_MINUTE: '1000000', FREE_TOOLS_PER_HOUR: '1000000' };

/**
 * Starts the service, sends paid calls at once, kills it with SIGKILL in the middle, starts it again and looks at the books
 * before and after every call is sent once more.
 * @param serverUrl PostgreSQL; absent: the embedded database. The rounds get a schema of their own.
 */
export async function killRounds(kills: number, serverUrl?: string): Promise<KillReport> {
  const report: KillReport = {
    kills: 0,
    calls: 0,
    answered: 0,
    chargedUnanswered: 0,
    wrong: [],
  };
  const folder = mkdtempSync(join(tmpdir(), 'atelier-kill-'));
  const schema = serverUrl ? await newSchema(serverUrl) : undefined;
  const start = () =>
    startService({ ...SETTINGS, DATA_DIR: folder, ...(schema && { DATABASE_URL: schema.url }) });
  let service = await start();
  while (report.kills < kills) service = await round(service, { report, start, databaseUrl: schema?.url });
  service.process.kill('SIGKILL');
  await schema?.drop();
  rmSync(folder, { recursive: true, force: true });
  return report;
}

interface Rounds {
  readonly report: KillReport;
  readonly databaseUrl: string | undefined;
  start(): Promise<ServiceProcess>;
}

async function round(first: ServiceProcess, rounds: Rounds): Promise<ServiceProcess> {
  const { report } = rounds;
  const wallet = `0x${randomBytes(20).toString('hex')}`;
  await postTo(first.url, '/api/wallet/register', { wallet });
  const calls = Array.from({ length: CALLS }, (_, index) => save(first, wallet, index));
  await answersOf(calls, report.kills % CALLS);
  await sleep(Math.random() * 10);
  first.process.kill('SIGKILL');
  const replies = await Promise.all(calls);

  const second = await rounds.start();
  if (rounds.databaseUrl) await passTime(rounds.databaseUrl);
  const before = await look(second, wallet);
  const retried = await Promise.all(calls.map((_, index) => save(second, wallet, index)));
  const after = await look(second, wallet);

  const answered = replies.filter((reply) => reply?.status === 200);
  const replayed = retried.filter((reply) => reply?.isReplay);
  report.kills += 1;
  report.calls += CALLS;
  report.answered += answered.length;
  report.chargedUnanswered += before.spent - answered.length;
  const wrong = (what: string) => report.wrong.push(`kill ${report.kills}: ${what}`);
  if (before.held !== 0) wrong(`${before.held} still held after the start`);
  if (before.spent < answered.length) wrong(`${answered.length} answers, ${before.spent} charged`);
  if (before.spent !== before.assets) wrong(`${before.spent} charged, ${before.assets} saved`);
  if (before.spent !== replayed.length) wrong(`${before.spent} charged, ${replayed.length} answers kept`);
  replies.forEach((reply, index) => {
    if (reply?.status === 200 && reply.text !== retried[index]?.text) wrong(`answer ${index} has changed`);
  });
  if (retried.some((reply) => reply?.status !== 200)) wrong('a retry was refused');
  if (after.spent !== CALLS || after.assets !== CALLS) wrong(`${after.spent} charged, ${after.assets} saved`);
  if (after.receipts !== CALLS) wrong(`${after.spent} charged, ${after.receipts} receipts`);
  if (!before.isBalanced || !after.isBalanced) wrong('the books do not balance');
  return second;
}

/** Waits for so many of the answers, so that kills spread over the whole of a batch on a slow machine as on a fast one. */
async function answersOf(calls: readonly Promise<unknown>[], count: number): Promise<void> {
  if (count === 0) return;
  const enough = Promise.withResolvers<void>();
  let seen = 0;
  for (const call of calls) {
    call.then(() => {
      seen += 1;
      if (seen === count) enough.resolve();
    });
  }
  await enough.promise;
}

/** What the service says about a wallet. */
async function look(service: ServiceProcess, wallet: string) {
  const balance = await postTo(service.url, '/api/tools/check_balance', { wallet });
  const list = await postTo(service.url, '/api/tools/list_assets', { wallet });
  // biome-ignore lint/suspicious/noExplicitAny: answers of another process
  const get = async (path: string): Promise<any> => (await fetch(`${service.url}${path}`)).json();
  const { entries } = await get(`/api/wallet/statement?wallet=${wallet}&limit=100`);
  const books = await get('/api/ledger/invariants');
  const { held, totals } = balance!.body;
  return {
    held: held as number,
    spent: totals.spent as number,
    assets: list!.body.count as number,
    receipts: entries.filter((entry: { receipt_id: string | null }) => entry.receipt_id !== null).length,
    isBalanced: books.balanced as boolean,
  };
}

/** Several servers may share a PostgreSQL, so what a dead one held is given back when its time is over: the rounds do not wait. */
async function passTime(databaseUrl: string): Promise<void> {
  const database = await openDatabase({ dataDir: 'unused', databaseUrl });
  const later = new Date(Date.now() + HOLD_LIFETIME_MS + 60_000);
  const blobs = { put: async () => '', get: async () => new Uint8Array() };
  await createWallets(database).expireHolds(later);
  await createAnswers(database, blobs).sweep(later);
  await database.close();
}

const save = (service: ServiceProcess, wallet: string, index: number) => {
  const data = Buffer.from(`note ${index} of ${wallet}`).toString('base64');
  const headers = { Authorization: `Bearer ${wallet}`, 'Idempotency-Key': `note-${index}` };
  return postTo(service.url, '/api/tools/save_asset', { wallet, key: `note-${index}`, data }, headers);
};
