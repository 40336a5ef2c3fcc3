import type { CpuAccount } from '../cpu_budget/types.ts';

/** Request scope: principal and memory of one request or job in this process. */
export interface Visit {
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
export interface Visits {
  /** @param cpu default: the budget of the address */
  begin(address: string, cpu?: CpuAccount): Visit;
  current(): Visit | undefined;
  /**
   * Acquires memory for bytes that the current scope will load, until it closes; waits briefly if none is available. Outside a
   * scope, as in maintenance jobs, nothing is counted. @throws AtelierError busy
   */
  reserve: Reserve;
  /** Bytes held by all scopes. */
  heldBytes(): number;
  /** Stops measuring. */
  close(): void;
}

export type Reserve = (bytes: number, options?: { isArriving?: boolean }) => Promise<void>;
