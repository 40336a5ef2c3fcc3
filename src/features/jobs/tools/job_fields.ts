import { z } from 'zod';
import { briefly } from '../../definitions/brief.ts';
import { alsoCalled } from '../../definitions/spellings.ts';
import { JOB_WAIT_SECONDS_MAX } from '../limits.ts';

/** Names a job in the input of a tool. */
export const jobIdField = alsoCalled(
  briefly(
    z.string().min(1).max(100).describe('job_id of the call that became a job.').meta({ title: 'Job' }),
    '',
  ),
  ...['id', 'job', 'task_id', 'task', 'taskId', 'name'],
);

/** What to do with a live job. */
export const jobSteps = (id: string) => [
  {
    action: 'Get the result',
    tool: 'get_job',
    why: `Waits up to ${JOB_WAIT_SECONDS_MAX} s for the end; call it again until state is succeeded or failed`,
    params: { job_id: id },
  },
  {
    action: 'Cancel it',
    tool: 'cancel_job',
    why: 'Stops the work and releases the hold',
    params: { job_id: id },
  },
];

/** An id in the form of a job's, for examples. */
export const EXAMPLE_JOB = 'job_26c81f73711a4ffcaa11fec7bf4626c2';
