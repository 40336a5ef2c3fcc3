import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import type { Operation } from '@atelier/imaging/editor/operations.ts';
import { expect, test } from 'vitest';
import { runEdit } from './run_edit.ts';

const EMPTY = { images: {}, texts: {}, findings: { crops: {}, places: {} } };

/** The size at which the text was set on a white 300 × 300 px image, and the warning about it. */
async function set(wish: object): Promise<string | undefined> {
  const bytes = await sharp({ create: { width: 300, height: 300, channels: 3, background: 'white' } })
    .png()
    .toBuffer();
  const text = { op: 'text', text: 'Open Saturday', gravity: 'south', margin: 20, color: 'black', ...wish };
  const { applied } = await runEdit({
    bytes,
    format: 'png',
    frames: 'first',
    frameCount: 1,
    ...EMPTY,
    operations: [text as unknown as Operation],
  });
  return applied[0]!.reason;
}

test('text larger than the image is reduced without breaking words', async () => {
  expect(await set({ size: 200 })).toMatch(/of \d\d(\.\d)? px in Inter; reduced from 200 px to fit$/);
});

test('a slightly too long caption is reduced instead of wrapped', async () => {
  expect(await set({ size: 44 })).toMatch(/^1 line of 3\d(\.\d+)? px in Inter; reduced from 44 px to fit$/);
});

test('text with fit disabled is reported as larger than its box', async () => {
  expect(await set({ size: 200, fit: false })).toMatch(/of 200 px in Inter; it is larger than its box$/);
});

test('text that fits keeps its size', async () => {
  expect(await set({ size: 30 })).toBe('1 line of 30 px in Inter');
});
