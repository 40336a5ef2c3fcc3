import { expect, test } from 'vitest';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { cancelJob } from './cancel_job.ts';
import { EXAMPLE_JOB } from './get_job.ts';

test('a job of another wallet is reported as not found and is not canceled', async () => {
  const canceled: string[] = [];
  const jobs = {
    find: async () => ({ id: EXAMPLE_JOB, wallet: '0xa' }),
    cancel: async (id: string) => canceled.push(id),
  };
  const calling = cancelJob.run({ job_id: EXAMPLE_JOB }, { jobs } as never, { wallet: '0xb' } as never);

  await expect(calling).rejects.toMatchObject({ code: 'job_not_found' });
  await expect(calling).rejects.toBeInstanceOf(AtelierError);
  expect(canceled).toEqual([]);
});

test('canceling a finished job suggests get_job for its result', () => {
  const [step] = cancelJob.next!({ job_id: EXAMPLE_JOB, state: 'succeeded' } as never, {} as never, {});
  expect(step).toMatchObject({ tool: 'get_job', params: { job_id: EXAMPLE_JOB } });
});
