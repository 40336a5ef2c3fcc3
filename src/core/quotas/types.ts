/** What each caller keeps of one kind of files, and whether more of them may be kept. */
export interface Shares {
  /**
   * Counts bytes that are about to be kept for whoever is here. Answers how to say what they have really become; 0 for none.
   * @throws AtelierError too_much_kept, storage_full
   */
  take(bytes: number): Promise<(keptBytes: number) => void>;
}

/** Sums of what callers keep of one kind of files. */
export interface Counts {
  /** Adds bytes to each of these callers where they fit for all of them; undefined where they do not. */
  take(callers: readonly string[], bytes: number, bytesMax: number): Promise<AddMore | undefined>;
}

/** Adds more, or below zero less, where bytes were added before. Never throws. */
export type AddMore = (bytes: number) => void;
