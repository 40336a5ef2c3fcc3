import type { Queryable } from '../database/types.ts';
import * as store from './store.ts';
import type { JobView } from './types.ts';

type Row = Omit<JobView, 'place' | 'secondsLeft'> & { readonly ahead: number };

/** Below this a share says more about the start of the work than about its length. */
const TELLING_PROGRESS = 0.2;

/** The job with its place in the queue and how long it will probably take, from its own progress or from jobs before it. */
export async function estimateJob(
  database: Queryable,
  { ahead, ...job }: Row,
  { at, atOnce }: { at: Date; atOnce: number },
): Promise<JobView> {
  const isQueued = job.state === 'queued';
  return {
    ...job,
    place: isQueued ? ahead + 1 : null,
    secondsLeft:
      isQueued || job.state === 'running'
        ? await secondsLeft(database, { ahead, ...job }, { at, atOnce })
        : null,
  };
}

async function secondsLeft(
  database: Queryable,
  { tool, runAt, progress, ahead }: Row,
  { at, atOnce }: { at: Date; atOnce: number },
): Promise<number | null> {
  const elapsed = runAt ? (at.getTime() - runAt.getTime()) / 1000 : 0;
  if (runAt && progress >= TELLING_PROGRESS) return roundUp((elapsed * (1 - progress)) / progress);
  const { ofTool, ofAny } = await store.typicalSeconds(database, tool);
  if (ofTool === null) return null;
  return roundUp((ahead / atOnce) * (ofAny ?? ofTool) + ofTool - elapsed);
}

const roundUp = (seconds: number): number => Math.max(1, Math.ceil(seconds));
