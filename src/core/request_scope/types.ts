import type { CpuAccount } from '../cpu_budget/types.ts';

/** One request or job while it is here: for whom, and with what it fills the memory of this process. */
export interface Visit {
  /** Network address. */
  readonly address: string;
  /** The wallet it acts for, once that is known. */
  wallet?: string | undefined;
  /** Whose CPU seconds it uses. */
  readonly cpu: CpuAccount;
  /** Runs work as part of this visit: `current` and `reserve` find it, however deep they are called. */
  run<T>(work: () => T): T;
  /** Counts the CPU time of receiving so many bytes of its body. */
  receive(bytes: number): void;
  /** Gives back everything it holds. Calling it twice is harmless. */
  close(): void;
}

/** Who is here, and one bound on the bytes they all hold in memory together. */
export interface Visits {
  /** @param cpu absent: that of the address */
  begin(address: string, cpu?: CpuAccount): Visit;
  current(): Visit | undefined;
  /**
   * Counts bytes that the current visit is about to load, until it closes; waits a moment where there is no room. Outside a
   * visit, as in a chore, nothing is counted. @throws AtelierError busy
   */
  reserve: Reserve;
  /** Bytes that all visits together hold. */
  heldBytes(): number;
  /** Stops measuring. */
  close(): void;
}

export type Reserve = (bytes: number, options?: { isArriving?: boolean }) => Promise<void>;
