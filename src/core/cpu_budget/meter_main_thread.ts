import { promiseHooks } from 'node:v8';
import { CPU_RECEIVE_SECONDS_PER_BYTE_MAX } from './limits.ts';
import type { CpuAccount } from './types.ts';

/** Request or job whose main-thread time is measured. */
export interface Metered {
  readonly cpu: CpuAccount;
}

export interface MainThreadMeter {
  /** Runs work of a request: its synchronous part and all continuations are attributed to the request. */
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
 * Measures the main-thread CPU time of each request: parsing, validation, in-memory search, pages, serialisation. Whenever another request
 * continues, the thread's CPU clock is read, and the time since the last reading belongs to the request that ran. Waiting uses no CPU time.
 * Requests continue in promise continuations, so only V8's hook for those is set. A request's slice ends with the event loop iteration at
 * the latest. See docs/decisions/0005-admission-by-cpu-seconds.md.
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
      // The next chunk is read in the context of its connection.
      switchTo(undefined);
    },
    flush({ cpu }) {
      // Reads the clock if the request is running now.
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
