import { expect, test } from 'vitest';
import { scene } from '../../../../../tests/support/scene.ts';
import { sharp } from '../../codecs/sharp.ts';
import { readMetadata } from '../../metadata/read_metadata.ts';
import { writeMetadata } from '../../metadata/write_metadata.ts';
import { alteredCopies } from './altered_copies.ts';

test('each copy has one alteration, and all but the last keep the metadata', async () => {
  const { bytes } = writeMetadata(await scene(3, 200, 100), { ai_system: 'Painter' }, []);
  const copies = await Promise.all(
    (await alteredCopies(bytes)).map(async ({ alteration, bytes: copy }) => {
      const { format, width, height } = await sharp(copy).metadata();
      return [alteration, format, width, height, readMetadata(copy).fields.ai_system];
    }),
  );
  expect(copies).toEqual([
    ['half_size', 'png', 100, 50, 'Painter'],
    ['jpeg_75', 'jpeg', 200, 100, 'Painter'],
    ['crop_10', 'png', 180, 90, 'Painter'],
    ['no_metadata', 'png', 200, 100, undefined],
  ]);
});

test('a 1-pixel image is altered too, and text is rejected', async () => {
  expect(await alteredCopies(await scene(3, 1, 1))).toHaveLength(4);
  await expect(alteredCopies(Buffer.from('no image'))).rejects.toThrow('unsupported image format');
});
