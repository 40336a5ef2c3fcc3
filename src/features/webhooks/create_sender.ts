import { deliver } from './deliver.ts';
import { type Claimed, claimDue, lookAhead, spreadEvents } from './delivery_store.ts';
import type { Parts } from './deps.ts';
import { FAILING_SHARE, GATHER_MS, LEASE_MS, LOOK_MS, REST_MS } from './limits.ts';

/** Takes what is due, whoever wrote it down, and sends it. Any number of servers may do so on one database. */
export interface Sender {
  start(): void;
  /** Looks now instead of at the next look. */
  wake(): void;
  /** Stops what is under way, which is left to others. */
  close(): Promise<void>;
}

interface UnderWay {
  readonly delivery: Claimed;
  readonly ended: Promise<void>;
}

/** Looks once a second, and whenever a place becomes free. After a failure of the database it rests. */
export function createSender(parts: Parts): Sender {
  const { report, atOnce } = parts;
  const underWay = new Map<string, UnderWay>();
  const stopping = new AbortController();
  let looking = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let gathering: NodeJS.Timeout | undefined;
  let restsUntil = 0;

  const start = (delivery: Claimed) => {
    const ended = deliver(parts, delivery, stopping.signal)
      .catch(report)
      .finally(() => {
        underWay.delete(delivery.id);
        wake();
      });
    underWay.set(delivery.id, { delivery, ended });
  };
  const look = async () => {
    if (stopping.signal.aborted || performance.now() < restsUntil) return;
    const under = [...underWay.values()].map(({ delivery }) => delivery);
    try {
      const { claimed, hasMore } = await takeDue(parts, under);
      for (const delivery of claimed) start(delivery);
      if (hasMore) wake();
    } catch (error) {
      restsUntil = performance.now() + REST_MS;
      report(error);
    }
  };
  // One look at a time; whoever wakes it meanwhile is heard right after.
  const lookNext = () => {
    gathering = undefined;
    looking = looking.then(look);
  };
  function wake(): void {
    if (timer === undefined || stopping.signal.aborted) return;
    gathering ??= setTimeout(lookNext, GATHER_MS).unref();
  }
  return {
    start() {
      if (atOnce > 0) timer ??= setInterval(wake, LOOK_MS).unref();
    },
    wake,
    async close() {
      clearInterval(timer);
      clearTimeout(gathering);
      stopping.abort();
      await looking;
      await Promise.all([...underWay.values()].map(({ ended }) => ended));
    },
  };
}

/** Makes deliveries of what has happened, and takes as many as there are places for. `hasMore`: not all that happened was looked at. */
async function takeDue(
  { database, clock, atOnce }: Parts,
  under: readonly Claimed[],
): Promise<{ claimed: Claimed[]; hasMore: boolean }> {
  const { hasNews, nextDue } = await lookAhead(database);
  const now = clock();
  // One step only: places that are free are filled before the next.
  const hasMore = hasNews && (await spreadEvents(database, now)) > 0;
  const places = atOnce - under.length;
  const isDue = hasNews || (nextDue !== null && nextDue <= now);
  if (places <= 0 || !isDue) return { claimed: [], hasMore };
  const failing = under.filter(({ failingSince }) => failingSince !== null).length;
  const claimed = await claimDue(database, {
    now,
    leaseUntil: new Date(now.getTime() + LEASE_MS),
    places,
    placesOfFailing: Math.ceil(atOnce * FAILING_SHARE) - failing,
    underWay: {
      hosts: countBy(under, ({ host }) => host),
      callers: countBy(under, ({ caller }) => caller),
      lanes: countBy(under, ({ host, caller }) => `${host} ${caller}`),
    },
  });
  return { claimed, hasMore };
}

function countBy(deliveries: readonly Claimed[], nameOf: (delivery: Claimed) => string) {
  const groups = Map.groupBy(deliveries, nameOf);
  return Object.fromEntries([...groups].map(([name, all]) => [name, all.length]));
}
