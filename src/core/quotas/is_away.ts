import { sqlErrorOf } from '../database/sql_error.ts';
import { AtelierError } from '../errors/atelier_error.ts';

/** Whether an error says that the database cannot be asked now, and nothing about the statement: away, stopping, or without room or time. */
export function isAway(error: unknown): boolean {
  return error instanceof AtelierError || PASSING.test(sqlErrorOf(error)?.code ?? '');
}

/** SQLSTATE: rolled back for another's sake, out of resources, stopped by an operator or a timeout, failed outside of PostgreSQL. */
const PASSING = /^(40|53|57|58)/;
