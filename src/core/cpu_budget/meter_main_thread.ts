import { promiseHooks } from 'node:v8';
import { CPU_RECEIVE_SECONDS_PER_BYTE_MAX } from './limits.ts';
import type { CpuAccount } from './types.ts';

/** Request or job whose main-thread time is measured. */
export interface Metered {
  readonly cpu: CpuAccount;
}

export interface MainThreadMeter {
  /** Runs work of a request: its synchronous part and all continuations count for it. */
  during<T>(request: Metered, work: () => T): T;
  /**
   * Counts body bytes. Node receives them in the context of the connection, so the request gets the unattributed time since the
   * last call, at most CPU_RECEIVE_SECONDS_PER_BYTE_MAX.
   */
  receive(request: Metered, bytes: number): void;
  /** Charges the rest at the end of a request. */
  flush(request: Metered): void;
  close(): void;
}

interface Options {
  /** The current request, by AsyncLocalStorage. */
  current(): Metered | undefined;
  charge(account: CpuAccount, seconds: number): void;
  /** Called when a request has ended. */
  settle(account: CpuAccount): void;
}

/**
 * Measures the CPU time of the main thread for each request: parsing, validation, searching in memory, pages, serialising. Whenever
 * another request continues, the CPU clock of the thread is read, and the time since the last reading belongs to the request that ran.
 * Waiting uses no CPU, so it counts for none. A request continues in a continuation of a promise, so that only the hook of V8 for those is
 * set. It ends with the round of the event loop at the latest. See docs/decisions/0005-admission-by-cpu-seconds.md.
 */
export function meterMainThread({ current, charge, settle }: Options): MainThreadMeter {
  let running: CpuAccount | undefined;
  let since = threadSeconds();
  /** Unattributed seconds since the last call of `receive`. */
  let unclaimed = 0;
  let isEnding = false;

  const switchTo = (next: CpuAccount | undefined) => {
    if (next === running) return;
    const now = threadSeconds();
    if (running) charge(running, now - since);
    else unclaimed += now - since;
    running = next;
    since = now;
    if (!next || isEnding) return;
    isEnding = true;
    setImmediate(endRound);
  };
  const endRound = () => {
    isEnding = false;
    switchTo(undefined);
  };
  const stop = promiseHooks.onBefore(() => switchTo(current()?.cpu)) as () => void;

  return {
    during(request, work) {
      const before = running;
      switchTo(request.cpu);
      try {
        return work();
      } finally {
        switchTo(before);
      }
    },
    receive({ cpu }, bytes) {
      switchTo(cpu);
      charge(cpu, Math.min(unclaimed, bytes * CPU_RECEIVE_SECONDS_PER_BYTE_MAX));
      unclaimed = 0;
      // The next piece is read in the name of its connection.
      switchTo(undefined);
    },
    flush({ cpu }) {
      // Reads the clock where the request is running now.
      if (running === cpu) {
        switchTo(undefined);
        switchTo(cpu);
      }
      settle(cpu);
    },
    close: stop,
  };
}

/** CPU seconds of this thread, user and system. */
function threadSeconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1e6;
}
