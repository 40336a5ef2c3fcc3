import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { JobView } from '../../../core/queue/types.ts';
import { type AnyOperation, defineOperation, type OperationCall } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import { jobAnswer, jobFields } from './job_answer.ts';

/**
 * The job, where this caller may see it: the id alone opens a job without a wallet; one of a wallet is open to that wallet, by
 * the rules its other things are open by; of keys, to the one that made it.
 * @throws AtelierError job_not_found, the same for a job of another client as for none
 */
async function visibleJob(
  { jobs, ownership }: Pick<Services, 'jobs' | 'ownership'>,
  id: string,
  { wallet, proof }: Pick<OperationCall, 'wallet' | 'proof'>,
): Promise<JobView> {
  const job = await jobs.find(id);
  if (!job) throw notFound();
  if (job.wallet === null) return job;
  if (job.wallet !== wallet) throw notFound();
  const isOwnKey = !proof?.key || proof.key.id === job.proof?.key?.id;
  const isEnough = proof !== undefined || (await ownership.lockedAt(wallet)) === undefined;
  if (isOwnKey && isEnough) return job;
  throw notFound();
}

const notFound = (): AtelierError =>
  new AtelierError(
    'job_not_found',
    'There is no such job for this caller. Send the same Authorization as with the call that made it; where its wallet is locked, a session of the owner. Jobs are forgotten 24 hours after they have ended.',
  );

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
