import { afterAll, expect, test } from 'vitest';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Pixels } from '../../../core/workers/types.ts';
import { createPixels } from '../../../core/workers/workers.ts';
import { createModels } from '../../models/service.ts';
import { createPressProfiles } from '../../print/profiles/press_profiles.ts';
import { createEngineSelfTest, SELF_TESTS } from './engine_self_test.ts';

const pixels = createPixels({ workers: 1, pixelsInFlightMax: 1e7, queueLengthMax: 9, deadlineMs: 60_000 });
afterAll(() => pixels.close());
const models = createModels({ folder: '/nowhere', provider: 'cpu', fetch });
const pressProfiles = createPressProfiles({ folder: undefined });
const given = (run: Pixels['run'], told: unknown[] = []) => {
  const clock = { ms: 0 };
  const report = (_error: unknown, engine: string) => void told.push(engine);
  const flight = createEngineSelfTest({
    models,
    pressProfiles,
    pixels: { run },
    report,
    now: () => clock.ms,
  });
  return { flight, clock };
};

test('every available engine passes its self-test', async () => {
  const checks = await given(pixels.run).flight.check();
  const failed = Object.entries(checks).filter(([, { state }]) => state === 'failed');
  expect(failed).toEqual([]);
  const flown = Object.entries(SELF_TESTS).flatMap(([engine, canary]) =>
    'comesWith' in canary ? [] : engine,
  );
  const closed = [
    'cut_out_by_network',
    'erase_by_network',
    'see',
    'read_text',
    'caption',
    'embed_picture',
    'embed_text',
  ];
  expect(Object.keys(checks)).toEqual(flown.filter((engine) => !closed.includes(engine)));
});

test('an engine covered by another refers to one with its own self-test', () => {
  const wrong = Object.values(SELF_TESTS).filter(
    (canary) => 'comesWith' in canary && 'comesWith' in SELF_TESTS[canary.comesWith],
  );
  expect(wrong).toEqual([]);
});

test('a failing check reports its reason without internal detail, and the others continue', async () => {
  const told: unknown[] = [];
  const run = async (engine: string) => {
    if (engine === 'palette') throw new Error('/home/secret/weights');
    if (engine === 'look') throw new AtelierError('model_unavailable', 'The file is gone.');
    if (engine === 'resize') throw new AtelierError('busy');
  };
  const checks = await given(run as Pixels['run'], told).flight.check();
  const ms = expect.any(Number);
  expect(checks).toMatchObject({
    palette: { state: 'failed', ms, reason: 'Failed. See the log for the reason.' },
    look: { state: 'failed', ms, reason: 'The file is gone.' },
    resize: { state: 'busy', ms },
    hash_pixels: { state: 'ok', ms },
  });
  // No pyramid exists for preflight to read.
  expect(told).toEqual(['preflight', 'palette', 'look']);
});

test('concurrent and closely following checks share one self-test run', async () => {
  let runs = 0;
  const run = async () => {
    runs += 1;
  };
  const { flight, clock } = given(run as unknown as Pixels['run']);
  const [one, other] = await Promise.all([flight.check(), flight.check()]);
  const flown = runs;
  clock.ms += 59_999;
  expect(await flight.check()).toBe(one);
  expect(other).toBe(one);
  expect(runs).toBe(flown);
  clock.ms += 1;
  await flight.check();
  expect(runs).toBe(2 * flown);
});
