import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { AtelierError } from '../errors/atelier_error.ts';
import { runTransaction } from './connection.ts';
import { readHosts } from './hosts.ts';
import {
  DATABASE_CONNECT_TIMEOUT_MS,
  DATABASE_CONNECTIONS_MAX,
  DATABASE_PROBE_INTERVAL_MS,
  DATABASE_PROBE_TIMEOUT_MS,
  DATABASE_RETRY_SECONDS,
  DATABASE_SILENT_MS,
  STATEMENT_TIMEOUT_MS,
} from './limits.ts';
import { CHANNEL } from './signals.ts';
import type { Connection, Connections, Listener, ScriptableDatabase } from './types.ts';

/**
 * Whether an error means that the server is unreachable, so that it is unknown whether the statement was executed. Errors that are
 * not listed are bugs and stay as they are.
 */
function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isLost);
  const { code = '' } = error as { code?: string };
  return error instanceof pg.DatabaseError
    ? LOST_CODES.test(code)
    : UNREACHABLE.test(code) || BROKEN.test(error.message);
}

/** SQLSTATE: connection exceptions, too many connections, shutdown or startup, and a standby in place of the primary. */
const LOST_CODES = /^(08...|53300|57P0[1-5]|25006)$/;

const UNREACHABLE =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOST(UNREACH|DOWN)|ENET(UNREACH|DOWN)|ENOTFOUND|EAI_AGAIN|ENOENT|EADDRNOTAVAIL)$/;

/** Messages of the client, which sets no code on such errors. */
const BROKEN =
  /^(Connection terminated|Connection ended|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client (was closed and is not queryable|has encountered a connection error))/;

/** All connections of the pool are in use: the server is not unavailable. Message of pg-pool. */
const isPoolFull = (error: unknown): boolean =>
  error instanceof Error && error.message === 'timeout exceeded when trying to connect';

/** read_only_sql_transaction: the connection leads to a server that has become a standby. */
const isReadOnly = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '25006';

/** Tracks whether the server is reachable, so that queries fail fast while it is not. */
interface Lifeline {
  /**
   * Runs one statement.
   * @throws AtelierError database_unavailable if the server is unreachable, busy if no connection became free in time; otherwise errors of
   * `work`
   */
  during<T>(work: () => Promise<T>): Promise<T>;
  stop(): void;
}

interface LifelineOptions {
  /** Finds the primary on a separate connection; rejects soon if there is none. True if it is a different server than before. */
  probe(): Promise<boolean>;
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
  let asking: Promise<void> | undefined;

  async function ask(): Promise<void> {
    try {
      if (await probe()) dropAll(new Error('Connection terminated: another server is the primary now'));
      isAway = false;
    } catch (error) {
      isAway = true;
      dropAll(error as Error);
    } finally {
      asking = undefined;
    }
  }

  function look(): Promise<void> {
    asking ??= ask();
    return asking;
  }

  const timer = setInterval(() => {
    const [oldest] = waiting;
    if (isAway || (oldest && performance.now() - oldest.since > DATABASE_SILENT_MS)) void look();
  }, DATABASE_PROBE_INTERVAL_MS);
  timer.unref();

