import { AsyncLocalStorage } from 'node:async_hooks';
import { promiseHooks } from 'node:v8';
import { BUSY_RETRY_SECONDS, MEMORY_ADDRESS_SHARE } from '../../config/limits.ts';
import { CPU_RECEIVE_SECONDS_PER_BYTE_MAX } from '../cpu_budget/limits.ts';
import type { CpuAccount } from '../cpu_budget/types.ts';
import { AtelierError } from '../errors/atelier_error.ts';

/** Fraction of memory for incoming bodies; the rest is for calls in progress. */
const MEMORY_ARRIVAL_SHARE = 0.75;
/**
 * A scope up to this fraction counts as small, and the last part of the memory is reserved for small scopes, so that two addresses cannot
 * lock out all others.
 */
const SMALL_SCOPE_SHARE = 1 / 64;
const MEMORY_LARGE_SHARE = 15 / 16;
const MEMORY_ARRIVAL_WAIT_MS = 2_000;
const MEMORY_WAIT_MS = 15_000;

interface Limits {
  readonly bytesMax: number;
  /** How long incoming bodies, and calls in progress, wait for memory. */
  readonly arrivalWaitMs?: number;
  readonly waitMs?: number;
  /** Measures the main-thread time of each scope; absent: not measured. */
  meter?(current: () => RequestScope | undefined): MainThreadMeter;
}

interface Held {
  readonly scope: RequestScope;
  bytes: number;
  isClosed: boolean;
}

interface Waiting {
  readonly held: Held;
  readonly bytes: number;
  readonly isArriving: boolean;
  grant(): void;
}

/**
 * Grants memory in order of arrival; a request that does not fit does not block smaller ones behind it. One address gets at most half, and
 * more only for one request at a time. Incoming bodies leave a quarter free for calls in progress, which could not finish without it.
 */
export function createRequestScopes({
  bytesMax,
  arrivalWaitMs = MEMORY_ARRIVAL_WAIT_MS,
  waitMs = MEMORY_WAIT_MS,
  meter,
}: Limits): RequestScopes {
  const here = new AsyncLocalStorage<Held>();
  const byAddress = new Map<string, number>();
  const waiting = new Set<Waiting>();
  let all = 0;
  const current = () => here.getStore()?.scope;
  const { during, receive, flush, close } = meter?.(current) ?? UNMETERED;

  const ofOthers = ({ scope, bytes }: Held) => (byAddress.get(scope.address) ?? 0) - bytes;
  const shareOf = (bytes: number, isArriving: boolean) => {
    if (bytes <= bytesMax * SMALL_SCOPE_SHARE) return 1;
    return isArriving ? MEMORY_ARRIVAL_SHARE : MEMORY_LARGE_SHARE;
  };
  const fits = (held: Held, bytes: number, isArriving: boolean): boolean => {
    if (all + bytes > bytesMax * shareOf(held.bytes + bytes, isArriving)) return false;
    const others = ofOthers(held);
    return others === 0 || others + held.bytes + bytes <= bytesMax * MEMORY_ADDRESS_SHARE;
  };
  const add = (held: Held, bytes: number) => {
    held.bytes += bytes;
    all += bytes;
    const { address } = held.scope;
    const sum = (byAddress.get(address) ?? 0) + bytes;
    if (sum > 0) byAddress.set(address, sum);
    else byAddress.delete(address);
  };
  const serve = () => {
    for (const one of waiting) {
      if (!one.held.isClosed && !fits(one.held, one.bytes, one.isArriving)) continue;
      // Added synchronously, so that the next iteration sees it.
      if (!one.held.isClosed) add(one.held, one.bytes);
      one.grant();
    }
  };

  return {
    begin(address, cpu = { address }) {
      const scope: RequestScope = {
        address,
        cpu,
        run: (work) => here.run(held, () => during(scope, work)),
        receive: (bytes) => receive(scope, bytes),
        close() {
          flush(scope);
          held.isClosed = true;
          add(held, -held.bytes);
          serve();
        },
      };
      const held: Held = { scope, bytes: 0, isClosed: false };
      return scope;
    },
    current,
    async reserve(bytes, { isArriving = false } = {}) {
      const held = here.getStore();
      // A closed scope is only finishing.
      if (!held || held.isClosed || bytes <= 0) return;
      if (fits(held, bytes, isArriving)) return add(held, bytes);
      const room = bytesMax * shareOf(held.bytes + bytes, isArriving);
      if (held.bytes + bytes > room) throw needsTooMuch(held.bytes + bytes, room);
      await turn(waiting, { held, bytes, isArriving }, isArriving ? arrivalWaitMs : waitMs);
    },
    heldBytes: () => all,
    close,
  };
}

