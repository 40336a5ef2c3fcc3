import { expect, test } from 'vitest';
import { runCompose } from '../../../core/workers/run_compose.ts';
import { coerceInput } from '../../../pipeline/coerce_input.ts';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';
import { imagesIn, withImages } from '../../definitions/images_in.ts';
import type { CallContext } from '../../definitions/tool.ts';
import { createPressProfiles } from '../../print/profiles/press_profiles.ts';
import { composeImage } from './compose_image.ts';

const BYTES = Buffer.from(EXAMPLE_PNG_B64, 'base64');
const picture = { bytes: BYTES, format: 'png' as const, width: 16, height: 12 };

/** The tool with the engine in this process, and every image the example. */
async function compose(sent: object) {
  const parsed = composeImage.input.parse(coerceInput(composeImage.input, sent).sent) as Record<
    string,
    unknown
  >;
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
    manifests: {},
    pressProfiles: createPressProfiles({ folder: undefined }),
    results: {
      keep: async () => ({ handle: 'result:r1', url: 'https://here/r1', expiresAt: new Date(0) }),
      make: async (_: string, write: (path: string) => Promise<unknown>) => ({
        made: await write(''),
        handle: 'result:z1',
        url: 'https://here/z1',
        expiresAt: new Date(0),
        sizeBytes: 1,
      }),
    },
    zips: { write: (_: string, files: AsyncIterable<{ name: string }>) => Array.fromAsync(files) },
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
  expect(warnings).toEqual(['layers.1: A module of the QR code is one pixel. Send a larger width.']);
});

test('a canvas in millimetres is converted to pixels at its density', async () => {
  const sent = { canvas: { width: 25.4, height: 12.7, unit: 'mm' }, layers: [{ type: 'text', text: 'mm' }] };
  expect((await compose(sent)).answer).toMatchObject({ width: 300, height: 150, dpi: 300 });
});

test('canvas sides may include a unit', async () => {
  const layers = [{ type: 'text', text: 'x' }];
  const sent = { canvas: { width: '25.4mm', height: '1.27 cm' }, layers };
  expect((await compose(sent)).answer).toMatchObject({ width: 300, height: 150, dpi: 300 });
  expect((await compose({ canvas: { width: '90px', height: 40 }, layers })).answer).toMatchObject({
    width: 90,
  });
});

test('images inside groups are found, and nested groups are drawn', async () => {
  const inner = { type: 'group', layers: [{ type: 'image', image: 'upload:a' }], opacity: 0.5 };
  const { answer } = await compose({ canvas, layers: [{ type: 'group', layers: [inner] }] });
  expect(answer.layers.map(({ layer }) => layer)).toEqual([
    'layers.0',
    'layers.0.layers.0',
    'layers.0.layers.0.layers.0',
  ]);
});

test('aliases of masks and operations are accepted, and their images are found', async () => {
  const { answer, warnings } = await compose({
    canvas,
    layers: [
      { type: 'image', image: 'upload:a', mask: 'circle', effects: ['grayscale', { blur: 2 }] },
      { type: 'image', image: 'upload:a', mask: { type: 'oval', feather: '5%' } },
      { type: 'text', text: 'Hi', clip: { url: 'upload:m' }, ops: [{ op: 'overlay', logo: 'upload:a' }] },
    ],
  });
  expect(answer.layers[0]).toMatchObject({ applied: [{ op: 'tone', style: 'grayscale' }, { op: 'blur' }] });
  expect(answer.layers[2]).toMatchObject({ applied: [{ op: 'overlay' }] });
  expect(warnings).toEqual([]);
});

test('placeholders are filled in operations and masks', async () => {
  const layers = [
    {
      ...{ type: 'image', image: '{{photo}}', mask: { image: '{{shape}}' } },
      operations: [
        { op: 'text', text: 'No. {{number}}' },
        { op: 'overlay', image: '{{photo}}' },
      ],
    },
  ];
  const row = { photo: 'upload:a', shape: 'upload:m', number: 7 };
  const { answer } = await compose({ canvas, layers, data: [row] });
  expect(answer.layers[0]!.applied).toMatchObject([{ text: 'No. 7' }, { op: 'overlay' }]);
  await expect(compose({ canvas, layers, data: [{ photo: 'upload:a' }] })).rejects.toThrow(
    /data.0 has no text "number"; data.0 has no image "shape"/,
  );
  await expect(compose({ canvas, layers: [{ ...layers[0], image: 'upload:a' }] })).rejects.toThrow(
    /layers.0.operations.1.image is \{\{photo\}\}/,
  );
});

