import pg from 'pg';
import { DATABASE_CONNECT_TIMEOUT_MS, DATABASE_CONNECTIONS_MAX, STATEMENT_TIMEOUT_MS } from '../limits.ts';
import { type Connection, runTransaction, type ScriptableDatabase } from './connection.ts';

/**
 * A pool of connections to a PostgreSQL server, 15 or newer.
 * @throws Error when the server cannot be reached or is too old
 */
export async function openPostgresql(databaseUrl: string): Promise<ScriptableDatabase> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'atelier',
    max: DATABASE_CONNECTIONS_MAX,
    connectionTimeoutMillis: DATABASE_CONNECT_TIMEOUT_MS,
    onConnect,
    types: { getTypeParser: parserOf },
  });
  // The server closed an idle connection. The pool opens another one for the next statement; a lost one is no news.
  pool.on('error', () => {});
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
  let closing: Promise<void> | undefined;
  return {
    kind: 'postgresql',
    query: connectionOf(pool).query,
    async transaction(work) {
      const client = await pool.connect();
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
    close: () => {
      closing ??= pool.end();
      return closing;
    },
  };
}

/**
 * Settings of a session, asked for once it is there: poolers such as PgBouncer refuse sessions that bring settings of their own.
 * Compiling statements (JIT) takes longer than any of ours runs.
 */
const onConnect = async (client: pg.ClientBase): Promise<void> => {
  await client.query(`set statement_timeout = ${STATEMENT_TIMEOUT_MS}; set jit = off`);
};

const connectionOf = (client: pg.Pool | pg.PoolClient): Connection => ({
  query: async (text, values) => (await client.query(text, values as unknown[])).rows,
  script: async (text) => void (await client.query(text)),
});

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
