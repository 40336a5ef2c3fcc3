import type { VectorizeRequest } from '@atelier/imaging/vectorize/vectorize_image.ts';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { runVectorize } from '../../../core/workers/run_vectorize.ts';
import type { SourceImage } from '../../../core/workers/types.ts';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';
import { vectorizeImage } from './vectorize_image.ts';

const bytes = Buffer.from(EXAMPLE_PNG_B64, 'base64');
const image: SourceImage = { bytes, format: 'png', width: 16, height: 12 };

test('the SVG is returned inline and by link', async () => {
  const { output, kept } = await run('base64');
  expect(output.svg_content).toMatch(
    /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="16" height="12" viewBox="0 0 16 12"/,
  );
  expect(kept).toEqual([{ text: output.svg_content, type: 'image/svg+xml' }]);
  expect(output.size_bytes).toBe(output.svg_content!.length);
});

test('output "url" returns only the link', async () => {
  const { output } = await run('url');
  expect(output).not.toHaveProperty('svg_content');
  expect(output).toMatchObject({
    result: 'result:1',
    content_type: 'image/svg+xml',
    mode: 'color',
    color_precision: 6,
    filter_speckle: 1,
  });
});

test('the response matches the declared output schema', async () => {
  const { output } = await run('base64');
  expect(vectorizeImage.output.strict().safeParse(output).error).toBeUndefined();
});

test('counts the outlines of a ring and a disc, with or without the background', async () => {
  const ring = Buffer.alloc(64 * 64 * 3, 255);
  for (let at = 0; at < 64 * 64; at += 1) {
    const away = Math.hypot((at % 64) - 31.5, Math.floor(at / 64) - 31.5);
    if (away < 6 || (away > 14 && away < 26)) ring.fill(0, 3 * at, 3 * at + 3);
  }
  const sent = await sharp(ring, { raw: { width: 64, height: 64, channels: 3 } })
    .png()
    .toBuffer();
  const { output } = await run('base64', {}, sent);
  expect(output.subpath_count).toBeGreaterThanOrEqual(3);
  expect(output.subpath_count).toBeLessThanOrEqual(5);
  expect(output.gradient_count).toBe(0);
});

test('a cut file is returned with its size, layers and tool travel', async () => {
  const { output, kept } = await run('base64', { ...CUT, format: 'dxf' });
  expect(kept[0]?.text).toMatch(/^0\r\nSECTION/);
  expect(output.svg_content).toMatch(/^<svg .*mm"/);
  expect(output).toMatchObject({ content_type: 'image/vnd.dxf', sheet: { width_mm: 80, height_mm: 60 } });
  expect(output.sheet!.cut!.travel_mm.ordered).toBeGreaterThan(0);
  expect(vectorizeImage.output.strict().safeParse(output).error).toBeUndefined();
});

test('a plot is returned with drawn length and travel, optionally as a PDF', async () => {
  const strokes = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#fff' } })
    .composite([
      { input: { create: { width: 40, height: 4, channels: 3, background: '#000' } }, left: 10, top: 18 },
    ])
    .png()
    .toBuffer();
  const { output, kept } = await run('url', { purpose: 'plot', width_mm: 80, format: 'pdf' }, strokes);
  expect(kept[0]?.text).toMatch(/^%PDF-1\.6/);
  expect(output.content_type).toBe('application/pdf');
  expect(output.sheet!.lines!.drawn_mm).toBeGreaterThan(0);
  expect(vectorizeImage.output.strict().safeParse(output).error).toBeUndefined();
});

test.each([
  [{ width_mm: 80 }, 'width_mm'],
  [{ purpose: 'print', width_mm: 0 }, 'width_mm'],
  [{ purpose: 'print', width_mm: 1e9 }, 'width_mm'],
  [{ purpose: 'print', width_mm: 80, kerf_mm: 1 }, 'kerf_mm'],
  [{ purpose: 'print', width_mm: 80, format: 'dxf' }, 'format'],
  [{ format: 'pdf' }, 'format'],
  [{ purpose: 'plot', width_mm: 80, islands: 'bridge' }, 'islands'],
  [{ purpose: 'plot', width_mm: 80, kerf_mm: 1 }, 'kerf_mm'],
])('%j is rejected, naming the field', (sent, field) => {
  const { error } = vectorizeImage.input.safeParse({ image: EXAMPLE_PNG_B64, ...sent });
  expect(error?.issues.map(({ path }) => path[0])).toContain(field);
});

test('without width_mm the width comes from the image density or defaults to 100 mm', async () => {
  const stated = await sharp(bytes).withMetadata({ density: 40 }).png().toBuffer();
  const [plain, sized] = [await run('url', { purpose: 'cut' }), await run('url', { purpose: 'cut' }, stated)];
  expect([plain.output.sheet!.width_mm, sized.output.sheet!.width_mm]).toEqual([100, 10.2]);
  expect(plain.warnings).toEqual([
    expect.stringMatching(/^The drawing is 100 mm wide, because the image states/),
  ]);
});

interface Made {
  purpose: 'screen' | 'print' | 'cut' | 'engrave' | 'plot';
  width_mm?: number;
  kerf_mm: number;
  islands: 'keep' | 'bridge';
  bridge_mm: number;
  format: 'svg' | 'dxf' | 'pdf';
}
const SCREEN: Made = { purpose: 'screen', kerf_mm: 0, islands: 'keep', bridge_mm: 2, format: 'svg' };
const CUT: Made = { ...SCREEN, purpose: 'cut', width_mm: 80, kerf_mm: 0.1 };

async function run(output: 'base64' | 'url', more: Partial<Made> = {}, sent: Buffer = bytes) {
  const kept: { text: string; type: string }[] = [];
  const warnings: string[] = [];
  const services = {
    models: { bundled: () => ({}) },
    pixels: { run: (_: string, input: VectorizeRequest) => runVectorize(input) },
    results: {
      keep: async (file: Uint8Array, type: string) => {
        kept.push({ text: Buffer.from(file).toString(), type });
        return { handle: 'result:1', url: 'http://localhost/results/1', expiresAt: new Date(0) };
      },
    },
  };
  const call = { signal: AbortSignal.timeout(20_000), warn: (text: string) => warnings.push(text) };
  const wanted = {
    image: { ...image, bytes: sent },
    mode: 'color',
    color_precision: 6,
    filter_speckle: 1,
    gradients: true,
    max_nodes: 1000,
    force: false,
    keep: 'all',
    keep_location: false,
    output,
    ...SCREEN,
    ...more,
  } as const;
  return { output: await vectorizeImage.run(wanted, services as never, call as never), kept, warnings };
}
