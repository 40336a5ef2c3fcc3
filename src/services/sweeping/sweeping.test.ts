import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startSweeping } from './start_sweeping.ts';

const quiet = { info: () => {}, error: () => {} };

test('every chore runs, also after one that fails', async () => {
  const ran: string[] = [];
  const chores = {
    broken: async () => Promise.reject(new Error('disk')),
    tidy: async () => ran.push('tidy'),
  };
  const sweeping = startSweeping(chores, quiet, 5);
  while (ran.length < 2) await sleep(5);
  await sweeping.stop();
  expect(ran.length).toBeGreaterThanOrEqual(2);
});

test('stop waits for the round that is running', async () => {
  const steps: string[] = [];
  const slow = async () => {
    steps.push('begun');
    await sleep(30);
    return steps.push('done');
  };
  const sweeping = startSweeping({ slow }, quiet, 5);
  while (steps.length === 0) await sleep(1);
  await sweeping.stop();
  expect(steps).toEqual(['begun', 'done']);
});
