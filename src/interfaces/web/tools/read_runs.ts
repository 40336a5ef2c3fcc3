import type { z } from 'zod';
import { AtelierError, ERRORS, type ErrorCode } from '../../../core/errors/atelier_error.ts';
import type { jobFields } from '../../../features/jobs/routes/job_answer.ts';
import { ask } from '../ask.ts';
import type { Visit } from '../types.ts';
import { RUNS_MAX } from './limits.ts';

/** A run of a tool, as visible to the visitor. */
export type Job = z.output<typeof jobFields>;

/** A run named by a link. Without a job it was rejected, has expired, or belongs to another visitor. */
export interface Run {
  readonly id: string;
  readonly job?: Job;
  /** Why the run was not started. */
  readonly refused?: ErrorCode;
}

export const isLive = ({ job }: Run): boolean => job?.state === 'queued' || job?.state === 'running';

/** @param ids separated by commas; a rejected run is represented by its error code */
export const idsIn = (ids: string): readonly string[] =>
  ids
    .split(',')
    .filter((id, at, all) => id !== '' && (isCode(id) || all.indexOf(id) === at))
    .slice(0, RUNS_MAX);

const isCode = (id: string): id is ErrorCode => Object.hasOwn(ERRORS, id);

export const readRuns = (visit: Visit, ids: readonly string[]): Promise<readonly Run[]> =>
  Promise.all(ids.map((id) => readRun(visit, id)));

/** Whether a retry makes sense: the run failed, was cancelled or rejected, or has expired. */
export const isUnsuccessful = (run: Run): boolean => !isLive(run) && run.job?.state !== 'succeeded';

async function readRun(visit: Visit, id: string): Promise<Run> {
  if (isCode(id)) return { id, refused: id };
  try {
    return { id, job: await askOfJob(visit, 'read_job', id) };
  } catch (error) {
    if (error instanceof AtelierError && error.status === 404) return { id };
    throw error;
  }
}

/** Calls a job endpoint by name. @throws AtelierError job_not_found */
export function askOfJob(visit: Visit, name: 'read_job' | 'stop_job_by_post', id: string): Promise<Job> {
  const operation = visit.studio.operations.find((one) => one.name === name)!;
  return ask(visit, operation, { id }) as Promise<Job>;
}
