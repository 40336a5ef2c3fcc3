import { expect, test } from 'vitest';
import { type ApngFrame, writeApng } from '../../../../tests/support/write_apng.ts';
import { sharp } from '../codecs/sharp.ts';
import { decodeFrames } from './frames.ts';

const RED = [255, 0, 0, 255];
const BLUE = [0, 0, 255, 255];
const HALF_GREEN = [0, 255, 0, 128];
const CLEAR = [0, 0, 0, 0];
const frame = (colors: number[][], rest: Partial<ApngFrame> = {}): ApngFrame => ({
  width: colors.length,
  height: 1,
  data: Uint8Array.from(colors.flat()),
  ...rest,
});
const pixelsOf = ({ frames }: { frames: readonly { data: Uint8Array }[] }) =>
  frames.map(({ data }) => [...data]);

test('APNG frames are composited by their blend and disposal operations', async () => {
  const bytes = await writeApng({
    width: 3,
    height: 1,
    loop: 2,
    frames: [
      frame([RED, RED, RED], { delay: [1, 10] }),
      frame([HALF_GREEN], { x: 1, blend: 1, dispose: 2, delay: [20, 0] }),
      frame([CLEAR], { x: 2, blend: 0, dispose: 1 }),
      frame([CLEAR, BLUE], { x: 0, blend: 1 }),
    ],
  });
  const animation = await decodeFrames(bytes);
  const mixed = [127, 128, 0, 255];
  expect(animation).toMatchObject({ width: 3, height: 1, loop: 2 });
  expect(animation.frames.map(({ delayMs }) => delayMs)).toEqual([100, 200, 0, 0]);
  expect(pixelsOf(animation)).toEqual([
    [...RED, ...RED, ...RED],
    [...RED, ...mixed, ...RED],
    [...RED, ...RED, ...CLEAR],
    [...RED, ...BLUE, ...CLEAR],
  ]);
});

test('a default image outside the animation is skipped', async () => {
  const frames = [frame([RED]), frame([BLUE])];
  const bytes = await writeApng({ width: 1, height: 1, loop: 0, frames, still: frame([CLEAR]) });
  expect(pixelsOf(await decodeFrames(bytes))).toEqual([RED, BLUE]);
});

test.each(['gif', 'webp'] as const)(
  'frames of an animated %s are decoded in full with their delays',
  async (format) => {
    const colors = [RED, BLUE, RED].flatMap((color) => Array.from({ length: 16 }, () => color).flat());
    const bytes = await sharp(Uint8Array.from(colors), {
      raw: { width: 4, height: 12, channels: 4, pageHeight: 4 },
    })
      .toFormat(format, { delay: [100, 200, 300], loop: 3, lossless: true })
      .toBuffer();
    const animation = await decodeFrames(bytes);
    expect(animation).toMatchObject({ width: 4, height: 4, loop: 3 });
    expect(animation.frames.map(({ delayMs }) => delayMs)).toEqual([100, 200, 300]);
    expect(animation.frames.map(({ data }) => [...data.slice(0, 4)])).toEqual([RED, BLUE, RED]);
  },
);

test('a still image has one frame', async () => {
  const still = sharp({ create: { width: 5, height: 4, channels: 3, background: 'red' } });
  const animation = await decodeFrames(await still.png().toBuffer());
  expect(animation).toMatchObject({ width: 5, height: 4, loop: 0 });
  expect(animation.frames).toHaveLength(1);
});

test('too many frames are rejected before decoding', async () => {
  const bytes = Buffer.from(
    await writeApng({ width: 1, height: 1, loop: 0, frames: [frame([RED]), frame([BLUE])] }),
  );
  const control = bytes.indexOf('fcTL', bytes.indexOf('IDAT'), 'latin1') - 4;
  const chunk = bytes.subarray(control, control + 38);
  const many = Buffer.concat([bytes.subarray(0, control), ...Array.from({ length: 1001 }, () => chunk)]);
  await expect(decodeFrames(many)).rejects.toThrow('1002 frames of 1 × 1 pixels; at most 1000');
});

test('a frame that exceeds the canvas is rejected', async () => {
  const frames = [frame([RED]), frame([BLUE], { x: 1 })];
  const bytes = await writeApng({ width: 1, height: 1, loop: 0, frames });
  await expect(decodeFrames(bytes)).rejects.toThrow('frame 2 of the APNG reaches beyond its canvas');
});
