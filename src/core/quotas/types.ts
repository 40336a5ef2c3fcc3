/** Storage quota per caller for one kind of files. */
export interface Shares {
  /**
   * Reserves storage quota for bytes of this principal. Returns a function that corrects the reservation to the final size; 0 for
   * none.
   * @throws AtelierError too_much_kept, storage_full
   */
  take(bytes: number): Promise<(keptBytes: number) => void>;
}

/** Bytes stored per caller, for one kind of files. */
export interface Counts {
  /** Adds bytes to all these callers where they fit for each; undefined where they do not. */
  take(callers: readonly string[], bytes: number, bytesMax: number): Promise<AddMore | undefined>;
}

/** Adds to an earlier count, or subtracts with a negative number. Never throws. */
export type AddMore = (bytes: number) => void;
