import type { Socket } from 'node:net';
import pg from 'pg';
import { AtelierError } from '../errors/atelier_error.ts';
import { runTransaction } from './connection.ts';
import {
  DATABASE_CONNECT_TIMEOUT_MS,
  DATABASE_CONNECTIONS_MAX,
  DATABASE_LOOK_MS,
  DATABASE_PROBE_TIMEOUT_MS,
  DATABASE_RETRY_SECONDS,
  DATABASE_SILENT_MS,
  STATEMENT_TIMEOUT_MS,
} from './limits.ts';
import type { Connection, Connections, ScriptableDatabase } from './types.ts';

/**
 * Whether an error says that the server cannot be reached, and nothing about the statement: whether that was done is not known.
 * Anything that is not in the list is a mistake of ours and stays one.
 */
function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isLost);
  const { code = '' } = error as { code?: string };
  return error instanceof pg.DatabaseError
    ? GOING.test(code)
    : UNREACHABLE.test(code) || BROKEN.test(error.message);
}

/** SQLSTATE: connection exceptions, too many connections, shutting down or starting up, and a standby where the primary was. */
const GOING = /^(08...|53300|57P0[1-5]|25006)$/;

const UNREACHABLE =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOST(UNREACH|DOWN)|ENET(UNREACH|DOWN)|ENOTFOUND|EAI_AGAIN|ENOENT|EADDRNOTAVAIL)$/;

/** What the client says, which gives such errors no code. */
const BROKEN =
  /^(Connection terminated|Connection ended|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client (was closed and is not queryable|has encountered a connection error))/;

/** Tracks whether the server is reachable, so that queries do not wait for one that is not. */
interface Lifeline {
  /** Runs one statement. @throws AtelierError database_unavailable where the server cannot be reached; else what `work` throws */
  during<T>(work: () => Promise<T>): Promise<T>;
  stop(): void;
}

interface LifelineOptions {
  /** Asks the server something on a connection of its own; rejects soon where it does not answer. */
  probe(): Promise<void>;
  /** Ends every connection there is, so that whatever waits on one fails. */
  dropAll(reason: Error): void;
}

/**
 * A connection that was cut off without a word looks like a slow statement. So where one has waited for two seconds the server is
 * asked on a new connection: if that answers, the statement is slow; if not, all connections are dropped, statements are
 * refused at once, and the server is asked every second until it is back.
 */
function createLifeline({ probe, dropAll }: LifelineOptions): Lifeline {
  const waiting = new Set<{ since: number }>();
  let isAway = false;
  let isAsking = false;

  async function ask(): Promise<void> {
    try {
      await probe();
      isAway = false;
    } catch (error) {
      isAway = true;
      dropAll(error as Error);
    } finally {
      isAsking = false;
    }
  }

  function look(): void {
    if (isAsking) return;
    isAsking = true;
    void ask();
  }

  const timer = setInterval(() => {
    const [oldest] = waiting;
    if (isAway || (oldest && performance.now() - oldest.since > DATABASE_SILENT_MS)) look();
  }, DATABASE_LOOK_MS);
  timer.unref();

  return {
    async during(work) {
      if (isAway) throw unavailable();
      const statement = { since: performance.now() };
      waiting.add(statement);
      try {
        return await work();
      } catch (error) {
        if (!isLost(error)) throw error;
        look();
        throw unavailable(error);
      } finally {
        waiting.delete(statement);
      }
    },
    stop: () => clearInterval(timer),
  };
}

const unavailable = (cause?: unknown): AtelierError =>
  new AtelierError('database_unavailable', undefined, { cause, retryAfterSeconds: DATABASE_RETRY_SECONDS });

/**
 * A pool of connections to a PostgreSQL server, 15 or newer. While the server cannot be reached statements fail soon with
 * database_unavailable; once it is back they work again.
 * @param options `statementMs`: the longest a statement may take; 0 for as long as it needs. `schema`: where its tables are, quoted
 * @throws Error when the server cannot be reached at first or is too old
 */
