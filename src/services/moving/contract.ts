/** A move to other storage, while a server goes on answering what only reads. */
export interface Move {
  /** The embedded database to PostgreSQL, whole or not at all. @throws Error saying what to set or to do */
  database(options?: MoveOptions): Promise<Moved>;
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
