import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOLD_LIFETIME_MS } from '../../src/config/limits.ts';
import { openDatabase } from '../../src/core/database/open_database.ts';
import { createIdempotencyStore } from '../../src/core/idempotency/answers.ts';
import { voidOrphanedHolds } from '../../src/core/queue/store.ts';
import { createWallets } from '../../src/features/wallets/wallets.ts';
import { memoryTexts } from './memory_texts.ts';
import { newSchema } from './new_schema.ts';
import { type ProcessReply, postTo } from './post_to.ts';
import type { StorageSettings } from './s3_servers.ts';
import { type ServiceProcess, startService } from './start_service.ts';
import { byCard, byCredits, byToken, byX402, type OnePayment, type Way } from './ways_to_pay.ts';

export const WAYS = { credits: byCredits, cards: byCard, tokens: byToken, x402: byX402 } as const;

/** Results of all rounds. Every entry under `wrong` is a violated guarantee. */
export interface KillReport {
  kills: number;
  calls: number;
  /** Answered before the kill. */
  answered: number;
  /** Charged before the kill, although the response never arrived: the retry got it without paying again. */
  chargedUnanswered: number;
  wrong: string[];
}

interface Setting {
  readonly by: keyof typeof WAYS;
  readonly serverUrl?: string | undefined;
  readonly storage?: StorageSettings;
}

const CALLS = 8;
const SETTINGS = { PAID_TOOLS_PER_MINUTE: '1000000', FREE_TOOLS_PER_HOUR: '1000000' };
/** Time limit of retries for a call with an unknown outcome. */
const RETRY_FOR_MS = 60_000;

/**
 * Starts the service, sends concurrent paid calls, kills it with SIGKILL in the middle, restarts it and
 * checks the ledger before and after every call is repeated.
 * @param serverUrl PostgreSQL; absent: the embedded database. The rounds get their own schema.
 * @param storage an object store; absent: bytes are files
 */
export async function killRounds(kills: number, { by, serverUrl, storage }: Setting): Promise<KillReport> {
  const report: KillReport = { kills: 0, calls: 0, answered: 0, chargedUnanswered: 0, wrong: [] };
  const folder = mkdtempSync(join(tmpdir(), 'atelier-kill-'));
  const schema = serverUrl ? await newSchema(serverUrl) : undefined;
  const way = await WAYS[by]();
  const start = () =>
    startService({
      ...SETTINGS,
      ...way.settings,
      ...storage,
      DATA_DIR: folder,
      ...(schema && { DATABASE_URL: schema.url }),
    });
  let service = await start();
  while (report.kills < kills) {
    service = await round(service, { report, way, start, databaseUrl: schema?.url });
  }
  service.process.kill('SIGKILL');
  await way.close();
  await schema?.drop();
  rmSync(folder, { recursive: true, force: true });
  return report;
}

interface Rounds {
  readonly report: KillReport;
  readonly way: Way;
  readonly databaseUrl: string | undefined;
  start(): Promise<ServiceProcess>;
}

async function round(first: ServiceProcess, rounds: Rounds): Promise<ServiceProcess> {
  const { report, way } = rounds;
  const wallet = `0x${randomBytes(20).toString('hex')}`;
  await postTo(first.url, '/api/wallet/register', { wallet });
  const payments = await Promise.all(Array.from({ length: CALLS }, () => way.pay(first.url)));
  const charged = () => payments.map(({ timesCharged }) => timesCharged?.());
  const replies = await cutOff(first, { way, round: report.kills }, () =>
    payments.map((payment, index) => save(first, { wallet, payment, index })),
  );
  const chargedThen = charged();

  const second = await rounds.start();
  if (rounds.databaseUrl) await passTime(rounds.databaseUrl, way);
  const before = await look(second, wallet);
  const retried = await Promise.all(
    payments.map((payment, index) => untilAnswered(() => save(second, { wallet, payment, index }))),
  );
  const after = await look(second, wallet);

  const answered = replies.filter((reply) => reply?.status === 200).length;
  const replayed = retried.filter((reply) => reply?.isReplay).length;
  const paidThen = sum(chargedThen) ?? before.spent;
  report.kills += 1;
  report.calls += CALLS;
  report.answered += answered;
  report.chargedUnanswered += paidThen - answered;
  const wrong = (what: string) => report.wrong.push(`kill ${report.kills}: ${what}`);
  if (before.held !== 0) wrong(`${before.held} still held after the start`);
  if (paidThen < answered) wrong(`${answered} answers, ${paidThen} charged`);
  if (before.assets !== replayed) wrong(`${before.assets} saved, ${replayed} answers kept`);
  if (before.spent > 0 && before.spent !== replayed) wrong(`${before.spent} spent, ${replayed} answers kept`);
  replies.forEach((reply, index) => {
    if (reply?.status !== 200) return;
    if (reply.text !== retried[index]?.text) wrong(`answer ${index} has changed`);
    if (chargedThen[index] === 0) wrong(`answer ${index} was given and not charged`);
  });
  for (const reply of retried) if (reply?.status !== 200) wrong(`a retry was refused: ${reply?.text}`);
  if (charged().some((times) => times !== undefined && times !== 1)) wrong(`charged ${charged()} times`);
  const paidNow = sum(charged()) ?? after.spent;
  if (paidNow !== CALLS || after.assets !== CALLS) wrong(`${paidNow} charged, ${after.assets} saved`);
  const kept = await Promise.all(payments.map((_, index) => noteIn(second, { wallet, index })));
  kept.forEach((data, index) => {
    if (data !== noteOf(wallet, index)) wrong(`note ${index} is ${data}`);
  });
  if (!before.isBalanced || !after.isBalanced) wrong('the books do not balance');
  const receipts = await Promise.all(retried.map((reply) => hasReceipt(second, reply)));
  if (receipts.includes(false)) wrong(`receipts of the answers: ${receipts}`);
  const secondUse = await save(second, { wallet, payment: payments[0]!, index: CALLS });
  if (payments[0]!.isRightSecondUse?.(secondUse!) === false)
    wrong(`a second use answered ${secondUse?.text}`);
  return second;
}

