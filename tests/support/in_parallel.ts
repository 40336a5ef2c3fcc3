/** Does work on all items, so many at a time, each as soon as another is done. */
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
