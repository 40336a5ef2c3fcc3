import { readClock } from '../../database/read_clock.ts';
import type { Queryable } from '../../database/types.ts';

/**
 * How far the clock of this machine is ahead of that of the database, in milliseconds; below zero where it is behind. As exact as half of
 * the time the answer took.
 */
export async function clockApart(database: Queryable, now: () => number = Date.now): Promise<number> {
  const before = now();
  const there = (await readClock(database)).getTime();
  return Math.round((before + now()) / 2 - there);
}
