import { setTimeout as sleep } from 'node:timers/promises';
import { memoryMiBOf } from '../server.ts';
import { openClient } from './client.ts';
import { type Cluster, openCluster } from './cluster.ts';
import { ask } from './postgresql_lines.ts';

const CLIENTS = 4;
/** Time without faults before the first one, after each, and at the end. */
const CALM_MS = 10_000;
const MEMORY_LOOK_MS = 5_000;
/** Time for open work at the end. */
const END_MS = 180_000;
/** Maximum time after any fault until every hold and key is resolved. */
const RESOLVED_MS = 120_000;

export interface FaultReport {
  readonly calls: number;
  /** Responses by status, and calls whose server was gone. */
  readonly answers: string;
  readonly jobs: number;
  /** Number of occurrences of each fault. */
  readonly faults: string;
  /** Answered calls that were repeated. */
  readonly replayed: number;
  /** The longest time that a key stayed claimed by a crashed call, in seconds. */
  readonly claimedSeconds: number;
  /** From the last fault until no hold and no key was open, in seconds. */
  readonly resolvedSeconds: number;
  readonly assets: number;
  readonly credits: number;
  readonly wrong: readonly string[];
  /** Memory of the first server with its processes, in order of time. */
  readonly memoryMiB: readonly number[];
}

/**
 * Clients call two servers and a worker while faults occur one after another; then the guarantees are
 * compared with the actual state.
 */
export async function runFaults(
  serverUrl: string,
  minutes: number,
  storageUrl?: string,
): Promise<FaultReport> {
  const cluster = await openCluster(serverUrl, storageUrl);
  const memoryMiB: number[] = [];
  const timer = setInterval(() => memoryMiB.push(memoryMiBOf(cluster.serverPid())), MEMORY_LOOK_MS);
  const until = performance.now() + minutes * 60_000;
  try {
    const clients = await Promise.all(
      Array.from({ length: CLIENTS }, (_, nth) => openClient(cluster.urls, nth)),
    );
    const busy = clients.map(async ({ round }) => {
      for (let number = 0; performance.now() < until; number += 1) await round(number);
    });
    const [faults] = await Promise.all([goWrong(cluster, until), ...busy]);
    clearInterval(timer);
    await Promise.all(clients.map(({ end }) => end(performance.now() + END_MS)));
    const wrong: string[] = [];
    const resolvedSeconds = await untilResolved(cluster, wrong);
    for (const { replay, check } of clients) {
      await replay();
      await check();
    }
    wrong.push(...(await wrongBooks(cluster)));
    const records = clients.map(({ record }) => record);
    const statuses = new Map<string, number>();
    for (const record of records)
      for (const [status, count] of record.statuses)
        statuses.set(status, (statuses.get(status) ?? 0) + count);
    return {
      calls: sum([...statuses.values()]),
      answers: listed(statuses),
      jobs: sum(records.map(({ ended }) => ended)),
      faults: listed(faults),
      replayed: sum(records.map(({ acknowledged }) => acknowledged.length)),
      claimedSeconds: Math.max(...records.map(({ claimedMs }) => claimedMs)) / 1000,
      resolvedSeconds,
      assets: sum(records.map(({ saved }) => saved.size)),
      credits: sum(records.map(({ spent }) => spent)),
      wrong: [...records.flatMap((record) => record.wrong), ...wrong],
      // There is no process between two starts.
      memoryMiB: memoryMiB.filter((size) => size > 0),
    };
  } finally {
    clearInterval(timer);
    await cluster.close();
  }
}

/** Runs one fault after the other, none in the last interval. @returns the occurrences of each */
async function goWrong({ faults }: Cluster, until: number): Promise<Map<string, number>> {
  const happened = new Map<string, number>();
  for (let turn = 0; ; turn += 1) {
    await sleep(CALM_MS);
    if (performance.now() > until - 4 * CALM_MS) return happened;
    const { name, isOnce, happen } = faults[turn % faults.length]!;
    if (isOnce && happened.has(name)) continue;
    await happen();
    happened.set(name, (happened.get(name) ?? 0) + 1);
  }
}

async function untilResolved(cluster: Cluster, wrong: string[]): Promise<number> {
  const began = performance.now();
  for (;;) {
    const [open] = await ask<{ holds: number; keys: number; held: number }>(
      cluster.databaseUrl(),
      `select (select count(*) from open_holds)::int as holds,
         (select count(*) from answers where answer_sha256 is null)::int as keys,
         (select coalesce(sum(held), 0) from accounts)::int as held`,
    );
    const seconds = (performance.now() - began) / 1000;
    if (open!.holds + open!.keys + open!.held === 0) return seconds;
    if (seconds * 1000 > RESOLVED_MS) {
      wrong.push(`still open after ${RESOLVED_MS / 1000} s: ${JSON.stringify(open)}`);
      return seconds;
    }
    await sleep(500);
  }
}

async function wrongBooks({ urls, databaseUrl }: Cluster): Promise<string[]> {
  const books = (await (await fetch(`${urls[0]}/api/ledger/invariants`)).json()) as { balanced: boolean };
  // Each asset was saved by exactly one call.
  const [twice] = await ask<{ assets: number }>(
    databaseUrl(),
    'select count(*)::int as assets from assets where version > 1',
  );
  return [
    ...(books.balanced ? [] : ['the books do not balance']),
    ...(twice!.assets === 0 ? [] : [`${twice!.assets} assets were saved more than once`]),
  ];
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

const listed = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .sort()
    .map(([name, count]) => `${name}: ${count}`)
    .join(', ');
