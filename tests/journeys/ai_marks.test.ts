import { markPicture } from '@atelier/engines/aimark/mark_picture.ts';
import { sharp } from '@atelier/engines/picture/sharp.ts';
import { detectWatermark } from '@atelier/engines/watermark/detect_watermark.ts';
import { expect, test } from 'vitest';
import { scene } from '../support/scene.ts';

/** Marks of AI in every form they may be written into. */

const START = 'AI|Example|3|Example Ltd|2026-11-20T09:11:12Z|';
const request = { payload: `${START}b30c`, sameStart: START, id: '0123456789ab', strength: 0.5 };
const picture = sharp(await scene(3));

test.each(['png', 'jpeg', 'webp', 'tiff'] as const)(
  'a %s stays one, and the mark is read back from it',
  async (format) => {
    const bytes = await picture.clone().toFormat(format).toBuffer();
    const { bytes: marked, ...answer } = await markPicture({ ...request, bytes });
    expect((await sharp(marked).metadata()).format).toBe(format);
    expect(await detectWatermark({ bytes: marked })).toMatchObject({ payload: request.payload });
    expect(answer).toMatchObject({ wasThere: false, payload: request.payload });
  },
  60_000,
);
