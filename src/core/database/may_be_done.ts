import { AtelierError } from '../errors/atelier_error.ts';
import { sqlErrorOf } from './sql_error.ts';

/**
 * Whether a statement that failed may have been done all the same: its connection was lost on the way. What SQL refused was not done, nor
 * what was never sent.
 */
export function mayBeDone(error: unknown): boolean {
  const cause = error instanceof AtelierError ? error.cause : error;
  if (cause === undefined) return false;
  if (cause instanceof AggregateError) return cause.errors.some(mayBeDone);
  const { code = '' } = cause as { code?: string };
  // 08: a pooler says so of its own connection.
  return !UNSENT.test(code) && (!sqlErrorOf(cause) || code.startsWith('08'));
}

const UNSENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENOENT|EADDRNOTAVAIL)$/;
