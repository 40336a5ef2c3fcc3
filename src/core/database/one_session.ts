import { runTransaction } from './connection.ts';
import type { Connection, ScriptableDatabase } from './types.ts';

interface Session {
  /** The current connection. A transaction keeps the one it began on. */
  connection(): Connection;
  /** Finishes pending statements and ends the session. */
  stop(): Promise<void>;
}

/** The embedded database has a single session: while a transaction runs or waits, later statements wait for its end. */
export function oneSession({ connection, stop }: Session): ScriptableDatabase {
  let transactionEnd: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  return {
    kind: 'embedded',
    query: (text, values) =>
      transactionEnd
        ? transactionEnd.then(() => connection().query(text, values))
        : connection().query(text, values),
    async transaction(work) {
      const before = transactionEnd;
      const { promise, resolve } = Promise.withResolvers<void>();
      transactionEnd = promise;
      await before;
      try {
        return await runTransaction(connection(), work);
      } finally {
        if (transactionEnd === promise) transactionEnd = undefined;
        resolve();
      }
    },
    close: () => {
      closing ??= Promise.resolve(transactionEnd).then(stop);
      return closing;
    },
  };
}
