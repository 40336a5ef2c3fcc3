import { createHook } from 'node:async_hooks';
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
 * Waiting uses no CPU, so it counts for none. Only the `before` hook is set: it costs 75 ns per continuation, each reading of the clock
 * 1 µs. See docs/decisions/0151-cpu-budgets.md.
 */
export function meterMainThread({ current, charge, settle }: Options): MainThreadMeter {
  let running: CpuAccount | undefined;
  let since = threadSeconds();
  /** Unattributed seconds since the last call of `receive`. */
  let unclaimed = 0;

  const switchTo = (next: CpuAccount | undefined) => {
    if (next === running) return;
    const now = threadSeconds();
    if (running) charge(running, now - since);
    else unclaimed += now - since;
    running = next;
    since = now;
  };
  const hook = createHook({ before: () => switchTo(current()?.cpu) }).enable();

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
      const before = running;
      switchTo(cpu);
      charge(cpu, Math.min(unclaimed, bytes * CPU_RECEIVE_SECONDS_PER_BYTE_MAX));
      unclaimed = 0;
      switchTo(before);
    },
    flush({ cpu }) {
      // Reads the clock where the request is running now.
      if (running === cpu) {
        switchTo(undefined);
        switchTo(cpu);
      }
      settle(cpu);
    },
    close: () => void hook.disable(),
  };
}

/** CPU seconds of this thread, user and system. */
function threadSeconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1e6;
}
