/** SQL on either engine. One dialect (PostgreSQL 15) and one set of migrations; callers do not depend on the engine. */
export interface Queryable {
  /** Rows of one statement. bigint and numeric arrive as numbers on both engines, timestamptz as Date, jsonb parsed. */
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

export interface Database extends Queryable {
  readonly kind: 'embedded' | 'postgresql';
  /**
   * For a few statements, never around pixel work or network requests: on the embedded database an open transaction blocks all
   * others.
   */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /** Pool statistics of this process; absent for a single connection. */
  connections?(): Connections;
  close(): Promise<void>;
}

export interface Connections {
  readonly busy: number;
  readonly idle: number;
  /** Statements waiting for a connection. */
  readonly waiting: number;
  /** Pool size. */
  readonly max: number;
}

export interface DatabasePlace {
  /** Folder with the embedded database in `database/`; `memory` keeps it in memory, for tests. */
  readonly dataDir: string;
  /** PostgreSQL connection string, with one host or several; replaces `dataDir`. */
  readonly databaseUrl?: string | undefined;
  /** Joins an embedded database that another process has open. */
  readonly mayJoin?: boolean | undefined;
  /** How long to wait for an unavailable PostgreSQL server. Default: not at all. */
  readonly waitMs?: number | undefined;
  /** No statement timeout. */
  readonly isPatient?: boolean | undefined;
  /** Skip migrations. */
  readonly isAsFound?: boolean | undefined;
  /** Called before the tables of an existing database are changed. */
  readonly beforeMigrating?: ((database: ScriptableDatabase) => Promise<void>) | undefined;
}

/** One session, as a transaction needs. */
export interface Connection extends Queryable {
  /** Several statements without parameters or rows. */
  script(text: string): Promise<void>;
}

/** The database as migrations use it. */
export interface ScriptableDatabase extends Database {
  /**
   * Reports the CPU seconds of each statement, in the async context of its caller. Only for the embedded database, which runs in a
   * thread of this process: the duration of a PostgreSQL statement does not show its CPU time, because it waits for locks, disks
   * and other statements.
   */
  onSpent?(listener: (cpuSeconds: number) => void): void;
  transaction<T>(work: (tx: Connection) => Promise<T>): Promise<T>;
  /** Listens to the channel of this schema, on a separate connection. Absent on an embedded database. @returns stops */
  listen?(listener: Listener): () => Promise<void>;
}

export interface Listener {
  /**
   * Called with the payload of each notification, and without one after each connection, because notifications may have been missed.
   */
  heard(payload: string | undefined): void;
  /** Called when the connection has ended; `refusal` is the reason why a reachable server does not let this process listen. */
  lost?(refusal: Error | undefined): void;
}

/** An embedded database that another process has open. */
export interface JoinedDatabase extends ScriptableDatabase {
  /**
   * Makes the database read-only for every process, this one included, until the requesting process closes or dies. Waiting transactions
   * run first.
   */
  freeze(): Promise<void>;
  /** Keeps the database read-only after the requesting process has gone, until the process that owns the database restarts. */
  stayFrozen(): Promise<void>;
}
