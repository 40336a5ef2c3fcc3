/** Migration to other storage, while a server keeps answering reads. */
export interface Move {
  /**
   * Copies the embedded database to PostgreSQL, all or nothing; writes are refused meanwhile. @throws Error saying what to set or
   * to do
   */
  database(options?: MoveOptions): Promise<Moved>;
  /**
   * Copies the files of the folder to a bucket. Repeatable; the final copy needs `isLast`. @throws Error saying what to set or to
   * do
   */
  files(options: FilesOptions): Promise<MovedFiles>;
}

/** Result of a migration. */
export interface Moved {
  readonly tables: number;
  readonly rows: number;
  /** Whether a server had the database open: it is read-only from now on. */
  readonly wasOpen: boolean;
}

export interface MoveOptions {
  /** Progress, 0 to 1, and the current step. */
  readonly onProgress?: (fraction: number, message: string) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface FilesOptions extends MoveOptions {
  /** No server is running: binds the database to the bucket. */
  readonly isLast: boolean;
}

export interface MovedFiles {
  readonly files: number;
  /** Files that were missing in the target. */
  readonly copied: number;
  readonly bytes: number;
}
