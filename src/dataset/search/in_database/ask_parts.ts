import type { Queryable } from '../../../database/contract.ts';
import { AtelierError } from '../../../errors/atelier_error.ts';
import { INDEX_PART_WAIT_MS } from '../../limits.ts';
import type { Away } from '../contract.ts';
import { PARTS } from './parts.ts';

/** What is asked of one part, by the name of its table. */
export interface Statement {
  text(table: string): string;
  readonly values: readonly unknown[];
}

export interface Answers<Row> {
  /** Of all parts that answered. */
  readonly rows: readonly Row[];
  /** Absent: all answered. */
  readonly away?: Away;
}

/** The parts of the index, wherever they are. */
export interface IndexParts {
  /** Asks all parts side by side. @throws what went wrong where none answers */
  ask<Row>(tables: string, statement: Statement): Promise<Answers<Row>>;
}

/** @param servers one or more databases that have the parts; the first part is asked of the first, and round again */
export function createParts(servers: readonly Queryable[], waitMs: number = INDEX_PART_WAIT_MS): IndexParts {
  return {
    async ask<Row>(tables: string, { text, values }: Statement) {
      const asked = Array.from({ length: PARTS }, (_, part) =>
        inTime(servers[part % servers.length]!.query<Row>(text(`${tables}_${part}`), values), waitMs),
      );
      const answers = await Promise.allSettled(asked);
      const rows = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      const failed = answers.filter((answer) => answer.status === 'rejected');
      // Whatever it is that all of them say, it is no part that is away.
      if (failed.length === PARTS) throw failed[0]!.reason;
      return { rows, ...(failed.length > 0 && { away: { parts: failed.length, of: PARTS } }) };
    },
  };
}

async function inTime<T>(work: Promise<T>, waitMs: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(
      new AtelierError('busy', 'The index of the dataset did not answer in time.', { retryAfterSeconds: 5 }),
    );
  }, waitMs);
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
