import { expect, test } from 'vitest';
import { scene } from '../../../../tests/support/scene.ts';
import { sharp } from '../picture/sharp.ts';
import { embedWatermark } from '../watermark/embed_watermark.ts';
import { markPicture } from './mark_picture.ts';

const START = 'AI|Example|3|Example Ltd|2026-11-20T09:11:12Z|';
const request = { payload: `${START}b30c`, sameStart: START, id: '0123456789ab', strength: 0.5 };
const picture = sharp(await scene(3));

test('what is marked with the same facts stays as it is, whatever its id', async () => {
  const bytes = await picture.clone().png().toBuffer();
  const first = await markPicture({ ...request, bytes });
  const second = await markPicture({ ...request, payload: `${START}other`, bytes: first.bytes });
  expect(second).toMatchObject({ wasThere: true, payload: request.payload });
  expect(second.bytes).toBe(first.bytes);
  expect(first.made!.quality.psnr_db).toBeCloseTo(first.made!.psnrDb, 0);
  expect(second.made).toBeUndefined();
}, 60_000);

test('another mark is not written over', async () => {
  const { bytes } = await embedWatermark({
    ...request,
    bytes: await picture.clone().png().toBuffer(),
    payload: 'Ada, 17',
  });
  await expect(markPicture({ ...request, bytes })).rejects.toThrow(
    /carries a watermark already \("Ada, 17"\)/,
  );
}, 60_000);

test('a GIF is refused before anything is done', async () => {
  const bytes = await picture.clone().gif().toBuffer();
  await expect(markPicture({ ...request, bytes })).rejects.toMatchObject({ code: 'unsupported_image' });
});

const frame = (background: string) => ({
  create: { width: 160, height: 160, channels: 3 as const, background },
});

test.each(['webp', 'tiff'] as const)('a %s of several pictures is refused', async (format) => {
  const frames = await Promise.all(['#123', '#456'].map((color) => sharp(frame(color)).png().toBuffer()));
  const bytes = await sharp(frames, { join: { animated: true } })
    .toFormat(format)
    .toBuffer();
  await expect(markPicture({ ...request, bytes })).rejects.toThrow(/several pictures/);
});
