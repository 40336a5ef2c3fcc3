import type { Asking } from './create_asking.ts';
import { isAway } from './is_away.ts';
import { PARTS } from './limits.ts';
import type { MemoryCounts } from './memory_counts.ts';
import type { Caller } from './store.ts';
import type { Counts } from './types.ts';

interface SharedCountsOptions {
  /** The kind of files. */
  readonly what: string;
  readonly lifetimeMs: number;
  readonly asking: Asking;
  /** Counts what this process keeps, and decides while the database cannot. */
  readonly alone: MemoryCounts;
}

/**
 * Counts for all servers of one database: together they let through a share, never more. While the database is away each lets through what
 * it would alone, and tells it afterwards. See docs/decisions/0148-shares-of-what-is-kept.md.
 */
export function createSharedCounts({ what, lifetimeMs, asking, alone }: SharedCountsOptions): Counts {
  const partSeconds = Math.ceil(lifetimeMs / PARTS) / 1000;

  return {
    async take(callers, bytes, bytesMax) {
      const rows = callers.map((caller): Caller => ({ name: `${what} ${caller}`, bytesMax, partSeconds }));
      const answers = await Promise.allSettled(rows.map((row) => asking.take(row, bytes)));
      const parts = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : undefined));
      const tell = (more: number) => {
        for (const [at, row] of rows.entries()) asking.tell(row, more, parts[at]);
      };
      if (parts.every((part) => part !== undefined)) return both(alone.add(callers, bytes), tell);
      for (const [at, row] of rows.entries())
        if (parts[at] !== undefined) asking.tell(row, -bytes, parts[at]);

      const failure = answers.find((answer) => answer.status === 'rejected');
      if (!failure) return undefined;
      if (!isAway(failure.reason)) throw failure.reason;
      parts.fill(undefined);
      const addHere = await alone.take(callers, bytes, bytesMax);
      if (!addHere) return undefined;
      tell(bytes);
      return both(addHere, tell);
    },
  };
}

const both = (one: (bytes: number) => void, other: (bytes: number) => void) => (bytes: number) => {
  one(bytes);
  other(bytes);
};
