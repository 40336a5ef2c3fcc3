/** A move to other storage, while a server goes on answering. */
export interface Move {
  /** The embedded database to PostgreSQL, whole or not at all; what writes is refused meanwhile. @throws Error saying what to set or to do */
  database(options?: MoveOptions): Promise<Moved>;
  /** The files of the folder to a bucket, as often as one likes, and once more for the last time. @throws Error saying what to set or to do */
  files(options: FilesOptions): Promise<MovedFiles>;
}

/** What a move has brought to where. */
export interface Moved {
  readonly tables: number;
  readonly rows: number;
  /** Whether a server had the database open: it only reads from now on. */
  readonly wasOpen: boolean;
}

export interface MoveOptions {
  /** How far it is, 0 to 1, and at what. */
  readonly onProgress?: (fraction: number, message: string) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface FilesOptions extends MoveOptions {
  /** No server runs any more: the database goes with the bucket from then on. */
  readonly isLast: boolean;
}

export interface MovedFiles {
  readonly files: number;
  /** Those of them that were not there yet. */
  readonly copied: number;
  readonly bytes: number;
}
