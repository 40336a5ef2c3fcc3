import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { JobView } from '../../../core/queue/types.ts';
import { briefly } from '../../definitions/brief.ts';
import { FREE } from '../../definitions/price.ts';
import { withAliases } from '../../definitions/spellings.ts';
import { type CallContext, defineTool } from '../../definitions/tool.ts';
import { JOB_WAIT_LOOK_MS, JOB_WAIT_SECONDS_MAX, JOB_WAITS_MAX } from '../limits.ts';
import { isLive, jobBody, jobOutput } from '../routes/job_answer.ts';
import { type JobNeeds, resultOf, visibleJob } from '../routes/job_of_caller.ts';

/** Input field with the id of a job. */
export const jobIdField = withAliases(
  briefly(
    z.string().min(1).max(100).describe('job_id of the call that became a job.').meta({ title: 'Job' }),
    '',
  ),
  ...['id', 'job', 'task_id', 'task', 'taskId', 'name'],
);

/** Next steps for an unfinished job. */
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

/** Job id for examples. */
export const EXAMPLE_JOB = 'job_26c81f73711a4ffcaa11fec7bf4626c2';

export const getJob = defineTool({
  name: 'get_job',
  title: 'Get a job',
  category: 'account',
  toolset: 'always',
  summary:
    'Progress of a call that became a job, or its result or error once it has ended. Waits up to 20 s. Send the same payer as with that call.',
  words:
    'status or progress of a long call, is it done yet, is it ready, how far is it, how long does it still take, wait for the result, poll a job, check on my job, look at a task, what became of my upscale, result of a job, job_id, pending, queued, running in the background, asynchronous, task status, fetch the outcome, my call timed out, did it finish',
  price: FREE,
  input: z.object({
    job_id: jobIdField,
    wait_seconds: withAliases(
      briefly(
        z
          .number()
          .min(0)
          .max(JOB_WAIT_SECONDS_MAX)
          .default(JOB_WAIT_SECONDS_MAX)
          .describe('Time to wait for the end; 0 returns immediately.')
          .meta({ title: 'Wait, seconds' }),
        '',
      ),
      ...['wait', 'timeout', 'timeout_seconds', 'seconds'],
    ),
  }),
  output: jobOutput,
  isAboutJobs: true,
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [{ job_id: EXAMPLE_JOB, wait_seconds: 0 }],
  next: ({ job_id: id, state }) => (isLive({ state }) ? jobSteps(id) : []),

  async run({ job_id: id, wait_seconds: seconds }, services: JobNeeds, call) {
    const job = await waitForEnd(services, id, { seconds, call });
    return jobBody(services, job, await resultOf(services, job));
  },
});

/** Waiting calls by address, per process. */
const waiting = new Map<string, number>();

/**
 * Waits some seconds for the end of a job, and returns it.
 * @throws AtelierError job_not_found
 */
async function waitForEnd(
  services: JobNeeds,
  id: string,
  { seconds, call }: { seconds: number; call: CallContext },
): Promise<JobView> {
  const ofAll = [...waiting.values()].reduce((sum, calls) => sum + calls, 0);
  const own = waiting.get(call.address) ?? 0;
  const mayWait = own < JOB_WAITS_MAX.ofAddress && ofAll < JOB_WAITS_MAX.ofAll;
  const end = performance.now() + (mayWait ? Math.min(seconds * 1000, call.deadlineMs / 2) : 0);
  waiting.set(call.address, own + 1);
  try {
    for (;;) {
      const job = await visibleJob(services, id, call);
      if (!isLive(job)) return job;
      call.onProgress(job.progress, job.message || (job.state === 'queued' ? 'Queued' : 'Running'));
      if (performance.now() >= end || call.signal.aborted) return job;
      await sleep(Math.min(JOB_WAIT_LOOK_MS, Math.max(0, end - performance.now())));
    }
  } finally {
    const left = (waiting.get(call.address) ?? 1) - 1;
    if (left > 0) waiting.set(call.address, left);
    else waiting.delete(call.address);
  }
}
