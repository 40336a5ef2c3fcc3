/** What waits to be worked on, each thing once. */
export interface Lots<Item> {
  /** Has it worked on soon; harmless where it waits already. */
  add(item: Item): void;
  /** When nothing waits and nothing is worked on. */
  idle(): Promise<void>;
}

/**
 * Works on what comes in lots, one after the other: whoever comes while a lot is worked on is in the next. The more there is, the less each costs,
 * and nobody waits for others to come.
 * @param work must not throw
 */
export function workInLots<Item>(most: number, work: (lot: readonly Item[]) => Promise<void>): Lots<Item> {
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
    // A moment later: what one call asks for is in one lot.
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
