/** One request or job while it is here: for whom, and with what it fills the memory of this process. */
export interface Visit {
  /** Network address. */
  readonly address: string;
  /** The wallet it acts for, once that is known. */
  wallet?: string | undefined;
  /** Runs work as part of this visit: `current` and `reserve` find it, however deep they are called. */
  run<T>(work: () => T): T;
  /** Gives back everything it holds. Calling it twice is harmless. */
  close(): void;
}

/** Who is here, and one bound on the bytes they all hold in memory together. */
export interface Visits {
  begin(address: string): Visit;
  current(): Visit | undefined;
  /**
   * Counts bytes that the current visit is about to load, until it closes; waits a moment where there is no room. Outside a
   * visit, as in a chore, nothing is counted. @throws AtelierError busy
   */
  reserve: Reserve;
  /** Bytes that all visits together hold. */
  heldBytes(): number;
}

export type Reserve = (bytes: number, options?: { isArriving?: boolean }) => Promise<void>;
