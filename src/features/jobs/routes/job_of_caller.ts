import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { JobView } from '../../../core/queue/types.ts';
import type { OperationCall } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';

export type JobNeeds = Pick<Services, 'jobs' | 'ownership' | 'site'>;

/** The caller, as far as a job is shown to it. */
export type JobReader = Pick<OperationCall, 'wallet' | 'proof'>;

/**
 * The job, where this caller may see it: the id alone opens a job without a wallet; one of a wallet is open to that wallet, by
 * the rules its other things are open by; of keys, to the one that made it.
 * @throws AtelierError job_not_found, the same for a job of another client as for none
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

/** The answer of the tool, once the job has succeeded. */
export const resultOf = async (
  { jobs }: Pick<Services, 'jobs'>,
  job: JobView,
): Promise<Record<string, unknown> | undefined> =>
  job.state === 'succeeded' ? JSON.parse(await jobs.resultOf(job)) : undefined;

/** The provider of another server bills for what it makes, whether the job is waited for or not. */
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
