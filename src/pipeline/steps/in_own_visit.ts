import type { CallKit } from '../kit.ts';

/** Runs work whose bytes in memory are given back as soon as it has ended, while the call it belongs to goes on. */
export function inOwnVisit<T>(
  { visits }: CallKit,
  { address, wallet }: { address: string; wallet: string | undefined },
  work: () => Promise<T>,
): Promise<T> {
  const visit = visits.begin(address, visits.current()?.cpu);
  visit.wallet = wallet;
  return visit.run(work).finally(visit.close);
}
