import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { lumaPsnr } from '../../../../tests/support/luma_psnr.ts';
import { needs } from '../../../../tests/support/test_requirements.ts';
import { sharp } from '../codecs/sharp.ts';
import { resizeImage } from '../resize/resize_image.ts';

const SET5 = new URL('../../../../../shared/images/sr/set5/x2/', import.meta.url);

// Published for the bicubic kernel: 33.66 dB. A shift by half an output pixel costs 3 dB.
test('Set5 at ×2 reaches the expected Lanczos accuracy in every mode', needs('../shared'), async () => {
  const found = await Promise.all(
    readdirSync(new URL('HR/', SET5)).map(async (file) => {
      const large = readFileSync(new URL(`HR/${file}`, SET5));
      const small = readFileSync(new URL(`LR/${file}`, SET5));
      const { width, height } = await sharp(large).metadata();
      return Promise.all(
        (['contain', 'cover', 'stretch'] as const).map(async (mode) => {
          const { bytes } = await resizeImage({
            bytes: small,
            width,
            height,
            mode,
            format: 'png',
            quality: 90,
          });
          return lumaPsnr(bytes, large, 2);
        }),
      );
    }),
  );
  const means = [0, 1, 2].map((mode) => found.reduce((sum, dB) => sum + dB[mode]!, 0) / found.length);
  for (const mean of means) expect(mean).toBeGreaterThan(34.2);
});
