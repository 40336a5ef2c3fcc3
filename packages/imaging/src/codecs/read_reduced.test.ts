import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { resizeImage } from '../resize/resize_image.ts';
import { sharp } from './sharp.ts';

const folder = mkdtempSync(join(tmpdir(), 'atelier-reduced-'));
afterAll(() => rmSync(folder, { recursive: true }));
const paths: string[] = [];
function fileOf(bytes: Uint8Array): string {
  const path = join(folder, 'image');
  writeFileSync(path, bytes);
  paths.push(path);
  return path;
}

/** Gradients that reveal a shift of a fraction of a pixel. */
const slopes = (width: number, height: number) =>
  sharp(
    Uint8Array.from({ length: width * height * 3 }, (_, at) => {
      const [x, y] = [Math.floor(at / 3) % width, Math.floor(at / 3 / width)];
      return 128 + 100 * Math.sin(x / 17 + (at % 3)) * Math.cos(y / 13);
    }),
    { raw: { width, height, channels: 3 } },
  );
const pixelsOf = (bytes: Uint8Array) => sharp(bytes).raw().toBuffer();

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'a JPEG with odd dimensions keeps its position when decoded at reduced size, orientation %i',
  async (orientation) => {
    const bytes = await slopes(419, 301).withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer();
    for (const side of [100, 45]) {
      const request = {
        bytes,
        width: side,
        height: side,
        mode: 'contain',
        format: 'png',
        quality: 90,
      } as const;
      const used = paths.length;
      const [whole, reduced] = [await resizeImage(request), await resizeImage({ ...request, fileOf })];
      expect(paths.length).toBe(used + 1);
      expect([reduced.width, reduced.height]).toEqual([whole.width, whole.height]);
      const [ones, others] = [await pixelsOf(whole.bytes), await pixelsOf(reduced.bytes)];
      const mean = ones.reduce((sum, sample, at) => sum + Math.abs(sample - others[at]!), 0) / ones.length;
      expect(mean).toBeLessThan(1.2);
    }
  },
);

test('a JPEG or WebP decoded at reduced size keeps its centre', async () => {
  for (const format of ['jpeg', 'webp'] as const) {
    const bytes = await slopes(419, 301)[format]({ quality: 95 }).toBuffer();
    const request = { bytes, width: 60, height: 60, mode: 'cover', format: 'png', quality: 90 } as const;
    const [whole, reduced] = [await resizeImage(request), await resizeImage({ ...request, fileOf })];
    const [ones, others] = [await pixelsOf(whole.bytes), await pixelsOf(reduced.bytes)];
    const mean = ones.reduce((sum, sample, at) => sum + Math.abs(sample - others[at]!), 0) / ones.length;
    // WebP has chroma at half resolution, which its decoder upsamples differently.
    expect(mean).toBeLessThan(format === 'webp' ? 1.7 : 1.2);
  }
});

test('a PNG, and a JPEG shrunk by less than half, are decoded at full size', async () => {
  const used = paths.length;
  for (const [bytes, side] of [
    [await slopes(200, 150).png().toBuffer(), 20],
    [await slopes(200, 150).jpeg().toBuffer(), 60],
  ] as const)
    await resizeImage({
      bytes,
      width: side,
      height: side,
      mode: 'contain',
      format: 'png',
      quality: 90,
      fileOf,
    });
  expect(paths.length).toBe(used);
});
