import pg from 'pg';

/**
 * Whether an error says that the server cannot be reached, and nothing about the statement: whether that was done is not known.
 * Anything that is not in the list is a mistake of ours and stays one.
 */
export function isLost(error: unknown): boolean {
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
