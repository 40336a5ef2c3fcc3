/** Receives a file sequentially. Only the first chunk may be rewritten, once its values are known. */
export interface Sink {
  write(bytes: Uint8Array): void;
  rewrite(at: number, bytes: Uint8Array): void;
}

/** Writes a sheet row by row, so that it is never held whole. */
export interface SheetFile {
  /**
   * Writes whole rows, four bytes per pixel. They are compressed while the next rows are rendered; the buffer may be
   * reused after the next call.
   */
  rows(inks: Uint8Array): Promise<void>;
  /** Bytes written so far. */
  readonly bytes: number;
  /** Called after all rows. */
  finish(): Promise<void>;
}

/** Printing condition that the inks of a file are meant for. */
export interface PrintCondition {
  /** Description from the ICC profile. */
  readonly name: string;
  readonly profile: Uint8Array;
  /** Name in the ICC characterisation data registry, such as FOGRA39. Absent if the condition is not registered. */
  readonly registered?: string;
}

/** Creates a sink that collects the file in memory. */
export function memorySink(): Sink & { readonly pieces: Uint8Array[] } {
  const pieces: Uint8Array[] = [];
  return {
    pieces,
    write: (bytes) => void pieces.push(bytes),
    rewrite: (at, bytes) => pieces[0]!.set(bytes, at),
  };
}
