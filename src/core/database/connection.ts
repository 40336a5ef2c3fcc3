import type { Connection, Queryable } from './types.ts';

/**
 * Runs `work` between begin and commit. A failed statement aborts the transaction even if `work` catches the error: PostgreSQL
 * answers `commit` with a silent rollback.
 */
export async function runTransaction<T>(
  connection: Connection,
  work: (tx: Connection) => Promise<T>,
): Promise<T> {
  let failure: { error: unknown } | undefined;
  let over = false;
  const guardStatement =
    <Arguments extends unknown[], Result>(statement: (...args: Arguments) => Promise<Result>) =>
    async (...args: Arguments): Promise<Result> => {
      if (over) throw new Error('This transaction has ended; use the database instead.');
      try {
        return await statement(...args);
      } catch (error) {
        failure ??= { error };
        throw error;
      }
    };
  await connection.query('begin');
  try {
    const result = await work({
      query: guardStatement((text: string, values?: readonly unknown[]) =>
        connection.query(text, values),
      ) as Queryable['query'],
      script: guardStatement((text: string) => connection.script(text)),
    });
    if (failure) throw failure.error;
    over = true;
    await connection.query('commit');
    return result;
  } catch (error) {
    over = true;
    await connection.query('rollback');
    throw error;
  }
}
