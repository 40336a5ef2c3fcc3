import { expect, test } from 'vitest';
import type { Plane } from '../pixels/plane.ts';
import { keyedRandom } from './keyed_random.ts';
import { judgeLikeness, likenessOf, type SeenBlocks, seenBlocks } from './likeness.ts';

/** Blocks of 16 pixels of random brightness. */
function patchwork(seed: number, columns = 48, rows = 32): Plane {
  const next = keyedRandom(seed);
  const levels = Float32Array.from({ length: columns * rows }, () => 40 + (next() % 160));
  const [width, height] = [16 * columns, 16 * rows];
  const data = new Float32Array(width * height).map(
    (_, at) => levels[(Math.floor(at / width) >> 4) * columns + ((at % width) >> 4)]!,
  );
  return { width, height, data };
}

const see = (frame: Plane): SeenBlocks => {
  const grid = { columns: frame.width / 8, rows: frame.height / 8, firstColumn: 0, firstRow: 0 };
  return seenBlocks({ frame, grid, usable: new Uint8Array(grid.columns * grid.rows).fill(1) });
};
const changed = (frame: Plane, change: (level: number, x: number) => number): Plane => ({
  ...frame,
  data: frame.data.map((level, at) => change(level, at % frame.width)),
});

const marked = patchwork(1);
const kept = likenessOf(marked);

test.each([
  ['itself', marked, 1],
  ['itself, brighter and with less contrast', changed(marked, (level) => 60 + 0.7 * level), 1],
  ['another picture', patchwork(2), 0],
  ['itself inside out', changed(marked, (level) => 255 - level), 0],
])('%s has the expected unchanged share', (_name, frame, share) => {
  expect(judgeLikeness(kept, see(frame))).toMatchObject({ share, evidence: expect.closeTo(2800, -3) });
});

test('a crop is recognised at any tile offset', () => {
  const { columns, rows, levels } = see(marked);
  const part = {
    firstColumn: 36 - 32,
    firstRow: 3 + 32,
    columns: 10,
    rows: 12,
    levels: Float32Array.from(
      { length: 120 },
      (_, at) => levels[(3 + Math.floor(at / 10)) * columns + 36 + (at % 10)]!,
    ),
  };
  expect(rows).toBe(32);
  expect(judgeLikeness(kept, part).share).toBe(1);
});

test('a collage half filled by the marked image has an unchanged share of 0.5', () => {
  const other = patchwork(2);
  const collage = {
    ...marked,
    data: marked.data.map((level, at) => (at % 768 < 384 ? level : other.data[at]!)),
  };
  expect(judgeLikeness(kept, see(collage)).share).toBeCloseTo(0.5, 1);
});

test('a flat overlay on one third is detected as covered', () => {
  const covered = changed(marked, (level, x) => (x < 256 ? 90 : level));
  expect(judgeLikeness(kept, see(covered)).share).toBeCloseTo(0.66, 1);
});

test('a flat image gives no evidence', () => {
  const flat = changed(marked, () => 90);
  expect(judgeLikeness(likenessOf(flat), see(flat))).toEqual({ share: 0, evidence: 0 });
});
