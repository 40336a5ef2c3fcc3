import type { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { jobFields } from '../../../features/jobs/routes/job_answer.ts';
import { ask } from '../ask.ts';
import type { Visit } from '../types.ts';
import { RUNS_MAX } from './limits.ts';

/** One run of a tool, as far as the visitor may see it. */
export type Job = z.output<typeof jobFields>;

/** A run named by a link. Without a job it has expired or belongs to someone else. */
export interface Run {
  readonly id: string;
  readonly job?: Job;
}

export const isLive = ({ job }: Run): boolean => job?.state === 'queued' || job?.state === 'running';

/** @param ids with commas between, as links have them */
export const idsIn = (ids: string): readonly string[] => [
  ...new Set(ids.split(',').filter(Boolean).slice(0, RUNS_MAX)),
];

export const readRuns = (visit: Visit, ids: readonly string[]): Promise<readonly Run[]> =>
  Promise.all(ids.map((id) => readRun(visit, id)));

async function readRun(visit: Visit, id: string): Promise<Run> {
  try {
    return { id, job: await askOfJob(visit, 'get_job', id) };
  } catch (error) {
    if (error instanceof AtelierError && error.status === 404) return { id };
    throw error;
  }
}

/** Asks the endpoint of that name about a job. @throws AtelierError job_not_found */
export function askOfJob(visit: Visit, name: 'get_job' | 'cancel_job_by_post', id: string): Promise<Job> {
  const operation = visit.studio.operations.find((one) => one.name === name)!;
  return ask(visit, operation, { id }) as Promise<Job>;
}
