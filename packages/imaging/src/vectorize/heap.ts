/** A growing queue of whole numbers by key, the least key first. */
export function createHeap(capacity: number) {
  let keys = new Float64Array(capacity);
  let items = new Int32Array(capacity);
  let size = 0;

  function push(key: number, item: number): void {
    if (size === keys.length) grow();
    let place = size++;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (keys[parent]! <= key) break;
      keys[place] = keys[parent]!;
      items[place] = items[parent]!;
      place = parent;
    }
    keys[place] = key;
    items[place] = item;
  }

  function pop(): number {
    const first = items[0]!;
    const key = keys[--size]!;
    const item = items[size]!;
    let place = 0;
    for (let child = 1; child < size; child = 2 * place + 1) {
      if (child + 1 < size && keys[child + 1]! < keys[child]!) child++;
      if (keys[child]! >= key) break;
      keys[place] = keys[child]!;
      items[place] = items[child]!;
      place = child;
    }
    keys[place] = key;
    items[place] = item;
    return first;
  }

  function grow(): void {
    const [moreKeys, moreItems] = [new Float64Array(2 * size + 16), new Int32Array(2 * size + 16)];
    moreKeys.set(keys);
    moreItems.set(items);
    keys = moreKeys;
    items = moreItems;
  }

  return { push, pop, least: () => keys[0]!, size: () => size };
}
