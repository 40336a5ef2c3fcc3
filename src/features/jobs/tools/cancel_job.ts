import { z } from 'zod';
import { FREE } from '../../definitions/price.ts';
import { defineTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import { jobBody, jobOutput } from '../routes/job_answer.ts';
import { cancelVisibleJob, type JobNeeds } from '../routes/job_of_caller.ts';
import { EXAMPLE_JOB, jobIdField } from './get_job.ts';

export const cancelJob = defineTool({
  name: 'cancel_job',
  title: 'Cancel a job',
  category: 'account',
  toolset: 'always',
  summary:
    'Stop a job and release its hold, unless it has ended or a provider is making its image. Send the same payer as with its call.',
  words:
    'stop, abort, cancel or kill a long call, a job or a task, I do not need it any more, changed my mind, wrong picture, takes too long, stop the upscale, end it, interrupt, give my credits back, terminate a running job, drop from the queue',
  price: FREE,
  input: z.object({ job_id: jobIdField }),
  output: jobOutput,
  isAboutJobs: true,
  effects: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  examples: [{ job_id: EXAMPLE_JOB }],
  next: ({ job_id: id, state }) =>
    state === 'succeeded'
      ? [
          {
            action: 'Get the result',
            tool: 'get_job',
            why: 'The job ended before it could be canceled',
            params: { job_id: id },
          },
        ]
      : [],
  run: async ({ job_id: id }, services: JobNeeds & Pick<Services, 'catalogue'>, call) =>
    jobBody(services, await cancelVisibleJob(services, id, call)),
});
