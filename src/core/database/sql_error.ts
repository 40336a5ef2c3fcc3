/** Error of the server about a refused statement. */
export interface SqlError extends Error {
  /** SQLSTATE, such as `23505` for a duplicate. */
  readonly code: string;
  /** Name of the violated constraint, if any. */
  readonly constraint?: string;
  readonly detail?: string;
}

/** The error as a SQL error; undefined for anything else (a lost connection, a bug). */
export function sqlErrorOf(error: unknown): SqlError | undefined {
  return error instanceof Error && 'code' in error && /^[0-9A-Z]{5}$/.test(String(error.code))
    ? (error as SqlError)
    : undefined;
}

/** data_corrupted, index_corrupted and undefined_file: an invalid page or index, or a missing table file. PostgreSQL, appendix A */
export const isDatabaseDamage = (error: unknown): boolean =>
  /^(XX001|XX002|58P01)$/.test(sqlErrorOf(error)?.code ?? '');
