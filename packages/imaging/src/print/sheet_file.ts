/** Takes a file from its beginning. Only its first bytes may be written again, once what they tell is known. */
export interface Sink {
  write(bytes: Uint8Array): void;
  rewrite(at: number, bytes: Uint8Array): void;
}

/** Writes a sheet from the top, so that it is never held whole. */
export interface SheetFile {
  /** Whole rows of ink, four bytes a pixel. They are compressed while the next are made, and free again after the next call. */
  rows(inks: Uint8Array): Promise<void>;
  /** Written so far. */
  readonly bytes: number;
  /** After all rows. */
  finish(): Promise<void>;
}

/** What a file says about the inks it holds. */
export interface PrintCondition {
  /** What the profile calls itself. */
  readonly name: string;
  readonly profile: Uint8Array;
  /** Its name in the ICC's registry of characterisations, such as FOGRA39. Absent: the condition is not registered. */
  readonly registered?: string;
}

/** Keeps what is written in memory, in pieces. */
export function memorySink(): Sink & { readonly pieces: Uint8Array[] } {
  const pieces: Uint8Array[] = [];
  return {
    pieces,
    write: (bytes) => void pieces.push(bytes),
    rewrite: (at, bytes) => pieces[0]!.set(bytes, at),
  };
}