  return {
    async during(work) {
      if (isAway) throw unavailable();
      const statement = { since: performance.now() };
      waiting.add(statement);
      try {
        return await work();
      } catch (error) {
        if (isPoolFull(error)) {
          await look();
          throw isAway ? unavailable() : allInUse();
        }
        if (!isLost(error)) throw error;
        if (isReadOnly(error)) dropAll(error as Error);
        void look();
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

const allInUse = (): AtelierError =>
  new AtelierError('busy', 'All connections to the database are in use. You were not charged.', {
    retryAfterSeconds: DATABASE_RETRY_SECONDS,
  });

interface PostgresqlOptions {
  /** Statement timeout; 0: none. */
  readonly statementMs?: number;
  /** Schema of the tables, quoted. */
  readonly schema?: string;
  /** How long to wait for a server that is unavailable at first. */
  readonly waitMs?: number;
}

/**
 * A connection pool to a PostgreSQL server, 15 or newer. With several hosts in `databaseUrl`, connections go to the primary, and to another
 * host once that has been promoted. While the server is unreachable, statements fail soon with database_unavailable; they work again once
 * it is back.
 * @throws Error if the server is unreachable at first or too old
 */
export async function openPostgresql(
  databaseUrl: string,
  { statementMs = STATEMENT_TIMEOUT_MS, schema, waitMs = 0 }: PostgresqlOptions = {},
): Promise<ScriptableDatabase> {
  const primary = createPrimary(readHosts(databaseUrl));
  await findAtStart(primary, waitMs);
  const open = new Set<pg.Client>();
  const pool = new pg.Pool({
    ...connectionTo(primary.url()),
    Client: trackClients(open, primary.url),
    max: DATABASE_CONNECTIONS_MAX,
    query_timeout: statementMs && statementMs + DATABASE_CONNECT_TIMEOUT_MS,
    onConnect: (client) => setUpSession(client, statementMs, schema),
    types: { getTypeParser: parserOf },
  });
  // The server closed an idle connection. The pool opens another one for the next statement.
  pool.on('error', () => {});
  await requireVersion(pool);
  const lifeline = createLifeline({
    probe: primary.find,
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
    listen: (listener) => listen(primary.url, schema, listener),
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
    if (major < 15) throw new Error(`it is PostgreSQL ${major}; version 15 or newer is required`);
  } catch (error) {
    await pool.end();
    throw unusable(error);
  }
}

const unusable = (error: unknown): Error =>
  new Error(`DATABASE_URL cannot be used: ${(error as Error).message || 'the server does not respond'}.`, {
    cause: error,
  });

/** @throws Error if no primary is found within `waitMs`, or if the server refuses the connection */
async function findAtStart({ find }: Primary, waitMs: number): Promise<void> {
  const end = performance.now() + waitMs;
  for (;;) {
    try {
      return void (await find());
    } catch (error) {
      const mayCome = isLost(error) || error instanceof Standby;
      if (!mayCome || performance.now() >= end) throw unusable(error);
      await sleep(DATABASE_PROBE_INTERVAL_MS);
    }
  }
}

/** Selects the server for connections. */
interface Primary {
  /** Connection string of the server that was the primary at the last search. */
  url(): string;
  /** Searches for the primary, starting with the previous one. True if it has moved. @throws if none is found */
  find(): Promise<boolean>;
}

function createPrimary(urls: readonly string[]): Primary {
  let [current = ''] = urls;
  return {
    url: () => current,
    async find() {
      let failure: unknown;
      for (const url of [current, ...urls.filter((other) => other !== current)]) {
        try {
          await probe(url);
          const isMoved = url !== current;
          current = url;
          return isMoved;
        } catch (error) {
          // An unreachable server explains the failure better than a standby that waits for it.
          if (!(failure && error instanceof Standby)) failure = error;
        }
      }
      throw failure;
    },
  };
}

class Standby extends Error {
  constructor() {
    super('the server is a read-only standby');
  }
}

/** Tracks clients for their whole lifetime, including the connection phase: the pool lists only connected ones. */
const trackClients = (open: Set<pg.Client>, url: () => string): typeof pg.Client =>
  class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super({ ...(config as pg.ClientConfig), connectionString: url() });
      open.add(this);
      this.once('end', () => open.delete(this));
    }
  };

/** Destroys the socket, as the pool does on a connection timeout; a graceful close would wait for the server. */
const socketOf = (client: pg.Client): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

/**
 * Whether the server is up and accepts writes. A server without a free connection is up.
 * @throws Standby if it is read-only
 */
async function probe(databaseUrl: string): Promise<void> {
  const client = new pg.Client({
    ...connectionTo(databaseUrl),
    connectionTimeoutMillis: DATABASE_PROBE_TIMEOUT_MS,
    query_timeout: DATABASE_PROBE_TIMEOUT_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query('select pg_is_in_recovery() as is_standby');
    if (rows[0].is_standby) throw new Standby();
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === TOO_MANY_CONNECTIONS)) throw error;
  } finally {
    socketOf(client).destroy();
  }
}

const TOO_MANY_CONNECTIONS = '53300';

/**
 * Session settings, applied after connecting: poolers such as PgBouncer refuse settings in the startup message. JIT compilation takes
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

/**
 * A dedicated connection, because a pool reassigns connections. It is reopened whenever it ends. A pooler in transaction mode accepts
 * LISTEN and delivers nothing.
 */
function listen(
  url: () => string,
  schema: string | undefined,
  { heard, lost }: Listener,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const hearOnce = async (): Promise<undefined> => {
    const client = new pg.Client({
      ...connectionTo(url()),
      query_timeout: DATABASE_CONNECT_TIMEOUT_MS,
    });
    const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
    const end = () => socketOf(client).destroy();
    client.on('error', () => {});
    signal.addEventListener('abort', end);
    try {
      await client.connect();
      await setUpSession(client, STATEMENT_TIMEOUT_MS, schema);
      const { rows } = await client.query(`select quote_ident(${CHANNEL}) as channel`);
      client.on('notification', ({ payload }) => heard(payload));
      await client.query(`listen ${rows[0].channel}`);
      heard(undefined);
      await ended;
    } finally {
      signal.removeEventListener('abort', end);
      end();
    }
  };
  const listening = (async () => {
    while (!signal.aborted) {
      const failure = await hearOnce().catch((error: Error) => error);
      // The pool reports an unavailable server.
      if (!signal.aborted) lost?.(failure && !isLost(failure) ? failure : undefined);
      await sleep(DATABASE_PROBE_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  })();
  return () => {
    stopping.abort();
    return listening;
  };
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
