import { AsyncLocalStorage } from 'node:async_hooks';
import { runTransaction } from './connection.ts';
import type { Connection, ScriptableDatabase } from './types.ts';

/** Protocol of a database in another thread or process. Requests are answered in order. */

export type Request =
  | { readonly id: number; readonly text: string; readonly values: readonly unknown[] }
  | { readonly id: number; readonly script: string }
  | { readonly id: number; readonly close: true };

export type Reply = (
  | { readonly id: number; readonly rows: unknown[] }
  | { readonly id: number; readonly error: PlainError }
) & {
  /** CPU time of the database thread, where measured. */
  readonly cpuSeconds?: number;
};

/** Errors lose their own fields in structured clone. */
type PlainError = { readonly message: string } & Record<string, unknown>;

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

/** The requesting side. */
interface Exchange {
  readonly connection: Connection;
  /** Number 0: the other side reports by itself that it is ready, or why not. */
  readonly opened: Promise<unknown>;
  ask(request: WithoutId<Request>): Promise<unknown[]>;
  receive(reply: Reply): void;
  /** Fails all current and future requests; the first reason counts. */
  end(reason: Error): void;
}

interface Waiting extends PromiseWithResolvers<unknown[]> {
  /** Called in the async context of the request. */
  readonly spend?: (cpuSeconds: number) => void;
}

/** @param onSpent called with the CPU time of each response, in the async context of its request */
export function createExchange(
  send: (request: Request) => void,
  onSpent?: (cpuSeconds: number) => void,
): Exchange {
  const waiting = new Map<number, Waiting>();
  const opened: PromiseWithResolvers<unknown[]> = Promise.withResolvers();
  waiting.set(0, opened);
  let lastId = 0;
  let ended: Error | undefined;

  const ask: Exchange['ask'] = (request) => {
    if (ended) return Promise.reject(ended);
    const answer: PromiseWithResolvers<unknown[]> = Promise.withResolvers();
    lastId += 1;
    send({ ...request, id: lastId });
    waiting.set(lastId, onSpent ? { ...answer, spend: AsyncLocalStorage.bind(onSpent) } : answer);
    return answer.promise;
  };
  return {
    connection: {
      query: (text, values = []) => ask({ text, values }) as Promise<never[]>,
      script: async (script) => void (await ask({ script })),
    },
    opened: opened.promise,
    ask,
    receive(reply) {
      const answer = waiting.get(reply.id);
      waiting.delete(reply.id);
      if (reply.cpuSeconds !== undefined) answer?.spend?.(reply.cpuSeconds);
      if ('error' in reply) answer?.reject(Object.assign(new Error(reply.error.message), reply.error));
      else answer?.resolve(reply.rows);
    },
    end(reason) {
      ended ??= reason;
      for (const { reject } of waiting.values()) reject(ended);
      waiting.clear();
    },
  };
}

/** The response to one request. */
export async function replyTo(id: number, rows: Promise<unknown[]>): Promise<Reply> {
  try {
    return { id, rows: await rows };
  } catch (error) {
    const { message, severity, code, constraint, detail, table, column } = error as Error &
      Record<string, unknown>;
    return { id, error: { message, severity, code, constraint, detail, table, column } };
  }
}

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