test('an empty value removes its text, or its image with a warning', async () => {
  const layers = [
    { type: 'image', image: '{{photo}}' },
    { type: 'text', text: 'x{{name}}', weight: 'bold' },
  ];
  const { answer, warnings } = await compose({ canvas, layers, data: [{ photo: null, name: null }] });
  expect(answer.layers).toMatchObject([{ layer: 'layers.0', type: 'text', lines: ['x'] }]);
  expect(warnings).toEqual(['data.0: "photo" is empty; the layer of this image was left out.']);
});

const tag = { width: 90, height: 55, unit: 'mm', dpi: 72 };

test('documents from data are laid out on sheets of one PDF', async () => {
  const data = Array.from({ length: 12 }, (_, at) => ({ name: `Guest ${at + 1}`, photo: 'upload:a' }));
  const layers = [
    { type: 'image', image: '{{photo}}', box: { x: '5%', y: '5%', width: '20%', height: '20%' } },
    { type: 'text', text: '{{name}}', weight: 'bold' },
  ];
  const { answer, warnings } = await compose({ canvas: tag, layers, data, sheet: 'A4', format: 'pdf' });
  expect(answer).toMatchObject({ pages: 2, width: 595, height: 842, content_type: 'application/pdf' });
  expect(answer.layers).toMatchObject([{ layer: 'layers.0' }, { layer: 'layers.1', lines: ['Guest 1'] }]);
  expect(answer.files).toBeUndefined();
  expect(warnings).toEqual([]);
});

test('a document without data fills a sheet with copies', async () => {
  const layers = [{ type: 'text', text: 'Ada', color: 'black' }];
  const { answer } = await compose({ canvas: tag, layers, paper_size: 'a4' });
  expect(answer).toMatchObject({ pages: 1, width: 595, height: 842, format: 'png' });
  expect(answer.layers).toMatchObject([{ layer: 'layers.0', lines: ['Ada'] }]);
});

test.each<[object, RegExp]>([
  [{ canvas: { ...tag, width: 300 } }, /larger than a4/],
  [{ canvas: { ...tag, bleed_mm: 3 }, format: 'pdf' }, /without room for bleed/],
  [{ data: Array(11).fill({ name: 'x' }) }, /11 documents need 2 sheets. png supports one sheet of 10/],
  [{ data: [{ nome: 'x' }] }, /data.0 has no text "name"/],
])('a sheet with %j is rejected with a clear message', async (more, message) => {
  const layers = [{ type: 'text', text: 'data' in more ? '{{name}}' : 'a' }];
  await expect(compose({ canvas: tag, layers, sheet: 'a4', ...more })).rejects.toThrow(message);
});

test('a layer links to a URL from data, converted to ASCII', async () => {
  const layers = [{ type: 'text', text: 'Menu', href: '{{page}}' }];
  const data = [{ page: 'https://müller.example/?q=ö' }];
  const { answer, warnings } = await compose({ canvas, layers, data, format: 'svg' });
  const svg = Buffer.from(answer.image_b64 as string, 'base64').toString();
  expect(svg).toContain('<a href="https://xn--mller-kva.example/?q=%C3%B6">');
  expect(warnings).toEqual([]);
  const link_to = 'javascript:alert(1)';
  await expect(compose({ canvas, layers: [{ type: 'text', text: 'a', link_to }] })).rejects.toThrow(
    /layers.0.link_to must be a URL/,
  );
});

test('a layout captions each layer without adding layers', async () => {
  const layers = ['one.jpg', 'two.jpg'].map((name) => ({ type: 'image', image: 'upload:a', name }));
  const { answer } = await compose({
    canvas,
    layers,
    layout: { captions: true, numbers: true },
    format: 'pdf',
  });
  expect(answer.layers.map(({ caption }) => caption)).toEqual(['1  one.jpg', '2  two.jpg']);
  expect(answer.pages).toBe(1);
});

test('captions are as large as their cells allow, without a warning', async () => {
  const layer = { type: 'image', image: 'upload:a', name: 'A name that is longer than its cell is wide.jpg' };
  const { warnings } = await compose({
    canvas,
    layers: [layer, layer],
    layout: { columns: 2, captions: true },
  });
  expect(warnings).toEqual([]);
});

test.each<[object, RegExp]>([
  [{ mask: {} }, /layers.0.mask needs image or shape/],
  [
    { operations: [{ op: 'crop', box: { x: 500, y: 0, width: 1, height: 1 } }] },
    /layers.0.operations.0 \(crop\)/,
  ],
  [
    { operations: [{ op: 'blur', where: 'faces' }] },
    /layers.0.operations.0 \(blur\)[\s\S]*send `where` as boxes/,
  ],
])('a layer with %j is rejected with a clear message', async (more, message) => {
  await expect(compose({ canvas, layers: [{ type: 'text', text: 'a', ...more }] })).rejects.toThrow(message);
});

