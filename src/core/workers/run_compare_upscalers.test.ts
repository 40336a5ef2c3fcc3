import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { expect, test } from 'vitest';
import { bundledUpscaler } from '../../features/models/bundled.ts';
import { runCompareUpscalers } from './run_compare_upscalers.ts';

/** A ring on a gradient: edges in every direction. */
const picture = (width: number, height: number) => {
  const samples = Uint8Array.from({ length: width * height * 3 }, (_, at) => {
    const [x, y] = [Math.floor(at / 3) % width, Math.floor(at / 3 / width)];
    return Math.abs(Math.hypot(x - 60, y - 50) - 24) < 5 ? 220 : 40 + x / 3;
  });
  return sharp(samples, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
};
const models = [bundledUpscaler('atelier_compact_x4', 'cpu'), bundledUpscaler('atelier_compact_x2', 'cpu')];

test('every model runs on the detailed region, smallest first, and is sharper than the kernel', async () => {
  const shown: string[] = [];
  const found = await runCompareUpscalers({ bytes: await picture(160, 120), models }, (_, name) =>
    shown.push(name),
  );
  expect(shown).toEqual(['Enlarging with atelier_compact_x2', 'Enlarging with atelier_compact_x4']);
  expect(found).toMatchObject({ crop: { width: 96, height: 96 }, condition: { kind: 'clean' }, skipped: [] });
  expect(found.compared.map(({ name, scale }) => [name, scale])).toEqual([
    ['lanczos', 4],
    ['atelier_compact_x2', 2],
    ['atelier_compact_x4', 4],
  ]);
  const [kernel, ...networks] = found.compared;
  expect(kernel?.sharpness).toBe(1);
  for (const { sharpness, departureLevels } of networks) {
    expect(sharpness).toBeGreaterThan(1.05);
    expect(departureLevels).toBeLessThan(6);
  }
  const { width, height } = await sharp(found.bytes).metadata();
  expect([width, height]).toEqual([found.width, found.height]);
});

test('a model predicted to exceed the deadline is not started', async () => {
  const [small] = [bundledUpscaler('atelier_compact_x2', 'cpu')];
  const endless = { kind: 'SRVGGNetCompact', scale: 4, features: 1e6, convolutions: 1e6 } as const;
  const huge = { ...small, name: 'huge', bytes: 1e9, path: '/nowhere', architecture: endless };
  const found = await runCompareUpscalers({ bytes: await picture(160, 120), models: [huge, small] });
  expect(found.skipped).toEqual(['huge']);
  expect(found.compared.map(({ name }) => name)).toEqual(['lanczos', 'atelier_compact_x2']);
});

test.each([
  [1, 1],
  [3, 90],
])('an image of %i × %i is compared whole', async (width, height) => {
  const found = await runCompareUpscalers({ bytes: await picture(width, height), models });
  expect(found.crop).toEqual({ left: 0, top: 0, width, height });
  expect(found.compared.length).toBe(3);
});
