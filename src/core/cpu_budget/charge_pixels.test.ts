import { expect, test } from 'vitest';
import type { PixelControl, Pixels, RunSeconds } from '../workers/types.ts';
import { chargePixels } from './cpu_budget.ts';
import type { CpuAccount } from './types.ts';

const SPENT: RunSeconds = { decoding: 0, engine: 0, encoding: 0, cpu: 3 };

/** The charge of one run of `work`, including earlier reservations. */
async function chargedBy(
  work: (control: PixelControl) => Promise<unknown>,
  { account, address }: { account?: CpuAccount; address?: string } = {},
) {
  const steps: [string, number][] = [];
  const run: Pixels['run'] = (_engine, _input, control) => work(control) as never;
  const processes = { run, predict: () => 2 } as unknown as Pixels;
  const pixels = chargePixels(processes, {
    account: () => account,
    cpu: {
      reserve(payer, seconds) {
        steps.push([`reserve ${payer?.address}`, seconds]);
        return () => steps.push(['release', seconds]);
      },
      charge: (payer, seconds, cpuClass) => steps.push([`${cpuClass} ${payer?.address}`, seconds]),
    },
  });
  const control = { pixels: 1, signal: new AbortController().signal, ...(address && { address }) };
  await pixels.run('resize', {} as never, control).catch(() => {});
  return steps;
}

test('a run is charged its actual CPU time instead of the prediction', async () => {
  const run = async ({ onSpent }: PixelControl) => onSpent!(SPENT);
  expect(await chargedBy(run, { account: { address: 'a' }, address: 'b' })).toEqual([
    ['reserve a', 2],
    ['release', 2],
    ['engine a', 3],
  ]);
});

test('a failed run is charged', async () => {
  const run = async ({ onSpent }: PixelControl) => {
    onSpent!(SPENT);
    throw new Error('broken');
  };
  expect((await chargedBy(run, { address: 'b' })).at(-1)).toEqual(['engine b', 3]);
});

test('a stopped run is charged the time since its start, and a run that never started nothing', async () => {
  const stopped = await chargedBy(async ({ onStart }) => {
    onStart!();
    await new Promise((resolve) => setTimeout(resolve, 20));
    throw new Error('stopped');
  });
  expect(stopped.at(-1)).toEqual(['engine undefined', expect.toSatisfy((seconds) => seconds >= 0.015)]);
  expect((await chargedBy(() => Promise.reject(new Error('busy')))).at(-1)).toEqual(['engine undefined', 0]);
});
