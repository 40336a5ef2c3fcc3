import type { Database } from '../database/types.ts';
import { WINDOWS_MAX } from './limits.ts';
import { createMemoryLimiter } from './memory_limiter.ts';
import { createSharedLimiter } from './shared_limiter.ts';
import { forgetWindows, takeCalls } from './store.ts';
import type { Limiter } from './types.ts';

/** Counts in the database where several servers may use it, else in memory; and what forgets old counts, and what ends it. */
export function openLimiter(database: Database): {
  readonly limiter: Limiter;
  sweep(): Promise<number>;
  close(): Promise<void>;
} {
  const alone = createMemoryLimiter();
  if (database.kind === 'embedded') return { limiter: alone, sweep: async () => 0, close: async () => {} };
  const limiter = createSharedLimiter({ take: (asks) => takeCalls(database, asks), alone });
  return {
    limiter,
    sweep: () => forgetWindows(database, WINDOWS_MAX),
    close: () => limiter.close(),
  };
}
