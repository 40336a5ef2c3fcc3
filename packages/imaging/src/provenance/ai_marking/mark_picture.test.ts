import { expect, test } from 'vitest';
import { labelTypeface } from '../../../../../tests/support/label_typeface.ts';
import { scene } from '../../../../../tests/support/scene.ts';
import { readRaster } from '../../codecs/read_raster.ts';
import { sharp } from '../../codecs/sharp.ts';
import type { LabelRequest } from '../../label/draw_label.ts';
import type { Region } from '../../metadata/rights/ai_label.ts';
import { readWatermark } from '../../watermark/detect_watermark.ts';
import { embedWatermark } from '../../watermark/embed_watermark.ts';
import { markPicture } from './mark_picture.ts';

const START = 'AI|Example|3|Example Ltd|2026-11-20T09:11:12Z|';
const request = { payload: `${START}b30c`, sameStart: START, id: '0123456789ab', strength: 0.5 };
const picture = sharp(await scene(3));

test('an image already marked with the same facts is unchanged, regardless of id', async () => {
  const bytes = await picture.clone().png().toBuffer();
  const first = await markPicture({ ...request, bytes });
  const second = await markPicture({ ...request, payload: `${START}other`, bytes: first.bytes });
  expect(second).toMatchObject({ wasThere: true, payload: request.payload });
  expect(second.bytes).toBe(first.bytes);
  expect(first.made!.quality.psnr_db).toBeCloseTo(first.made!.psnrDb, 0);
  expect(second.made).toBeUndefined();
});

test('an existing different watermark is not overwritten', async () => {
  const { bytes } = await embedWatermark({
    ...request,
    bytes: await picture.clone().png().toBuffer(),
    payload: 'Ada, 17',
  });
  await expect(markPicture({ ...request, bytes })).rejects.toThrow(
    /carries a watermark already \("Ada, 17"\)/,
  );
});

test('a GIF is rejected before processing', async () => {
  const bytes = await picture.clone().gif().toBuffer();
  await expect(markPicture({ ...request, bytes })).rejects.toMatchObject({ code: 'unsupported_image' });
});

const frame = (background: string) => ({
  create: { width: 160, height: 160, channels: 3 as const, background },
});

test.each(['webp', 'tiff'] as const)('a %s with several images is rejected', async (format) => {
  const frames = await Promise.all(['#123', '#456'].map((color) => sharp(frame(color)).png().toBuffer()));
  const bytes = await sharp(frames, { join: { animated: true } })
    .toFormat(format)
    .toBuffer();
  await expect(markPicture({ ...request, bytes })).rejects.toThrow(/several images/);
});

const label: LabelRequest = {
  style: 'icon',
  language: 'en',
  kind: 'generated',
  corner: 'bottom_right',
  typeface: labelTypeface,
};

/** Brightness of the label's plate and of its edge, at half its height. */
async function lightOfLabel(bytes: Uint8Array, { x, y, width, height }: Region) {
  const { data, info } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
  const row = [...data.subarray((y + (height >> 1)) * info.width + x).subarray(0, width)];
  return { edge: row[0]!, plate: row[5]!, letters: Math.max(...row.slice(10, -10)) };
}

test.each(['jpeg', 'webp'] as const)(
  'a %s has a visible label and a readable watermark',
  async (format) => {
    const bytes = await picture.clone().toFormat(format).toBuffer();
    const marked = await markPicture({ ...request, bytes, label });
    const { region, words } = marked.label!.label;
    const { edge, plate, letters } = await lightOfLabel(marked.bytes, region);
    expect([words, marked.label!.wasThere, marked.wasThere]).toEqual(['AI GENERATED', false, false]);
    expect(edge).toBeGreaterThan(180);
    expect(plate).toBeLessThan(30);
    expect(letters).toBeGreaterThan(220);
    expect(readWatermark(await readRaster(marked.bytes)).payload).toBe(request.payload);
    expect(marked.made!.quality.psnr_db).toBeGreaterThan(30);
  },
  120_000,
);

test('a marked image can be labelled later once and keeps its watermark', async () => {
  const first = await markPicture({ ...request, bytes: await picture.clone().png().toBuffer() });
  const second = await markPicture({ ...request, bytes: first.bytes, label });
  const third = await markPicture({ ...request, bytes: second.bytes, label });
  expect(second).toMatchObject({ wasThere: true, label: { wasThere: false } });
  expect(readWatermark(await readRaster(second.bytes)).payload).toBe(request.payload);
  expect(third).toMatchObject({ wasThere: true, label: { wasThere: true, label: second.label!.label } });
  expect(third.bytes).toBe(second.bytes);
});