const UNMETERED: MainThreadMeter = {
  during: (_visit, work) => work(),
  receive: () => {},
  flush: () => {},
  close: () => {},
};

/** Waits for the grant. @throws AtelierError busy after a timeout */
function turn(waiting: Set<Waiting>, asked: Omit<Waiting, 'grant'>, waitMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      waiting.delete(one);
    };
    const one: Waiting = {
      ...asked,
      grant() {
        leave();
        resolve();
      },
    };
    const timer = setTimeout(() => {
      leave();
      reject(memoryUnavailable());
    }, waitMs);
    waiting.add(one);
  });
}

/** The error for a request for which memory is temporarily unavailable. */
export const memoryUnavailable = (): AtelierError =>
  new AtelierError(
    'busy',
    'Other calls are using all request memory of this server. Send the same call again.',
    { retryAfterSeconds: BUSY_RETRY_SECONDS },
  );

const MIB = 1024 * 1024;
/** A retry would not help: the request exceeds the total budget. */
const needsTooMuch = (bytes: number, room: number): AtelierError =>
  new AtelierError(
    'payload_too_large',
    `This call needs ${Math.ceil(bytes / MIB)} MiB of memory. The limit for one call is ${Math.floor(room / MIB)} MiB. Send a smaller image, or request a smaller result, such as JPEG.`,
  );

/** For code without a request scope: tests, and programs that serve no requests. */
export const reserveNothing: Reserve = async () => {};

const names = new AsyncLocalStorage<string | undefined>();

/** Runs work on a file with this name, so that result files can be named after it. */
export const withSourceName = <T>(name: string | undefined, work: () => T): T => names.run(name, work);

/** Name of the source file of the current work; undefined if it has none. */
export const sourceName = (): string | undefined => names.getStore();

/** Runs work in a separate request scope: its memory is released when it ends, while the surrounding call continues. */
export function inRequestScope<T>(
  requestScopes: Pick<RequestScopes, 'begin' | 'current'>,
  { address, wallet }: Pick<RequestScope, 'address' | 'wallet'>,
  work: () => Promise<T>,
): Promise<T> {
  const scope = requestScopes.begin(address, requestScopes.current()?.cpu);
  scope.wallet = wallet;
  return scope.run(work).finally(scope.close);
}

/** Request scope: principal and memory of one request or job in this process. */
export interface RequestScope {
  /** Network address. */
  readonly address: string;
  /** Its wallet, once known. */
  wallet?: string | undefined;
  /** CPU budget that it is charged to. */
  readonly cpu: CpuAccount;
  /** Runs work in this scope: `current` and `reserve` find it through the async context. */
  run<T>(work: () => T): T;
  /** Charges the CPU time of receiving these body bytes. */
  receive(bytes: number): void;
  /** Releases everything it holds. Idempotent. */
  close(): void;
}

/** Open request scopes, with a common memory budget. */
export interface RequestScopes {
  /** @param cpu default: the budget of the address */
  begin(address: string, cpu?: CpuAccount): RequestScope;
  current(): RequestScope | undefined;
  /**
   * Acquires memory for bytes that the current scope will load, until it closes; waits briefly if none is available. Outside a scope, as in
   * maintenance jobs, nothing is counted. @throws AtelierError busy
   */
  reserve: Reserve;
  /** Bytes held by all scopes. */
  heldBytes(): number;
  /** Stops measuring. */
  close(): void;
}

export type Reserve = (bytes: number, options?: { isArriving?: boolean }) => Promise<void>;

/** Request or job whose main-thread time is measured. */
interface Metered {
  readonly cpu: CpuAccount;
}

interface MainThreadMeter {
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
