import { expect, test } from 'vitest';
import type { JobView } from '../../../core/queue/types.ts';
import type { CallContext } from '../../definitions/tool.ts';
import { EXAMPLE_JOB, getJob } from './get_job.ts';

const at = new Date(0);
const job = (state: JobView['state']): JobView => ({
  id: EXAMPLE_JOB,
  tool: 'paint',
  wallet: null,
  proof: null,
  state,
  progress: 0.5,
  message: 'Painting',
  held: null,
  resultSha256: null,
  problem: null,
  createdAt: at,
  runAt: at,
  finishedAt: null,
  expiresAt: at,
  place: null,
  secondsLeft: null,
  isLate: false,
});

/** Runs the tool on a job that is in these states, one after another. */
async function getWith(states: JobView['state'][], { wait_seconds: seconds = 20, ...more } = {}) {
  const messages: string[] = [];
  const jobs = {
    find: async () => job(states.length > 1 ? states.shift()! : states[0]!),
    resultOf: async () => '{"painted":true}',
  };
  const call = {
    address: 'x',
    deadlineMs: 60_000,
    signal: new AbortController().signal,
    onProgress: (_: number, message: string) => void messages.push(message),
    ...more,
  };
  const services = { jobs, ownership: {}, site: { publicUrl: 'http://atelier.test' } };
  const input = { job_id: EXAMPLE_JOB, wait_seconds: seconds };
  return { answer: await getJob.run(input, services as never, call as unknown as CallContext), messages };
}

test('waits for completion, reports progress and returns the result', async () => {
  const { answer, messages } = await getWith(['running', 'running', 'succeeded']);

  expect(answer).toMatchObject({ state: 'succeeded', result: { painted: true } });
  expect(messages).toEqual(['Painting', 'Painting']);
});

test('returns immediately with wait_seconds 0', async () => {
  const { answer } = await getWith(['running'], { wait_seconds: 0 });
  expect(answer).toMatchObject({ state: 'running', progress: { fraction: 0.5 } });
});

test('suggests polling again or canceling while the job is active', async () => {
  const { answer } = await getWith(['queued'], { wait_seconds: 0 });
  const steps = getJob.next!(answer as never, {} as never, {});

  expect(steps.map(({ tool }) => tool)).toEqual(['get_job', 'cancel_job']);
});
