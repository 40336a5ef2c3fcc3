import { AtelierError } from '../errors/atelier_error.ts';
import { sqlErrorOf } from './sql_error.ts';

/**
 * Whether a failed statement may have been executed: its connection was lost in transit. Statements that SQL refused or that were
 * never sent were not.
 */
export function mayBeDone(error: unknown): boolean {
  const cause = error instanceof AtelierError ? error.cause : error;
  if (cause === undefined) return false;
  if (cause instanceof AggregateError) return cause.errors.some(mayBeDone);
  const { code = '' } = cause as { code?: string };
  // 08: a pooler reports this about its own connection.
  return !UNSENT.test(code) && (!sqlErrorOf(cause) || code.startsWith('08'));
}

const UNSENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENOENT|EADDRNOTAVAIL)$/;
