import { z } from 'zod';
import { type AnyOperation, defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import { jobAnswer, jobFields } from './job_answer.ts';
import { visibleJob } from './visible_job.ts';

type Needs = Pick<Services, 'jobs' | 'ownership' | 'site' | 'catalogue'>;

const input = z.object({
  id: z.string().max(100).describe('job_id of the 202, which is also in its Location.'),
});

const getJob = defineOperation({
  name: 'get_job',
  methods: ['GET'],
  path: '/api/jobs/{id}',
  tag: 'jobs',
  summary:
    'A call made with Prefer: respond-async: state, progress, place in the queue; then the result or the problem.',
  input,
  answer: jobFields,
  isPrivate: true,

  async run({ id }, services: Needs, call) {
    const job = await visibleJob(services, id, call);
    const result = job.state === 'succeeded' ? JSON.parse(await services.jobs.resultOf(job)) : undefined;
    return jobAnswer(services, job, result);
  },
});

const cancelJob = defineOperation({
  name: 'cancel_job',
  methods: ['DELETE'],
  path: '/api/jobs/{id}',
  tag: 'jobs',
  summary:
    'Stops a job and gives back what it holds. One that has ended stays as it is; the answer says which it was.',
  input,
  answer: jobFields,
  isPrivate: true,
  run: ({ id }, services: Needs, call) => cancel(id, services, call),
});

const cancelJobByPost = defineOperation({
  ...cancelJob,
  name: 'cancel_job_by_post',
  methods: ['POST'],
  path: '/api/jobs/{id}/cancel',
  summary: 'The same as DELETE, for clients that cannot send it.',
});

async function cancel(id: string, services: Needs, call: Parameters<typeof visibleJob>[2]) {
  await visibleJob(services, id, call);
  await services.jobs.cancel(id);
  return jobAnswer(services, await visibleJob(services, id, call));
}

export const jobOperations: readonly AnyOperation[] = [getJob, cancelJob, cancelJobByPost];
