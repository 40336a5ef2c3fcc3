import type { Visit, Visits } from './types.ts';

/** Runs work in a request scope of its own: its memory is released when it ends, while the call it belongs to goes on. */
export function inRequestScope<T>(
  visits: Pick<Visits, 'begin' | 'current'>,
  { address, wallet }: Pick<Visit, 'address' | 'wallet'>,
  work: () => Promise<T>,
): Promise<T> {
  const visit = visits.begin(address, visits.current()?.cpu);
  visit.wallet = wallet;
  return visit.run(work).finally(visit.close);
}
