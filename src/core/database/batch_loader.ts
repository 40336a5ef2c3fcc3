import { setTimeout as sleep } from 'node:timers/promises';
import { AtelierError } from '../errors/atelier_error.ts';
import { sqlErrorOf } from './sql_error.ts';

interface Together<Request, Answer> {
  /** One statement for several requests; responses in their order. */
  readonly ask: (requests: readonly Request[]) => Promise<readonly Answer[]>;
  /** Requests with the same key are in separate statements, and a statement is ordered by key, to lock rows in a fixed order. */
  readonly keyOf: (request: Request) => string;
  /** Concurrent statements; requests that arrive meanwhile go into the next one. */
  readonly atOnce: number;
  readonly requestsMax: number;
}

interface Waiting<Request, Answer> extends PromiseWithResolvers<Answer> {
  readonly request: Request;
}

/**
 * Batch loader: joins all waiting requests into one statement, which takes one commit and one round trip. A request never waits for others
 * to arrive. If the database refuses the statement, each request is repeated alone, so that one bad request does not fail the others.
 * @returns sends a request; throws what `ask` throws for that request alone
 */
export function createBatchLoader<Request, Answer>({
  ask,
  keyOf,
  atOnce,
  requestsMax,
}: Together<Request, Answer>): (request: Request) => Promise<Answer> {
  const waiting = new Map<string, Waiting<Request, Answer>[]>();
  let running = 0;

  /** The first request of each key, keys in order of arrival or last use. */
  function takeSome(): Waiting<Request, Answer>[] {
    const lines = [...waiting].slice(0, requestsMax).sort(([one], [other]) => (one < other ? -1 : 1));
    return lines.map(([key, line]) => {
      const first = line.shift()!;
      waiting.delete(key);
      if (line.length > 0) waiting.set(key, line);
      return first;
    });
  }

  async function askFor(taken: readonly Waiting<Request, Answer>[]): Promise<void> {
    try {
      const answers = await ask(taken.map(({ request }) => request));
      for (const [at, { resolve }] of taken.entries()) resolve(answers[at]!);
    } catch (error) {
      const isOfOne = taken.length > 1 && sqlErrorOf(error) !== undefined;
      if (isOfOne) await Promise.all(taken.map((one) => askFor([one])));
      else for (const { reject } of taken) reject(error);
    }
  }

  async function run(): Promise<void> {
    running += 1;
    for (let taken = takeSome(); taken.length > 0; taken = takeSome()) await askFor(taken);
    running -= 1;
  }

  return (request) => {
    const own = { request, ...Promise.withResolvers<Answer>() };
    const key = keyOf(request);
    const line = waiting.get(key);
    if (line) line.push(own);
    else waiting.set(key, [own]);
    if (running < atOnce) void run();
    return own.promise;
  };
}

const PAUSE_MS = 250;

/**
 * Retries an idempotent operation while the database is unreachable or all connections are in use: it may have succeeded, with only
 * its response lost.
 * @throws what the last attempt threw
 */
export async function retryWhileUnavailable<T>(work: () => Promise<T>, forMs: number): Promise<T> {
  const end = performance.now() + forMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() > end) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

/** Whether the database is unreachable or all connections are in use. */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  error instanceof AtelierError && ['database_unavailable', 'busy'].includes(error.code);

/**
 * Whether a failed statement may have been executed: its connection was lost in transit. Statements that SQL refused or that were
 * never sent were not.
 */
export function mayHaveExecuted(error: unknown): boolean {
  const cause = error instanceof AtelierError ? error.cause : error;
  if (cause === undefined) return false;
  if (cause instanceof AggregateError) return cause.errors.some(mayHaveExecuted);
  const { code = '' } = cause as { code?: string };
  // 08: a pooler reports this about its own connection.
  return !UNSENT.test(code) && (!sqlErrorOf(cause) || code.startsWith('08'));
}

const UNSENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENOENT|EADDRNOTAVAIL)$/;

/** A queue of distinct items. */
interface BatchQueue<Item> {
  /** Queues an item; no effect if it is already queued. */
  add(item: Item): void;
  /** Resolves when the queue is empty and no batch is running. */
  idle(): Promise<void>;
}

/**
 * Processes items in batches, one batch after another. Items that arrive during a batch form the next one, so the cost per item
 * falls with the load and an item never waits for others to arrive.
 * @param work must not throw
 */
export function createBatchProcessor<Item>(
  most: number,
  work: (lot: readonly Item[]) => Promise<void>,
): BatchQueue<Item> {
  const queued = new Set<Item>();
  let running: Promise<void> | undefined;

  async function workOnAll(): Promise<void> {
    while (queued.size > 0) {
      const lot = [...queued].slice(0, most);
      for (const item of lot) queued.delete(item);
      await work(lot);
    }
  }
  const wake = () => {
    // Deferred, so that the items of one call form one batch.
    running ??= Promise.resolve()
      .then(workOnAll)
      .finally(() => {
        running = undefined;
        if (queued.size > 0) wake();
      });
  };

  return {
    add(item) {
      queued.add(item);
      wake();
    },
    async idle() {
      while (running) await running;
    },
  };
}
