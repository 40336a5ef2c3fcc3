import { createHash } from 'node:crypto';
import { openDatabase } from '../src/core/database/open_database.ts';
import { createSignals } from '../src/core/database/signals.ts';
import type { ScriptableDatabase } from '../src/core/database/types.ts';
import { createResponseTexts } from '../src/core/idempotency/response_texts.ts';
import { createJobs } from '../src/core/queue/jobs.ts';
import { JOB_LEASE_MS } from '../src/core/queue/limits.ts';
import { claim, report, requeue } from '../src/core/queue/store.ts';
import type { NewJob } from '../src/core/queue/types.ts';
import type { Results } from '../src/features/assets/results/results.ts';
import { newSchema } from '../tests/support/new_schema.ts';

const WAITING = [1_000, 10_000, 50_000];
const TIMES = 60;
const ADDRESSES = 2_000;
const TOOLS = ['paint', 'carve', 'weave', 'etch', 'cast'];
/** Jobs accepted concurrently, from this many addresses. */
const [AT_ONCE, CALLERS, ACCEPTED] = [8, 20, 400];
const WAKES = 30;

/** Measures the cost of the queue while many jobs wait, and the delay until another process starts one. */
export async function run(): Promise<string> {
  const serverUrl = process.env.TEST_DATABASE_URL;
  if (!serverUrl) return '## Queue\n\nNot measured: TEST_DATABASE_URL names no PostgreSQL.';
  const schema = await newSchema(serverUrl);
  const open = () => openDatabase({ dataDir: 'unused', databaseUrl: schema.url });
  const database = await open();
  try {
    const rows: string[] = [];
    for (const waiting of WAITING) rows.push(await rowOf(database, waiting));
    const other = await open();
    const wake = await wakes(database, other);
    await other.close();
    return [
      '## Queue',
      '',
      `PostgreSQL, jobs of ${TOOLS.length} tools from ${ADDRESSES} addresses wait. Milliseconds, p50 / p95 of ${TIMES}, one after another; accepted a second: ${AT_ONCE} at once of ${CALLERS} addresses.`,
      '',
      '| waiting | claim | report | status read | accept | accepted a second |',
      '|---|---|---|---|---|---|',
      ...rows,
      '',
      `From acceptance to the run in an idle process of its own connections: ${wake} (p50 / worst of ${WAKES}).`,
    ].join('\n');
  } finally {
    await database.close();
    await schema.drop();
  }
}

async function rowOf(database: ScriptableDatabase, waiting: number): Promise<string> {
  await fill(database, waiting);
  const jobs = serviceOn(database);
  const wanted = { tools: undefined, excludedTools: [], fullAddresses: [], but: [], mayTakeOver: true };
  const claimed: { id: string; attempt: number }[] = [];
  const claiming = await timed(async () => {
    claimed.push((await claim(database, wanted, { at: new Date(), leaseMs: JOB_LEASE_MS }))!);
  });
  let nth = 0;
  const reporting = await timed(() =>
    report(database, claimed[nth++ % claimed.length]!, {
      progress: 0.5,
      message: 'half',
      leaseMs: JOB_LEASE_MS,
    }),
  );
  const ids = await database.query<{ id: string }>(
    `select id from jobs where state = 'queued' order by md5(id) limit ${TIMES}`,
  );
  nth = 0;
  const reading = await timed(() => jobs.find(ids[nth++ % ids.length]!.id));
  nth = 0;
  const accepting = await timed(() =>
    jobs.accept(jobFrom(jobs.newId(), `new ${nth++ % CALLERS}`), undefined),
  );
  const began = performance.now();
  let left = ACCEPTED;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) await jobs.accept(jobFrom(jobs.newId(), `many ${left % CALLERS}`), undefined);
    }),
  );
  const perSecond = Math.round((1000 * ACCEPTED) / (performance.now() - began));
  for (const one of claimed) await requeue(database, one, { afterMs: 0 });
  await jobs.close();
  return `| ${waiting} | ${[claiming, reporting, reading, accepting, perSecond].join(' | ')} |`;
}

/** Fills the queue with this many waiting jobs, none running. */
async function fill(database: ScriptableDatabase, waiting: number): Promise<void> {
  await database.query('delete from jobs');
  await database.query(
    `insert into jobs (id, tool, caller, address, request_id, warnings, input_sha256, pictures, created_at, expires_at, turn)
     select 'job_' || md5(n::text), ($1::text[])[1 + n % cardinality($1::text[])], 'ip:' || n % $2, (n % $2)::text, 'req', '[]',
       repeat('a', 64), '[]', now(), now() + interval '6 hours', n / $2
     from generate_series(1, $3::integer) n`,
    [TOOLS, ADDRESSES, waiting],
  );
  await database.query('vacuum analyze jobs');
}

async function timed(work: () => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  for (let nth = 0; nth < TIMES; nth += 1) {
    const at = performance.now();
    await work();
    times.push(performance.now() - at);
  }
  times.sort((one, other) => one - other);
  const of = (share: number) => times[Math.floor(times.length * share)]!.toFixed(1);
  return `${of(0.5)} / ${of(0.95)}`;
}

async function wakes(database: ScriptableDatabase, other: ScriptableDatabase): Promise<string> {
  await database.query('delete from jobs');
  const [sender, listener] = [createSignals(database), createSignals(other)];
  const [accepting, working] = [serviceOn(database, sender), serviceOn(other, listener)];
  const begun = new Map<string, () => void>();
  await working.work({
    run: async ({ id, keep }) => {
      begun.get(id)?.();
      await keep('{}');
    },
  });
  const times: number[] = [];
  const woken: number[] = [];
  for (let nth = 0; nth < WAKES; nth += 1) {
    // At a random moment between two polls.
    await new Promise((resolve) => setTimeout(resolve, 300 + 1500 * Math.random()));
    const job = jobFrom(accepting.newId(), `wake ${nth}`);
    const began = new Promise<number>((resolve) => begun.set(job.id, () => resolve(performance.now())));
    const at = performance.now();
    await accepting.accept(job, undefined);
    const acceptedAt = performance.now();
    const begunAt = await began;
    times.push(begunAt - at);
    woken.push(begunAt - acceptedAt);
  }
  await Promise.all([accepting.close(), working.close(), sender.close(), listener.close()]);
  const [whole, after] = [times, woken].map((some) => {
    some.sort((one, other) => one - other);
    return `${some[WAKES / 2]!.toFixed(0)} / ${some.at(-1)!.toFixed(0)}`;
  });
  return `${whole} ms, of it after the acceptance ${after}`;
}

function serviceOn(database: ScriptableDatabase, signals?: ReturnType<typeof createSignals>) {
  const blobs = new Map<string, Uint8Array>();
  const kept = {
    put: async (bytes: Uint8Array) => {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      blobs.set(sha256, bytes);
      return sha256;
    },
    get: async (sha256: string) => blobs.get(sha256) ?? new TextEncoder().encode('{}'),
  };
  const limit = 1_000_000;
  return createJobs({
    database,
    signals,
    blobs: kept,
    texts: createResponseTexts({ blobs: kept, results: {} as Results }),
    limits: { atOnce: 3, atOnceOfAddress: 3, perCaller: limit, perAddress: limit, inAll: limit },
    isHeld: async () => true,
    release: async () => {},
    problemOf: () => ({ code: 'internal_error' }),
    report: (error) => console.error(error),
  });
}

const jobFrom = (id: string, address: string): NewJob => ({
  id,
  tool: 'paint',
  caller: { countedAs: `ip:${address}`, address, requestId: 'req' },
  input: {},
  pictures: {},
  warnings: [],
});
