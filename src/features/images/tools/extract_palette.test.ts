import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { expect, test } from 'vitest';
import { openTestApp } from '../../../../tests/support/open_test_app.ts';
import { runPalette } from '../../../core/workers/run_palette.ts';
import type { SourceImage } from '../../../core/workers/types.ts';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';
import { extractPalette } from './extract_palette.ts';

const bytes = Buffer.from(EXAMPLE_PNG_B64, 'base64');
const image: SourceImage = { bytes, format: 'png', width: 16, height: 12 };

test.each([
  ['hex', /^#[0-9a-f]{6}$/],
  ['rgb', /^rgb\(\d+, \d+, \d+\)$/],
  ['hsl', /^hsl\([\d.]+, [\d.]+%, [\d.]+%\)$/],
] as const)('colours are written as %s', async (format, pattern) => {
  const { output } = await run({ num_colors: 3, format });
  expect(output).toMatchObject({
    format,
    num_colors: output.colors.length,
    dominant_color: output.colors[0]!.value,
  });
  expect(output.colors.every(({ value }) => pattern.test(value))).toBe(true);
});

test('an image with fewer colours than requested causes a warning', async () => {
  const { output, warnings } = await run({ num_colors: 12, format: 'hex' });
  expect(output.num_colors).toBe(3);
  expect(warnings).toEqual(['Found 3 of 12 colours: no further colours differ visibly.']);
});

test('the response matches its output schema', async () => {
  const { output } = await run({ num_colors: 6, format: 'hex' });
  expect(extractPalette.output.strict().safeParse(output).error).toBeUndefined();
});

test('the response includes harmonies and, on request, a swatch sheet', async () => {
  const { output, kept } = await run({ num_colors: 3, format: 'hex', swatch_sheet: true });
  expect(output.harmony!.complementary).toMatch(/^#[0-9a-f]{6}$/);
  expect(output).toMatchObject({ swatch_sheet: 'result:1', swatch_sheet_url: 'http://here/1' });
  expect((await sharp(kept[0]!).metadata()).height).toBe(128 * output.num_colors);
});

test('colours are saved as a palette file for another program', async () => {
  const { output, kept } = await run({ num_colors: 3, format: 'hex', palette_file: 'gpl' });
  expect(output).toMatchObject({ palette_file: 'result:1', palette_file_url: 'http://here/1' });
  expect(Buffer.from(kept[0]!).toString()).toMatch(/^GIMP Palette\n/);
});

interface Asked {
  num_colors: number;
  format: 'hex' | 'rgb' | 'hsl';
  swatch_sheet?: boolean;
  palette_file?: 'ase' | 'gpl' | 'css' | 'json';
}

async function run(asked: Asked) {
  const warnings: string[] = [];
  const kept: Uint8Array[] = [];
  const wanted = { swatch_sheet: false, ...asked };
  const pixels = { run: (_: string, input: Parameters<typeof runPalette>[0]) => runPalette(input) };
  const results = {
    keep: async (bytes: Uint8Array) => {
      kept.push(bytes);
      return { handle: 'result:1', url: 'http://here/1', expiresAt: new Date(0) };
    },
  };
  const call = { signal: AbortSignal.timeout(20_000), warn: (message: string) => warnings.push(message) };
  const output = await extractPalette.run({ image, ...wanted }, { pixels, results } as never, call as never);
  return { output, warnings, kept };
}

test('several images share one palette, with the proportions for each image', async () => {
  const app = await openTestApp();
  const { body } = await app.post('/api/tools/extract_palette', {
    image: EXAMPLE_PNG_B64,
    more_images: [EXAMPLE_PNG_B64],
  });
  const shares = body.colors.map(({ percentage }: { percentage: number }) => percentage);
  expect(body.each_image).toEqual([shares, shares]);
  await app.close();
});
