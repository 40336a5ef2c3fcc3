import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MANIFEST } from './manifest.ts';
import { createSpeeds, SPEED_FRESH_MS } from './speeds.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-speeds-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const network = (name: 'realesr_animevideov3' | 'realesrgan_x4plus') => ({
  name,
  architecture: MANIFEST[name].architecture,
  provider: 'cpu' as const,
});
const quick = network('realesr_animevideov3');
const slow = network('realesrgan_x4plus');
const PICTURE = { width: 400, height: 300 };
const open = (clock?: () => Date) => createSpeeds(join(folder, 'models', 'speeds.json'), clock);

test('without measurements the estimate grows with network and image size', () => {
  const speeds = open();
  const [small, large] = [speeds.estimate(quick, PICTURE), speeds.estimate(slow, PICTURE)];
  expect(small).toMatchObject({ basis: 'guessed', isFresh: false });
  // 621 thousand multiplications against 18 million.
  expect(large.seconds / small.seconds).toBeGreaterThan(25);
  expect(speeds.estimate(quick, { width: 800, height: 600 }).seconds).toBeGreaterThan(3.9 * small.seconds);
});

test('each later run is weighted by half, and the measurement survives a restart', () => {
  open().record(quick, { pixelsSeen: 500_000, seconds: 5 });
  const again = open();
  expect(again.estimate(quick, PICTURE)).toEqual({ seconds: 1.2, basis: 'measured', isFresh: true });
  again.record(quick, { pixelsSeen: 100_000, seconds: 2 });
  expect(open().estimate(quick, PICTURE).seconds).toBeCloseTo(1.8, 6);
  expect(open().estimate(slow, PICTURE).basis).toBe('guessed');
});

test('a measurement expires, and a tiny run is ignored', () => {
  open().record(quick, { pixelsSeen: 500_000, seconds: 5 });
  const later = open(() => new Date(Date.now() + SPEED_FRESH_MS + 1000));
  expect(later.estimate(quick, PICTURE)).toMatchObject({ basis: 'measured', isFresh: false });
  open().record(slow, { pixelsSeen: 256, seconds: 9 });
  expect(open().estimate(slow, PICTURE).basis).toBe('guessed');
});

test('a stopped run is a lower bound that only increases the estimate', () => {
  const speeds = open();
  speeds.recordStopped(slow, PICTURE, 60);
  expect(open().estimate(slow, PICTURE)).toMatchObject({ basis: 'measured', isFresh: true });
  speeds.recordStopped(slow, PICTURE, 5);
  speeds.recordStopped(slow, { width: 8, height: 8 }, 60);
  expect(speeds.estimate(slow, PICTURE).seconds).toBeCloseTo(60, 6);
});

test('the estimate includes the overlap of tiles', () => {
  const speeds = open();
  speeds.record(slow, { pixelsSeen: 1_000_000, seconds: 100 });
  expect(speeds.estimate(slow, { width: 400, height: 400 }).seconds).toBeCloseTo(16, 6);
  expect(speeds.estimate(slow, { width: 1000, height: 1000 }).seconds).toBeGreaterThan(150);
});

test('the largest image that fits keeps the proportions and fits the limit', () => {
  const speeds = open();
  speeds.record(slow, { pixelsSeen: 1_000_000, seconds: 100 });
  const picture = { width: 3000, height: 2000 };
  const largest = speeds.largestWithin(slow, picture, 40)!;
  const { seconds } = speeds.estimate(slow, largest);
  expect([seconds <= 40, seconds > 20]).toEqual([true, true]);
  expect(largest.width / largest.height).toBeCloseTo(1.5, 1);
  expect(speeds.largestWithin(slow, picture, 0.001)).toBeUndefined();
});

test('a corrupt speed file is ignored', () => {
  for (const text of ['{', '[]', '{"realesr_animevideov3 cpu": {"seconds_per_megapixel": -1}}']) {
    writeFileSync(join(folder, 'speeds.json'), text);
    const speeds = createSpeeds(join(folder, 'speeds.json'));
    expect(speeds.estimate(quick, PICTURE).basis).toBe('guessed');
  }
});
