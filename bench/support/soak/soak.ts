import { setTimeout as sleep } from 'node:timers/promises';
import { passTime } from '../../../tests/support/kill_rounds.ts';
import { memoryMiBOf } from '../server.ts';
import { openClient } from './client.ts';
import { type Cluster, openCluster } from './cluster.ts';

const CLIENTS = 4;
/** Of calm before the first fault, after each, and at the end. */
const CALM_MS = 15_000;
const MEMORY_LOOK_MS = 5_000;
/** For what is open when the time is over. */
const END_MS = 180_000;

export interface SoakReport {
  readonly calls: number;
  /** By status, and calls whose server was gone. */
  readonly answers: string;
  readonly jobs: number;
  /** How often each fault happened. */
  readonly faults: string;
  /** Calls whose server died under them. */
  readonly unknown: number;
  readonly assets: number;
  readonly credits: number;
  readonly wrong: readonly string[];
  /** Of the first server with its processes, in order of time. */
  readonly memoryMiB: readonly number[];
}

/** Clients call two servers and a worker while one thing after another goes wrong; then everything is compared with what was promised. */
export async function soak(serverUrl: string, minutes: number, storageUrl?: string): Promise<SoakReport> {
  const cluster = await openCluster(serverUrl, storageUrl);
  const memoryMiB: number[] = [];
  const timer = setInterval(() => memoryMiB.push(memoryMiBOf(cluster.serverPid)), MEMORY_LOOK_MS);
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
    const records = clients.map(({ record }) => record);
    const unknown = sum(records.map((record) => record.unknown.length));
    await passTime(cluster.databaseUrl);
    for (const { askAgain, end, check } of clients) {
      await askAgain();
      await end(performance.now() + END_MS);
      await check();
    }
    const books = (await (await fetch(`${cluster.urls[0]}/api/ledger/invariants`)).json()) as {
      balanced: boolean;
    };
    const statuses = new Map<string, number>();
    for (const record of records)
      for (const [status, count] of record.statuses)
        statuses.set(status, (statuses.get(status) ?? 0) + count);
    return {
      calls: sum([...statuses.values()]),
      answers: listed(statuses),
      jobs: sum(records.map(({ ended }) => ended)),
      faults: listed(faults),
      unknown,
      assets: sum(records.map(({ saved }) => saved.size)),
      credits: sum(records.map(({ spent }) => spent)),
      wrong: [
        ...records.flatMap(({ wrong }) => wrong),
        ...(books.balanced ? [] : ['the books do not balance']),
      ],
      memoryMiB,
    };
  } finally {
    clearInterval(timer);
    await cluster.close();
  }
}

/** One fault after the other, none in the last calm. @returns how often each happened */
async function goWrong({ faults }: Cluster, until: number): Promise<Map<string, number>> {
  const happened = new Map<string, number>();
  for (let turn = 0; ; turn += 1) {
    await sleep(CALM_MS);
    if (performance.now() > until - 4 * CALM_MS) return happened;
    const { name, happen } = faults[turn % faults.length]!;
    await happen();
    happened.set(name, (happened.get(name) ?? 0) + 1);
  }
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

const listed = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .sort()
    .map(([name, count]) => `${name}: ${count}`)
    .join(', ');
