import { randomUUID } from 'node:crypto';
import type { Queryable } from '../../database/types.ts';
import { LEASE_MS, LEASE_RENEWAL_MS } from './limits.ts';
import * as store from './store.ts';

interface Times {
  readonly heldMs: number;
  readonly signMs: number;
}

/**
 * Leases as rows, by the clock of the database. Each acquisition has its own holder id, so that a process cannot hold a lease twice.
 * @param times for tests
 */
export function createLeases(
  database: Queryable,
  { heldMs, signMs }: Times = { heldMs: LEASE_MS, signMs: LEASE_RENEWAL_MS },
): Leases & { sweep(): Promise<number> } {
  return {
    async hold(name, lost, { evenIfDone = false } = {}) {
      const held = { name, holder: randomUUID(), evenIfDone };
      const keep = () => store.hold(database, { ...held, forMs: heldMs });
      let keptAt = performance.now();
      if (!(await keep())) return undefined;
      const lose = () => {
        clearInterval(sign);
        lost?.();
      };
      const sign = setInterval(() => {
        const askedAt = performance.now();
        keep().then(
          (isOurs) => {
            if (isOurs) keptAt = askedAt;
            else lose();
          },
          // During a brief database outage, the renewal is retried.
          () => performance.now() - keptAt >= heldMs && lose(),
        );
      }, signMs).unref();
      return async (afterMs = 0) => {
        clearInterval(sign);
        await store.release(database, { ...held, afterMs });
      };
    },
    sweep: () => store.forgetOld(database),
  };
}

/** Leases for work that one server of a database does at a time. */
export interface Leases {
  /**
   * Acquires the lease of this job until it is released. Undefined if another server holds it or the job is not due. A server that crashes
   * or is suspended loses the lease after a minute.
   * @param lost called once another server may hold the lease
   * @param options `evenIfDone`: acquire even if the job ran recently, unless a server runs it now
   * @returns releases the lease; another server may acquire it after this number of milliseconds
   */
  hold(
    name: string,
    lost?: () => void,
    options?: { readonly evenIfDone?: boolean },
  ): Promise<ReleaseLease | undefined>;
}

export type ReleaseLease = (afterMs?: number) => Promise<void>;
