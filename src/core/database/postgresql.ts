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
 * Whether an error means that the server is unreachable, so that it is unknown whether the statement was executed. Errors that are
 * not listed are bugs and stay as they are.
 */
function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isLost);
  const { code = '' } = error as { code?: string };
  return error instanceof pg.DatabaseError
    ? GOING.test(code)
    : UNREACHABLE.test(code) || BROKEN.test(error.message);
}

/** SQLSTATE: connection exceptions, too many connections, shutdown or startup, and a standby in place of the primary. */
const GOING = /^(08...|53300|57P0[1-5]|25006)$/;

const UNREACHABLE =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOST(UNREACH|DOWN)|ENET(UNREACH|DOWN)|ENOTFOUND|EAI_AGAIN|ENOENT|EADDRNOTAVAIL)$/;

/** Messages of the client, which sets no code on such errors. */
const BROKEN =
  /^(Connection terminated|Connection ended|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client (was closed and is not queryable|has encountered a connection error))/;

/** Tracks whether the server is reachable, so that queries fail fast while it is not. */
interface Lifeline {
  /** Runs one statement. @throws AtelierError database_unavailable where the server is unreachable; else errors of `work` */
  during<T>(work: () => Promise<T>): Promise<T>;
  stop(): void;
}

interface LifelineOptions {
  /** Probes the server on a connection of its own; rejects soon where it does not respond. */
  probe(): Promise<void>;
  /** Closes every connection, so that pending statements fail. */
  dropAll(reason: Error): void;
}

/**
 * Circuit breaker. A silently dropped connection looks like a slow statement. After a statement has waited for two seconds, the
 * server is probed on a new connection. If the probe succeeds, the statement is slow. If not, all connections are dropped,
 * statements fail at once, and the server is probed every second until it responds.
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
 * A connection pool to a PostgreSQL server, 15 or newer. While the server is unreachable, statements fail soon with
 * database_unavailable; they work again once it is back.
 * @param options `statementMs`: statement timeout; 0: none. `schema`: schema of the tables, quoted
 * @throws Error when the server is unreachable at first or too old
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
  // The server closed an idle connection. The pool opens another one for the next statement.
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
        // Only a SQL error leaves the connection in a known state.
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

/** Tracks clients for their whole lifetime, including the connection phase: the pool lists only connected ones. */
const trackClients = (open: Set<pg.Client>): typeof pg.Client =>
  class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      open.add(this);
      this.once('end', () => open.delete(this));
    }
  };

/** Destroys the socket, as the pool does on a connection timeout; a graceful close would wait for the server. */
const socketOf = (client: pg.Client): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

/** Any response means that the server is up, even if it has no free connection. */
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
 * Session settings, set after connecting: poolers such as PgBouncer refuse settings in the startup message. JIT compilation takes
 * longer than any of our statements runs.
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

/** Same JavaScript values as on the embedded database. */
function parserOf(type: number, format?: 'text' | 'binary'): (text: string) => unknown {
  const { INT8, NUMERIC, DATE } = pg.types.builtins;
  if (type === INT8 || type === NUMERIC) return Number;
  if (type === DATE) return String;
  const parse = pg.types.getTypeParser(type, format as 'text');
  if (type === INT8_ARRAY || type === NUMERIC_ARRAY) return (text) => (parse(text) as unknown[]).map(Number);
  return parse;
}
