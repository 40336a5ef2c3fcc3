import type { ScriptableDatabase } from './types.ts';
import { UNFLUSHED } from './unflushed.ts';

/** Notifies the other processes of a database that there is work. Signals may be lost: listeners also poll. */
export interface Signals {
  /** Sends after the commit of what it is about, without waiting. Equal signals that wait to be sent are one. */
  send(topic: string): void;
  /** Calls `heard` for each signal of other processes, and when some may have been missed. */
  on(topic: string, heard: () => void): void;
  /** Whether signals of other processes arrive; undefined where there is no other process. */
  isListening(): boolean | undefined;
  close(): Promise<void>;
}

/**
 * LISTEN and NOTIFY on one connection of this process. A notification is a statement of its own, not part of the transaction it is
 * about: PostgreSQL lets transactions with notifications commit one after the other.
 * @param database an embedded one has a single process, so nothing is sent
 * @param options `onRefused`: called once when the server, which is there, does not let this process listen, so that it only polls
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
      // Listeners poll for what a lost signal announced.
      await database
        .query(`select pg_notify(${CHANNEL}, topic) from ${UNFLUSHED}, unnest($1::text[]) topic`, [some])
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

/** Name of the channel of a schema, in SQL. A name has at most 63 bytes. */
export const CHANNEL = `left('atelier ' || current_schema(), 63)`;
