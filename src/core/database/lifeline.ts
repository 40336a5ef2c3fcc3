import { AtelierError } from '../errors/atelier_error.ts';
import { DATABASE_LOOK_MS, DATABASE_RETRY_SECONDS, DATABASE_SILENT_MS } from './limits.ts';
import { isLost } from './lost_connection.ts';

/** Knows whether the server can be reached, so that nobody waits for one that cannot. */
export interface Lifeline {
  /** Runs one statement. @throws AtelierError database_unavailable where the server cannot be reached; else what `work` throws */
  during<T>(work: () => Promise<T>): Promise<T>;
  stop(): void;
}

export interface LifelineOptions {
  /** Asks the server something on a connection of its own; rejects soon where it does not answer. */
  probe(): Promise<void>;
  /** Ends every connection there is, so that whatever waits on one fails. */
  dropAll(reason: Error): void;
}

/**
 * A connection that was cut off without a word looks like a slow statement. So where one has waited for two seconds the server is
 * asked on a new connection: if that answers, the statement is slow; if not, all connections are dropped, statements are
 * refused at once, and the server is asked every second until it is back.
 */
export function createLifeline({ probe, dropAll }: LifelineOptions): Lifeline {
  const waiting = new Set<{ since: number }>();
  let isAway = false;
  let isAsking = false;

  async function ask(): Promise<void> {
    try {
      await probe();
      isAway = false;
    } catch (error) {
      isAway = true;
      dropAll(error as Error);
    } finally {
      isAsking = false;
    }
  }

  function look(): void {
    if (isAsking) return;
    isAsking = true;
    void ask();
  }

  const timer = setInterval(() => {
    const [oldest] = waiting;
    if (isAway || (oldest && performance.now() - oldest.since > DATABASE_SILENT_MS)) look();
  }, DATABASE_LOOK_MS);
  timer.unref();

  return {
    async during(work) {
      if (isAway) throw unavailable();
      const statement = { since: performance.now() };
      waiting.add(statement);
      try {
        return await work();
      } catch (error) {
        if (!isLost(error)) throw error;
        look();
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
