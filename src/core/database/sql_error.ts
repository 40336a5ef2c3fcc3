/** What the server says about a statement it refused. */
export interface SqlError extends Error {
  /** SQLSTATE, such as `23505` for a duplicate. */
  readonly code: string;
  /** Name of the constraint that was violated, where one was. */
  readonly constraint?: string;
  readonly detail?: string;
}

/** The error as one of SQL, or undefined when it is something else (a lost connection, a bug). */
export function sqlErrorOf(error: unknown): SqlError | undefined {
  return error instanceof Error && 'code' in error && /^[0-9A-Z]{5}$/.test(String(error.code))
    ? (error as SqlError)
    : undefined;
}

/** data_corrupted, index_corrupted and undefined_file: an invalid page or index, or a file of a table that is gone. PostgreSQL, appendix A */
export const isDatabaseDamage = (error: unknown): boolean =>
  /^(XX001|XX002|58P01)$/.test(sqlErrorOf(error)?.code ?? '');
