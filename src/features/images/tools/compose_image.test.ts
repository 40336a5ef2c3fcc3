import { expect, test } from 'vitest';
import { runCompose } from '../../../core/workers/run_compose.ts';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';
import { imagesIn, withImages } from '../../definitions/images_in.ts';
import type { CallContext } from '../../definitions/tool.ts';
import { composeImage } from './compose_image.ts';

const BYTES = Buffer.from(EXAMPLE_PNG_B64, 'base64');
const picture = { bytes: BYTES, format: 'png' as const, width: 16, height: 12 };

/** The tool with the engine in this process, and every image the example. */
async function compose(sent: object) {
  const parsed = composeImage.input.parse(sent) as Record<string, unknown>;
  const places = imagesIn([], parsed).map(({ name }) => [name, picture] as const);
  const input = withImages(parsed, new Map(places));
  const warnings: string[] = [];
  const call = {
    signal: new AbortController().signal,
    onProgress() {},
    warn: (message: string) => warnings.push(message),
  } as unknown as CallContext;
  const services = {
    pixels: { run: (_: string, request: Parameters<typeof runCompose>[0]) => runCompose(request) },
    results: { keep: async () => ({ handle: 'result:r1', url: 'https://here/r1' }) },
  };
  const answer = await composeImage.run(input as never, services as never, call);
  return { answer, warnings };
}
const canvas = { width: 200, height: 100 };

test('layers are placed by box, by gravity and by layout', async () => {
  const { answer, warnings } = await compose({
    canvas,
    layers: [
      { type: 'image', image: 'upload:a', box: { x: 10, y: 10, width: 32, height: 30 } },
      { type: 'qr', text: 'https://example.com', gravity: 'southeast', margin: 5, width: 60 },
      { type: 'image', image: 'upload:a', name: 'Flows' },
    ],
    layout: { type: 'row', padding: 0 },
  });
  expect(answer.layers.map(({ box }) => box)).toEqual([
    { x: 10, y: 13, width: 32, height: 24 },
    { x: 135, y: 35, width: 60, height: 60 },
    { x: 34, y: 0, width: 133, height: 100 },
  ]);
  expect(answer).toMatchObject({ width: 200, height: 100, format: 'png', dpi: 96 });
  expect(warnings).toEqual(['layers.1: A module of the QR code is one pixel; make it wider.']);
});

test('a canvas in millimetres has the pixels of its density', async () => {
  const sent = { canvas: { width: 25.4, height: 12.7, unit: 'mm' }, layers: [{ type: 'text', text: 'mm' }] };
  expect((await compose(sent)).answer).toMatchObject({ width: 300, height: 150, dpi: 300 });
});

test('images of groups are found, and groups in groups drawn', async () => {
  const inner = { type: 'group', layers: [{ type: 'image', image: 'upload:a' }], opacity: 0.5 };
  const { answer } = await compose({ canvas, layers: [{ type: 'group', layers: [inner] }] });
  expect(answer.layers.map(({ layer }) => layer)).toEqual([
    'layers.0',
    'layers.0.layers.0',
    'layers.0.layers.0.layers.0',
  ]);
});

test('ignored fields, missing glyphs and text that does not fit are reported', async () => {
  const { answer, warnings } = await compose({
    canvas,
    layers: [
      { type: 'text', text: 'ꦄ much too long for its box', size: 60, fit: false, font: 'Arial', filter: 'x' },
    ],
  });
  expect(answer.layers[0]!.missing_glyphs).toEqual(['ꦄ']);
  expect(warnings.join('\n')).toMatch(
    /"filter" was ignored[\s\S]*No font here has ꦄ[\s\S]*not fit[\s\S]*Arial is not/,
  );
});

test.each<[object, RegExp]>([
  [{ layers: [{ type: 'image' }] }, /layers.0: a layer of type image needs image/],
  [{ layers: [{ type: 'text', text: 'a', font: 'Nowhere Sans' }] }, /layers.0: font: there is no family/],
  [{ layers: [{ type: 'text', text: 'a'.repeat(10_000) }] }, /layers.0: text has 10000 characters/],
  [{ layers: [{ type: 'qr', text: 'a'.repeat(4000) }] }, /layers.0: text has 4000 bytes/],
  [
    { layers: [{ type: 'shape', shape: 'rect', box: { x: 0, y: 0, width: 0, height: 5 } }] },
    /at least 1 × 1/,
  ],
  [{ layers: [{ type: 'shape', shape: 'path', path: '<svg>' }] }, /layers.0: path has no command/],
  [
    { canvas: { width: 1000, height: 1000, unit: 'mm' }, layers: [{ type: 'text', text: 'a' }] },
    /139\d* ?|megapixels/,
  ],
])('%j is refused in words', async (sent, message) => {
  await expect(compose({ canvas, ...sent })).rejects.toThrow(message);
});

test('more layers than the limit are refused, those in groups included', async () => {
  const text = { type: 'text', text: 'a' };
  const group = { type: 'group', layers: Array.from({ length: 60 }, () => text) };
  await expect(compose({ canvas, layers: [group, group] })).rejects.toThrow(/122 layers/);
  expect(composeImage.input.safeParse({ canvas, layers: Array(101).fill(text) }).success).toBe(false);
});
