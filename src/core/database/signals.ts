import { ASYNC_COMMIT } from './async_commit.ts';
import type { ScriptableDatabase } from './types.ts';

/** Notifies the other processes of a database that there is work. Signals may be lost, so listeners also poll. */
export interface Signals {
  /** Sends a signal after the commit of its subject, without waiting. Equal pending signals are merged. */
  send(topic: string): void;
  /** Calls `heard` for each signal of other processes, and when signals may have been missed. */
  on(topic: string, heard: () => void): void;
  /** Whether signals of other processes arrive; undefined if there is no other process. */
  isListening(): boolean | undefined;
  close(): Promise<void>;
}

/**
 * LISTEN and NOTIFY on one connection of this process. A notification is a separate statement, not part of the transaction it is about:
 * PostgreSQL serialises the commits of transactions with notifications.
 * @param database an embedded one has a single process, so nothing is sent
 * @param options `onRefused`: called once if a reachable server does not let this process listen, so that it only polls
 */
export function createSignals(
  database: ScriptableDatabase,
  { onRefused }: { onRefused?(refusal: Error): void } = {},
): Signals {
  const listeners = new Map<string, (() => void)[]>();
  const topics = new Set<string>();
  let sending: Promise<void> | undefined;
  const heard = (topic: string | undefined) => {
    for (const [of, all] of listeners)
      if (topic === undefined || topic === of) for (const hear of all) hear();
  };
  let isListening = false;
  let isRefused = false;
  const stop = database.listen?.({
    heard(topic) {
      isListening = true;
      isRefused = false;
      heard(topic);
    },
    lost(refusal) {
      isListening = false;
      if (refusal && !isRefused) onRefused?.(refusal);
      isRefused = refusal !== undefined;
    },
  });

  async function sendAll(): Promise<void> {
    while (topics.size > 0) {
      const some = [...topics];
      topics.clear();
      // If a signal is lost, listeners find its subject by polling.
      await database
        .query(`select pg_notify(${CHANNEL}, topic) from ${ASYNC_COMMIT}, unnest($1::text[]) topic`, [some])
        .catch(() => {});
    }
    sending = undefined;
  }

  return {
    send(topic) {
      if (!stop) return;
      topics.add(topic);
      sending ??= sendAll();
    },
    on(topic, hear) {
      listeners.set(topic, [...(listeners.get(topic) ?? []), hear]);
    },
    isListening: () => stop && isListening,
    async close() {
      await sending;
      await stop?.();
    },
  };
}

/** SQL for the channel name of a schema. Names have at most 63 bytes. */
export const CHANNEL = `left('atelier ' || current_schema(), 63)`;
