import { RESULT_LIFETIME_MS } from '../../limits.ts';
import type { Parts } from './parts.ts';
import * as store from './store.ts';

interface Ending {
  /** Absent: it was canceled. */
  readonly problem?: Record<string, unknown>;
  /** Only while this run has it. */
  readonly attempt?: number;
  /** Also though its answer was kept. */
  readonly unsettled?: boolean;
}

/** Ends a job without success: first the job, then what it holds. A crash in between is put right by the sweep. */
export async function endJob(
  { database, release, clock }: Pick<Parts, 'database' | 'release' | 'clock'>,
  id: string,
  ending: Ending = {},
): Promise<boolean> {
  const at = clock();
  const expiresAt = new Date(at.getTime() + RESULT_LIFETIME_MS);
  const isEnded = await store.end(database, { id, at, expiresAt, ...ending });
  if (isEnded) await release(id);
  return isEnded;
}
