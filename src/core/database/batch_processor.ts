/** A queue of distinct items. */
export interface BatchQueue<Item> {
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
