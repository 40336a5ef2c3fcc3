import { expect, test, vi } from 'vitest';
import { cliInAFolder } from '../../../../tests/support/cli_in_a_folder.ts';
import type { World } from '../world.ts';

const cli = cliInAFolder();

test('a worker is started with the tools it was told', async () => {
  const runWorker = vi.fn<World['runWorker']>(async () => {});
  const { code } = await cli.run(
    ['worker', '--tools', 'upscale_image,remove_background', '--jobs-at-once', '2'],
    {
      world: { runWorker },
    },
  );
  expect(code).toBe(0);
  expect(runWorker.mock.calls).toMatchObject([
    [{ WORKER_TOOLS: 'upscale_image,remove_background', JOBS_AT_ONCE: 2 }],
  ]);
});

test('why it cannot work is one sentence, and its exit says so', async () => {
  const world = { runWorker: () => Promise.reject(new Error('No network is here.')) };
  const { code, stderr } = await cli.run(['worker'], { world });
  expect([code, stderr]).toEqual([1, 'No network is here.\n']);
});
