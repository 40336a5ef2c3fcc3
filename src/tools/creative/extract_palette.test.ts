import { expect, test } from 'vitest';
import { extractPalette as engine } from '../../engines/palette/extract_palette.ts';
import type { SourceImage } from '../../services/images/index.ts';
import { EXAMPLE_PNG_B64 } from '../example_image.ts';
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

test('a picture with fewer colours than asked for says so', async () => {
  const { output, warnings } = await run({ num_colors: 12, format: 'hex' });
  expect(output.num_colors).toBe(3);
  expect(warnings).toEqual(['Found 3 of 12 colours: the picture has no more that look different.']);
});

test('what it answers is what it promised', async () => {
  const { output } = await run({ num_colors: 6, format: 'hex' });
  expect(extractPalette.output.strict().safeParse(output).error).toBeUndefined();
});

async function run(wanted: { num_colors: number; format: 'hex' | 'rgb' | 'hsl' }) {
  const warnings: string[] = [];
  const pixels = { run: (_: string, input: { bytes: Uint8Array; colors: number }) => engine(input) };
  const call = { signal: AbortSignal.timeout(20_000), warn: (message: string) => warnings.push(message) };
  const output = await extractPalette.run({ image, ...wanted }, { pixels } as never, call as never);
  return { output, warnings };
}