test('text with operations is rasterised in a PDF, with a warning', async () => {
  const layers = [{ type: 'text', text: 'Abc', operations: [{ op: 'opacity', value: 0.5 }] }];
  const { warnings } = await compose({ canvas, layers, format: 'pdf' });
  expect(warnings).toEqual([expect.stringMatching(/^layers.0: rasterised in the pdf/)]);
});

test('the total number of operations across layers is limited', async () => {
  const operations = Array.from({ length: 50 }, () => ({ op: 'flip' }));
  const layer = { type: 'text', text: 'a', operations };
  await expect(compose({ canvas, layers: Array(5).fill(layer) })).rejects.toThrow(/250 operations in total/);
});

test('ignored fields, missing glyphs and text overflow are reported', async () => {
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
])('%j is rejected with a clear message', async (sent, message) => {
  await expect(compose({ canvas, ...sent })).rejects.toThrow(message);
});

test('more layers than the limit are rejected, including layers in groups', async () => {
  const text = { type: 'text', text: 'a' };
  const group = { type: 'group', layers: Array.from({ length: 60 }, () => text) };
  await expect(compose({ canvas, layers: [group, group] })).rejects.toThrow(/122 layers/);
  expect(composeImage.input.safeParse({ canvas, layers: Array(101).fill(text) }).success).toBe(false);
});

test.each([
  ['canvas.bleed_mm', { canvas: { ...canvas, bleed_mm: 3 }, format: 'svg' }],
  ['max_bytes', { canvas, format: 'pdf', max_bytes: 20_000 }],
  ['profile', { canvas, profile: 'coated_fogra39' }],
])('%s is rejected if the format does not support it', async (field, sent) => {
  const layers = [{ type: 'text', text: 'Abc' }];
  await expect(compose({ ...sent, layers })).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining(field),
  });
});

test('a PDF for print names its output profile', async () => {
  const sent = { canvas, layers: [{ type: 'text', text: 'Abc' }], format: 'pdf', press: 'Fogra 39' };
  expect((await compose(sent)).answer.profile_name).toContain('FOGRA39');
});

test.each([
  ['pdf', 'application/pdf'],
  ['svg', 'image/svg+xml'],
])('a document is written as %s', async (format, type) => {
  const { answer } = await compose({ canvas, layers: [{ type: 'text', text: 'Abc' }], format });
  expect(answer).toMatchObject({ format, content_type: type, width: 200, height: 100 });
});

const tags = (data: unknown, more: object = {}) =>
  compose({ canvas, layers: [{ type: 'text', text: 'Hello {{ name }}' }], data, ...more });

test('each data row becomes a document, and all documents a ZIP', async () => {
  const { answer } = await tags([{ name: 'Ada' }, { name: 'Grace' }]);
  expect(answer.files?.map(({ name }) => name)).toEqual(['001.png', '002.png']);
  expect(answer).toMatchObject({ zip: 'result:z1', layers: [{ lines: ['Hello Ada'] }] });
});

test('placeholders missing from rows are reported before anything is drawn', async () => {
  const message = 'data.1 has no text "name"; data.2 has no text "name". Layers use it as {{name}}.';
  await expect(tags([{ name: 'Ada' }, {}, { title: 'Dr' }])).rejects.toMatchObject({ message });
});

test('an image from data is inserted into the layer that references it', async () => {
  const layers = [{ type: 'image', image: '{{photo}}' }];
  const { answer } = await compose({ canvas, layers, data: [{ photo: 'upload:a' }] });
  expect(answer.layers).toMatchObject([{ type: 'image', box: { height: 100 } }]);
});

test('an image placeholder without data is rejected with a request for data', async () => {
  const layers = [{ type: 'image', image: '{{photo}}' }];
  await expect(compose({ canvas, layers })).rejects.toMatchObject({
    message: expect.stringContaining('Send data'),
  });
});

test.each(['{{name}} {{constructor}}', '$&$1 <b>', '\u202eevil'])(
  'a value is treated as plain text: %s',
  async (name) => {
    const { answer } = await tags([{ name }], { layers: [{ type: 'text', text: '{{name}}' }] });
    expect(answer.layers[0]!.lines).toEqual([name]);
  },
);

test('an empty value leaves its text empty', async () => {
  const { answer } = await tags([{ name: '' }], { layers: [{ type: 'text', text: '{{name}}' }] });
  expect(answer.layers[0]!.lines).toEqual(['']);
});

test('the total number of pixels across documents is limited', async () => {
  const data = Array.from({ length: 100 }, () => ({ name: 'Ada' }));
  const large = { canvas: { width: 3000, height: 2000 } };
  await expect(tags(data, large)).rejects.toMatchObject({
    message: expect.stringContaining('400 megapixels'),
  });
});
