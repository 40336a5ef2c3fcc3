import { readdirSync } from 'node:fs';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { resizeImage } from '@atelier/imaging/resize/resize_image.ts';
import { expect, test } from 'vitest';
import { needs } from '../../../tests/support/test_requirements.ts';
import { runResize } from './run_resize.ts';

const WANTED = { width: 50, height: 50, mode: 'contain', format: 'png', quality: 90 } as const;
const jpegOf = (width: number, height: number, phase: number) =>
  sharp(
    Uint8Array.from({ length: width * height * 3 }, (_, at) => 128 + 90 * Math.sin(at / width / 90 + phase)),
    { raw: { width, height, channels: 3 } },
  )
    .jpeg({ quality: 95 })
    .toBuffer();
const pixelsOf = (bytes: Uint8Array) => sharp(bytes).raw().toBuffer();

test('consecutive images of any size are each decoded from their own bytes', async () => {
  for (const [width, height, phase] of [
    [900, 700, 0],
    [240, 200, 2],
    [700, 400, 4],
  ] as const) {
    const bytes = await jpegOf(width, height, phase);
    const [reduced, whole] = [await runResize({ bytes, ...WANTED }), await resizeImage({ bytes, ...WANTED })];
    const [ones, others] = [await pixelsOf(reduced.bytes), await pixelsOf(whole.bytes)];
    expect(Math.max(...ones.map((sample, at) => Math.abs(sample - others[at]!)))).toBeLessThan(4);
  }
});

test('a truncated JPEG is refused like one in memory', async () => {
  const bytes = await jpegOf(400, 300, 1);
  const cut = bytes.subarray(0, bytes.length / 2);
  await expect(runResize({ bytes: cut, ...WANTED })).rejects.toMatchObject({ code: 'undecodable_image' });
});

test('a resize leaves no temporary file and no open file descriptor', needs('Linux'), async () => {
  await runResize({ bytes: await jpegOf(400, 300, 1), ...WANTED });
  const open = readdirSync('/proc/self/fd').length;
  await runResize({ bytes: await jpegOf(400, 300, 1), ...WANTED });
  expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(open);
  expect(readdirSync('/dev/shm').filter((name) => name.startsWith(`atelier-image-${process.pid}-`))).toEqual(
    [],
  );
});
