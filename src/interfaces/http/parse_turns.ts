/**
 * Spreads synchronous work over rounds of the event loop, one piece in each, by address in turn: forty bodies that are complete at the same
 * time would otherwise be parsed in one round, and everything else would wait for all of them.
 * @returns what resolves when it is the turn of that address
 */
export function createParseTurns(): (address: string) => Promise<void> {
  /** The next address first. */
  const waiting = new Map<string, (() => void)[]>();
  const next = () => {
    const [address, queue] = waiting.entries().next().value ?? [];
    if (address === undefined || !queue) return;
    waiting.delete(address);
    queue.shift()!();
    if (queue.length > 0) waiting.set(address, queue);
    if (waiting.size > 0) setImmediate(next);
  };
  return (address) =>
    new Promise((resolve) => {
      if (waiting.size === 0) setImmediate(next);
      const queue = waiting.get(address);
      if (queue) queue.push(resolve);
      else waiting.set(address, [resolve]);
    });
}
