import { AtelierError } from '../../../core/errors/atelier_error.ts';

interface Bounds {
  readonly atOnce: number;
  /** Queue length of one address, and of all addresses together. */
  readonly waitingMax: number;
  readonly waitingMaxOfAll: number;
}

export interface Asker {
  /** Network address. */
  readonly address: string;
  readonly callerKey: string;
  readonly signal: AbortSignal;
}

type Turns = <T>(asker: Asker, work: () => Promise<T>) => Promise<T>;

interface Lane {
  running: number;
  readonly waiting: Set<() => void>;
}

/**
 * Limits concurrency per network address. Further requests wait in order; beyond the queue length they fail
 * at once.
 * @throws AtelierError busy
 */
export function limitPerAddress({ atOnce, waitingMax, waitingMaxOfAll }: Bounds): Turns {
  const lanes = new Map<string, Lane>();
  let waitingOfAll = 0;

  async function enter({ address, signal }: Asker): Promise<Lane> {
    const lane = lanes.get(address) ?? { running: 0, waiting: new Set() };
    lanes.set(address, lane);
    if (lane.running < atOnce) {
      lane.running += 1;
      return lane;
    }
    if (lane.waiting.size >= waitingMax || waitingOfAll >= waitingMaxOfAll) throw tooMany(lane.waiting.size);
    const turn = Promise.withResolvers<void>();
    const leave = () => {
      lane.waiting.delete(turn.resolve);
      turn.reject(new AtelierError('timed_out', 'The caller gave up before its turn came.'));
    };
    signal.addEventListener('abort', leave, { once: true });
    lane.waiting.add(turn.resolve);
    waitingOfAll += 1;
    try {
      await turn.promise;
      return lane;
    } finally {
      waitingOfAll -= 1;
      signal.removeEventListener('abort', leave);
    }
  }

  /** Hands the slot to the next waiting request. */
  function leave(lane: Lane, address: string): void {
    const [next] = lane.waiting;
    if (next) {
      lane.waiting.delete(next);
      next();
    } else {
      lane.running -= 1;
      if (lane.running === 0) lanes.delete(address);
    }
  }

  return async (asker, work) => {
    if (asker.signal.aborted) throw new AtelierError('timed_out', 'The caller gave up.');
    const lane = await enter(asker);
    try {
      return await work();
    } finally {
      leave(lane, asker.address);
    }
  };
}

const tooMany = (own: number) =>
  new AtelierError(
    'busy',
    `Your address has ${own} pictures waiting already. Take those first, then ask for this one again.`,
    { retryAfterSeconds: 1 },
  );
