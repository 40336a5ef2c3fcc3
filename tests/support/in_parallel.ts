/** Processes all items with limited concurrency, each as soon as another finishes. */
export async function inParallel<Item>(
  items: Iterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  const worker = async () => {
    for (const item of { [Symbol.iterator]: () => waiting }) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
