/** SQL on either engine. One dialect (PostgreSQL 15), one set of migrations; callers never ask which engine it is. */
export interface Queryable {
  /** Rows of one statement. bigint and numeric arrive as numbers on both engines, timestamptz as Date, jsonb parsed. */
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

export interface Database extends Queryable {
  readonly kind: 'embedded' | 'postgresql';
  /** A few statements, never around pixels or network: on the embedded database an open transaction holds up everybody. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /** How the connections of this process are used; absent where there is one only. */
  connections?(): Connections;
  close(): Promise<void>;
}

export interface Connections {
  readonly busy: number;
  readonly idle: number;
  /** Work that has none yet. */
  readonly waiting: number;
  /** The most there may be. */
  readonly max: number;
}

export interface DatabasePlace {
  /** Folder that holds the embedded database in `database/`; `memory` keeps it in memory, for tests. */
  readonly dataDir: string;
  /** PostgreSQL connection string; with one, `dataDir` is not looked at. */
  readonly databaseUrl?: string | undefined;
  /** An embedded database that another process has open is worked on through that process. */
  readonly mayJoin?: boolean | undefined;
  /** Statements may take as long as they need. */
  readonly isPatient?: boolean | undefined;
  /** Its tables stay as they are. */
  readonly isAsFound?: boolean | undefined;
  /** Runs before the tables of a database that is in use are changed. */
  readonly beforeMigrating?: ((database: ScriptableDatabase) => Promise<void>) | undefined;
}

/** One session with the server: what a transaction needs. */
export interface Connection extends Queryable {
  /** Several statements without arguments or rows. */
  script(text: string): Promise<void>;
}

/** The database as migrations see it. */
export interface ScriptableDatabase extends Database {
  /**
   * Reports the CPU seconds of each statement, in the async context of its caller. Only the embedded database does, which runs in a
   * thread of this process: how long PostgreSQL takes says nothing of CPU time, because statements wait for locks, disks and each other.
   */
  onSpent?(listener: (cpuSeconds: number) => void): void;
  transaction<T>(work: (tx: Connection) => Promise<T>): Promise<T>;
}

/** An embedded database that another process has open. */
export interface JoinedDatabase extends ScriptableDatabase {
  /** From now on nobody can write, this process included, until it closes or dies. What waits for a transaction is let through first. */
  freeze(): Promise<void>;
  /** Nobody will write any more, also when this process has gone: until the other one starts again. */
  stayFrozen(): Promise<void>;
}