/** Undefined if only the service's own ledger knows. */
const sum = (times: (number | undefined)[]): number | undefined =>
  times.reduce((total, one) => (total === undefined || one === undefined ? undefined : total + one), 0);

/**
 * Kills the service after a number of responses; if the payment service can report it, every second time
 * between a charge and its response. So kills spread over the whole batch on slow and fast machines alike.
 */
async function cutOff(
  { process }: ServiceProcess,
  { way, round }: { way: Way; round: number },
  start: () => Promise<ProcessReply | undefined>[],
): Promise<(ProcessReply | undefined)[]> {
  const moment = Promise.withResolvers<void>();
  const kill = () => process.kill('SIGKILL');
  const count = round % CALLS;
  const isAtCharge = way.onCharge !== undefined && round % 2 === 1;
  way.onCharge?.(atLast(count, () => isAtCharge && kill() && moment.resolve()));
  const calls = start();
  if (!isAtCharge) {
    if (count === 0) moment.resolve();
    const answered = atLast(count, moment.resolve);
    for (const call of calls) call.then(answered);
    await moment.promise;
    await sleep(Math.random() * 10);
  }
  await moment.promise;
  kill();
  return Promise.all(calls);
}

/** Calls `work` at the last of a number of calls. */
function atLast(times: number, work: () => void): () => void {
  let left = times;
  return () => {
    left -= 1;
    if (left === 0) work();
  };
}

/** While the service does not know whether a call was paid, it asks to repeat it. */
async function untilAnswered(
  send: () => Promise<ProcessReply | undefined>,
): Promise<ProcessReply | undefined> {
  const end = Date.now() + RETRY_FOR_MS;
  for (;;) {
    const reply = await send();
    if (reply?.status !== 503 || Date.now() > end) return reply;
    await sleep(100);
  }
}

async function hasReceipt({ url }: ServiceProcess, reply: ProcessReply | undefined): Promise<boolean> {
  const { wallet, receipt_id: id, receipt } = reply?.body.payment ?? {};
  const found = await fetch(`${url}/api/wallet/receipts/${id}?wallet=${wallet}`);
  // biome-ignore lint/suspicious/noExplicitAny: an answer of another process
  return found.status === 200 && ((await found.json()) as any).receipt === receipt;
}

/** The state of a wallet according to the service. */
async function look(service: ServiceProcess, wallet: string) {
  const balance = await postTo(service.url, '/api/tools/check_balance', { wallet });
  const list = await postTo(service.url, '/api/tools/list_assets', { wallet });
  // biome-ignore lint/suspicious/noExplicitAny: an answer of another process
  const books: any = await (await fetch(`${service.url}/api/ledger/invariants`)).json();
  const { held, totals } = balance!.body;
  return {
    held: held as number,
    spent: totals.spent as number,
    assets: list!.body.count as number,
    isBalanced: books.balanced as boolean,
  };
}

/**
 * Lets the holds of a dead server expire: several servers may share a PostgreSQL, so it releases them only
 * after their lifetime, for which the rounds do not wait.
 */
export async function passTime(databaseUrl: string, way?: Way): Promise<void> {
  const database = await openDatabase({ dataDir: 'unused', databaseUrl });
  const later = new Date(Date.now() + HOLD_LIFETIME_MS + 60_000);
  await createWallets(database).expireHolds(later);
  await voidOrphanedHolds(database, later, later);
  await way?.sweep?.(database, later);
  await createIdempotencyStore(database, memoryTexts()).sweep(later);
  await database.close();
}

/** Base64. */
const noteOf = (wallet: string, index: number): string =>
  Buffer.from(`note ${index} of ${wallet}`).toString('base64');

async function noteIn({ url }: ServiceProcess, { wallet, index }: { wallet: string; index: number }) {
  const reply = await postTo(url, '/api/tools/get_asset', { wallet, key: `note-${index}` });
  return reply?.body.data as string | undefined;
}

const save = (
  { url }: ServiceProcess,
  { wallet, payment, index }: { wallet: string; payment: OnePayment; index: number },
) => {
  const data = noteOf(wallet, index);
  const { Authorization: credential, ...headers } = payment.headers;
  const all = {
    Authorization: [`Bearer ${wallet}`, credential].filter(Boolean).join(', '),
    'Idempotency-Key': `note-${index}`,
    ...headers,
  };
  return postTo(url, '/api/tools/save_asset', { wallet, key: `note-${index}`, data }, all);
};
