import { z } from 'zod';
import { type AnyOperation, defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import { jobAnswer, jobFields } from './job_answer.ts';
import { cancelVisibleJob, type JobNeeds, resultOf, visibleJob } from './job_of_caller.ts';

const input = z.object({
  id: z.string().max(100).describe('job_id of the 202, which is also in its Location.'),
});

const readJob = defineOperation({
  name: 'read_job',
  methods: ['GET'],
  path: '/api/jobs/{id}',
  tag: 'jobs',
  summary:
    'State, progress and queue position of a job; then the result or the problem. The tool get_job waits for it.',
  input,
  answer: jobFields,
  isPrivate: true,
  async run({ id }, services: JobNeeds, call) {
    const job = await visibleJob(services, id, call);
    return jobAnswer(services, job, await resultOf(services, job));
  },
});

const stopJob = defineOperation({
  name: 'stop_job',
  methods: ['DELETE'],
  path: '/api/jobs/{id}',
  tag: 'jobs',
  summary:
    'Cancels a job and releases its hold. A job that has ended is unchanged; the response has its state.',
  input,
  answer: jobFields,
  isPrivate: true,
  run: async ({ id }, services: JobNeeds & Pick<Services, 'catalogue'>, call) =>
    jobAnswer(services, await cancelVisibleJob(services, id, call)),
});

const stopJobByPost = defineOperation({
  ...stopJob,
  name: 'stop_job_by_post',
  methods: ['POST'],
  path: '/api/jobs/{id}/cancel',
  summary: 'The same as DELETE, for clients that cannot send it.',
});

export const jobOperations: readonly AnyOperation[] = [readJob, stopJob, stopJobByPost];
