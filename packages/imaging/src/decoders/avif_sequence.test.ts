import { expect, test } from 'vitest';
import { writeAvifSequence } from '../../../../tests/support/write_avif_sequence.ts';
import { sharp } from '../codecs/sharp.ts';
import { decodeAvifSequence } from './avif_sequence.ts';

const avif = (background: string) =>
  sharp({ create: { width: 32, height: 16, channels: 3, background } })
    .avif({ quality: 90, effort: 0 })
    .toBuffer();

test('the first frame of an animated AVIF is decoded and the others are counted', async () => {
  const bytes = writeAvifSequence({ picture: { still: await avif('#d01010'), frames: 3 } });
  const picture = await decodeAvifSequence(bytes);
  expect(picture).toMatchObject({ width: 32, height: 16, channels: 3, frames: 3 });
  expect(picture.warnings).toEqual(['The animated AVIF was read as the first of its 3 frames.']);
  expect(picture.data[0]).toBeGreaterThan(200);
});

test('an alpha track makes the image transparent', async () => {
  const [color, alpha] = [await avif('#d01010'), await avif('#404040')];
  const bytes = writeAvifSequence({
    picture: { still: color, frames: 1 },
    alpha: { still: alpha, frames: 1 },
  });
  const picture = await decodeAvifSequence(bytes);
  expect(picture).toMatchObject({ channels: 4, frames: undefined, warnings: [] });
  expect(Math.abs(picture.data[3]! - 0x40)).toBeLessThan(4);
});

test('an AVIF without a movie box or with a truncated frame is rejected', async () => {
  const still = await avif('#d01010');
  await expect(decodeAvifSequence(still)).rejects.toThrow('no animation');
  const bytes = writeAvifSequence({ picture: { still, frames: 1 } });
  await expect(decodeAvifSequence(bytes.subarray(0, bytes.length - 20))).rejects.toThrow(
    'before its last pixel',
  );
});
