import { expect, test, vi } from 'vitest';
import { cliInAFolder } from '../../../../tests/support/cli_in_a_folder.ts';
import type { World } from '../world.ts';

const cli = cliInAFolder();

test('worker starts with the tools from --tools', async () => {
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

test('a startup failure prints one sentence and a non-zero exit code', async () => {
  const world = { runWorker: () => Promise.reject(new Error('No network is here.')) };
  const { code, stderr } = await cli.run(['worker'], { world });
  expect([code, stderr]).toEqual([1, 'No network is here.\n']);
});
