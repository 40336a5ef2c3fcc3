import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { JobView } from '../../../core/queue/types.ts';
import type { OperationCall } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';

export type JobNeeds = Pick<Services, 'jobs' | 'ownership' | 'site'>;

/** Identity of the client for access to a job. */
export type JobReader = Pick<OperationCall, 'wallet' | 'proof'>;

/**
 * The job, if the client may see it: without a wallet, the id is enough; otherwise, the same access rules apply as to other data of
 * the wallet, and a key can see only its own jobs.
 * @throws AtelierError job_not_found, also for a job of another client
 */
export async function visibleJob(
  { jobs, ownership }: Pick<Services, 'jobs' | 'ownership'>,
  id: string,
  { wallet, proof }: JobReader,
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
    'Job not found for this client. Send the same Authorization, or payer, as with the call that created it; for a locked wallet, a session of the owner. Jobs are deleted 24 hours after they end.',
  );

/** Response of the tool, if the job has succeeded. */
export const resultOf = async (
  { jobs }: Pick<Services, 'jobs'>,
  job: JobView,
): Promise<Record<string, unknown> | undefined> =>
  job.state === 'succeeded' ? JSON.parse(await jobs.resultOf(job)) : undefined;

/** Whether an external provider bills for the running work even if the job is canceled. */
const isBilled = ({ catalogue }: Pick<Services, 'catalogue'>, { state, tool }: JobView): boolean =>
  state === 'running' && catalogue.find(tool)?.needs !== undefined;

/**
 * Stops a job and releases its hold; one that has ended, or whose image a provider is making, stays as it is.
 * @returns the job afterwards
 * @throws AtelierError job_not_found
 */
export async function cancelVisibleJob(
  services: JobNeeds & Pick<Services, 'catalogue'>,
  id: string,
  reader: JobReader,
): Promise<JobView> {
  const job = await visibleJob(services, id, reader);
  if (isBilled(services, job)) return job;
  await services.jobs.cancel(id);
  return visibleJob(services, id, reader);
}