export async function openPostgresql(
  databaseUrl: string,
  { statementMs = STATEMENT_TIMEOUT_MS, schema }: { statementMs?: number; schema?: string } = {},
): Promise<ScriptableDatabase> {
  const open = new Set<pg.Client>();
  const pool = new pg.Pool({
    ...connectionTo(databaseUrl),
    Client: trackClients(open),
    max: DATABASE_CONNECTIONS_MAX,
    query_timeout: statementMs && statementMs + DATABASE_CONNECT_TIMEOUT_MS,
    onConnect: (client) => setUpSession(client, statementMs, schema),
    types: { getTypeParser: parserOf },
  });
  // The server closed an idle connection. The pool opens another one for the next statement; a lost one is no news.
  pool.on('error', () => {});
  await requireVersion(pool);
  const lifeline = createLifeline({
    probe: () => probe(databaseUrl),
    dropAll: (reason) => {
      for (const client of open) socketOf(client).destroy(reason);
    },
  });
  const connectionOf = (client: pg.Pool | pg.PoolClient): Connection => ({
    query: (text, values) =>
      lifeline.during(async () => (await client.query(text, values as unknown[])).rows),
    script: (text) => lifeline.during(async () => void (await client.query(text))),
  });
  let closing: Promise<void> | undefined;
  return {
    kind: 'postgresql',
    query: connectionOf(pool).query,
    async transaction(work) {
      const client = await lifeline.during(() => pool.connect());
      let broken: Error | undefined;
      const breaks = (error: Error) => {
        broken = error;
      };
      client.on('error', breaks);
      try {
        return await runTransaction(connectionOf(client), work);
      } catch (error) {
        // Only an error of SQL leaves the connection in a known state.
        if (!(error instanceof pg.DatabaseError)) broken ??= error as Error;
        throw error;
      } finally {
        client.off('error', breaks);
        client.release(broken);
      }
    },
    connections: () => connectionsOf(pool),
    close: () => {
      lifeline.stop();
      closing ??= pool.end();
      return closing;
    },
  };
}

const connectionsOf = ({ totalCount, idleCount, waitingCount }: pg.Pool): Connections => ({
  busy: totalCount - idleCount,
  idle: idleCount,
  waiting: waitingCount,
  max: DATABASE_CONNECTIONS_MAX,
});

const connectionTo = (databaseUrl: string): pg.ClientConfig => ({
  connectionString: databaseUrl,
  application_name: 'atelier',
  connectionTimeoutMillis: DATABASE_CONNECT_TIMEOUT_MS,
  keepAlive: true,
});

async function requireVersion(pool: pg.Pool): Promise<void> {
  try {
    const { rows } = await pool.query('show server_version_num');
    const major = Math.floor(Number(rows[0].server_version_num) / 10_000);
    if (major < 15) throw new Error(`it is PostgreSQL ${major}, and 15 or newer is needed`);
  } catch (error) {
    await pool.end();
    throw new Error(
      `DATABASE_URL cannot be used: ${(error as Error).message || 'the server does not answer'}.`,
      { cause: error },
    );
  }
}

/** A client that is in the set for as long as it lives, from before it is connected: the pool shows only those that are. */
const trackClients = (open: Set<pg.Client>): typeof pg.Client =>
  class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      open.add(this);
      this.once('end', () => open.delete(this));
    }
  };

/** The pool itself ends a connection that takes too long so; saying goodbye would wait for the server. */
const socketOf = (client: pg.Client): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

/** A server that answers anything is there, also if it has no connection left. */
async function probe(databaseUrl: string): Promise<void> {
  const client = new pg.Client({
    ...connectionTo(databaseUrl),
    connectionTimeoutMillis: DATABASE_PROBE_TIMEOUT_MS,
    query_timeout: DATABASE_PROBE_TIMEOUT_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === TOO_MANY_CONNECTIONS)) throw error;
  } finally {
    socketOf(client).destroy();
  }
}

const TOO_MANY_CONNECTIONS = '53300';

/**
 * Settings of a session, asked for once it is there: poolers such as PgBouncer refuse sessions that bring settings of their own.
 * Compiling statements (JIT) takes longer than any of ours runs.
 */
async function setUpSession(
  client: pg.ClientBase,
  statementMs: number,
  schema: string | undefined,
): Promise<void> {
  const place = schema === undefined ? '' : `; set search_path = ${schema}`;
  await client.query(`set statement_timeout = ${statementMs}; set jit = off${place}`);
}

const INT8_ARRAY = 1016;
const NUMERIC_ARRAY = 1231;

/** The same JavaScript values as on the embedded database. */
function parserOf(type: number, format?: 'text' | 'binary'): (text: string) => unknown {
  const { INT8, NUMERIC, DATE } = pg.types.builtins;
  if (type === INT8 || type === NUMERIC) return Number;
  if (type === DATE) return String;
  const parse = pg.types.getTypeParser(type, format as 'text');
  if (type === INT8_ARRAY || type === NUMERIC_ARRAY) return (text) => (parse(text) as unknown[]).map(Number);
  return parse;
}
