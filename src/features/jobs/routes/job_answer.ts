import { z } from 'zod';
import type { JobView } from '../../../core/queue/types.ts';
import { costFields } from '../../definitions/free_answer.ts';
import { usd } from '../../definitions/price.ts';
import type { Services } from '../../services.ts';

export const jobPath = (id: string): string => `/api/jobs/${id}`;

const creditsField = z.number().min(0).max(1_000_000);

/** Fields of a job, without cost and next steps, which the pipeline adds to tool responses. */
export const jobOutput = z.object({
  job_id: z.string().describe('Unguessable; without a wallet, the id alone gives access to the job.'),
  tool: z.string(),
  state: z.enum(['queued', 'running', 'succeeded', 'failed', 'canceled']),
  progress: z.object({
    fraction: z.number().min(0).max(1),
    message: z.string(),
  }),
  place: z.int().min(1).max(1_000_000).nullable().describe('Queue position; 1 is next. null unless queued.'),
  estimate: z
    .object({ seconds_left: z.int().min(1).max(1_000_000).nullable(), late: z.boolean() })
    .describe('Estimate from progress or earlier jobs; late: longer than first estimated.'),
  credits: z
    .object({ held: creditsField, charged: creditsField })
    .describe('Held while the job runs; charged if it succeeds; released if it fails or is canceled.'),
  created_at: z.iso.datetime(),
  started_at: z.iso.datetime().nullable(),
  finished_at: z.iso.datetime().nullable(),
  expires_at: z.iso.datetime().describe('Deadline of an active job; deletion time of an ended one.'),
  status_url: z.string(),
  result: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('The response of the tool, as in a synchronous call. Only if the job succeeded.'),
  problem: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('The problem object, as in a synchronous call. Only if the job failed.'),
});

/** Fields of a job in all REST responses. */
export const jobFields = jobOutput.extend(costFields);

/** @param result response of the tool, to be included */
export function jobBody(
  { site }: Pick<Services, 'site'>,
  job: JobView,
  result?: Record<string, unknown>,
): z.input<typeof jobOutput> {
  const { id, tool, state, progress, message, place, secondsLeft, isLate, problem } = job;
  const credits = (job.held ?? 0) / 1000;
  return {
    job_id: id,
    tool,
    state,
    progress: { fraction: Math.round(progress * 1000) / 1000, message },
    place,
    estimate: { seconds_left: secondsLeft, late: isLate },
    credits: { held: isLive(job) ? credits : 0, charged: state === 'succeeded' ? credits : 0 },
    created_at: job.createdAt.toISOString(),
    started_at: job.runAt?.toISOString() ?? null,
    finished_at: job.finishedAt?.toISOString() ?? null,
    expires_at: job.expiresAt.toISOString(),
    status_url: site.publicUrl + jobPath(id),
    ...(result && { result }),
    ...(problem && { problem }),
  };
}

/** `jobBody` with the common response fields. */
export function jobAnswer(
  services: Pick<Services, 'site'>,
  job: JobView,
  result?: Record<string, unknown>,
): z.input<typeof jobFields> {
  return {
    ...jobBody(services, job, result),
    cost: { credit: 0, usd: 0, note: costNote(job.state, (job.held ?? 0) / 1000) },
    next_steps: isLive(job) ? liveSteps(job.id) : [],
  };
}

export const isLive = ({ state }: Pick<JobView, 'state'>): boolean =>
  state === 'queued' || state === 'running';

function costNote(state: JobView['state'], credits: number): string {
  if (credits === 0) return 'This job is free.';
  const price = `${credits} ${credits === 1 ? 'credit' : 'credits'} (${usd(credits).toFixed(2)} USD)`;
  if (state === 'succeeded') return `Polling is free; the job cost ${price}.`;
  if (state === 'failed' || state === 'canceled') return 'The job did not succeed. You were not charged.';
  return `${price} are held, and charged only if the job succeeds.`;
}

const liveSteps = (id: string) => [
  {
    action: 'Get the result',
    cost: 'free',
    endpoint: `GET ${jobPath(id)}`,
    why: 'Shows progress, then the result',
  },
  {
    action: 'Cancel it',
    cost: 'free',
    endpoint: `DELETE ${jobPath(id)}`,
    why: 'Stops the work and releases the hold',
  },
];
