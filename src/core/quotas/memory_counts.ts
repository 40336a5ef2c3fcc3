import { PARTS } from './limits.ts';
import type { AddMore, Counts } from './types.ts';

export interface MemoryCounts extends Counts {
  /** Adds bytes, whether they fit or not. */
  add(callers: readonly string[], bytes: number): AddMore;
}

interface MemoryCountsOptions {
  readonly lifetimeMs: number;
  readonly now?: (() => number) | undefined;
}

/**
 * Sums of the last lifetime, by the part of it in which bytes were added. A start forgets them.
 * @param options.now milliseconds of a clock that only grows: set back, the clock of the wall would keep a full share full until it caught up
 */
export function createMemoryCounts({
  lifetimeMs,
  now = () => performance.now(),
}: MemoryCountsOptions): MemoryCounts {
  const partMs = Math.ceil(lifetimeMs / PARTS);
  const sums = new Map<string, Map<number, number>>();
  let sweptAt = 0;
  const part = () => Math.floor(now() / partMs);

  const forget = () => {
    if (sweptAt === part()) return;
    sweptAt = part();
    for (const [caller, parts] of sums) {
      for (const at of parts.keys()) if (at < sweptAt - PARTS) parts.delete(at);
      if (parts.size === 0) sums.delete(caller);
    }
  };
  const sum = (caller: string): number =>
    [...(sums.get(caller)?.values() ?? [])].reduce((all, bytes) => all + bytes, 0);

  function add(callers: readonly string[], bytes: number): AddMore {
    const at = part();
    const more = (added: number) => {
      for (const caller of callers) {
        const parts = sums.get(caller) ?? new Map<number, number>();
        sums.set(caller, parts.set(at, (parts.get(at) ?? 0) + added));
      }
    };
    more(bytes);
    return more;
  }

  return {
    async take(callers, bytes, bytesMax) {
      forget();
      return callers.some((caller) => sum(caller) + bytes > bytesMax) ? undefined : add(callers, bytes);
    },
    add(callers, bytes) {
      forget();
      return add(callers, bytes);
    },
  };
}
