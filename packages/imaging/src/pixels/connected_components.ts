/**
 * Iterates over the 4-connected components of a mask, each as pixel positions in no particular order. A yielded array is valid only until
 * the next iteration.
 */
export function* connectedComponents(mask: Uint8Array, width: number): Generator<Int32Array, void> {
  const seen = new Uint8Array(mask.length);
  const queue = new Int32Array(mask.length);
  for (let start = 0; start < mask.length; start++)
    if (mask[start] && !seen[start]) yield queue.subarray(0, fill(mask, seen, queue, { width, start }));
}

/** Collects the component of `start` in `queue` and returns its size. */
function fill(
  mask: Uint8Array,
  seen: Uint8Array,
  queue: Int32Array,
  { width, start }: { width: number; start: number },
): number {
  queue[0] = start;
  seen[start] = 1;
  let count = 1;
  const visit = (next: number) => {
    if (!mask[next] || seen[next]) return;
    seen[next] = 1;
    queue[count++] = next;
  };
  for (let index = 0; index < count; index++) {
    const at = queue[index]!;
    const column = at % width;
    if (column > 0) visit(at - 1);
    if (column < width - 1) visit(at + 1);
    if (at >= width) visit(at - width);
    if (at + width < mask.length) visit(at + width);
  }
  return count;
}
