import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inflateSync } from 'node:zlib';
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';
import { expect, test } from 'vitest';
import { DECODER_RESOURCES } from '../../../../../tests/support/decoder_resources.ts';
import { textResources } from '../../../../../tests/support/text_resources.ts';
import { decodeRaster, readRaster } from '../../codecs/read_raster.ts';
import { sharp } from '../../codecs/sharp.ts';
import { computeLink } from '../../color/color_link.ts';
import { decodePdf } from '../../decoders/pdf.ts';
import { decodeSvg } from '../../decoders/svg.ts';
import { withAlpha } from '../../editor/rows.ts';
import { type CompositionRequest, composePicture } from '../compose_picture.ts';
import type { Layer } from '../layers.ts';
import type { PageInks } from './page_inks.ts';

/** The types of the package omit its memory. */
type Pdfium = WrappedPdfiumModule & {
  readonly pdfium: { readonly HEAPU8: Uint8Array; readonly wasmExports: { malloc(bytes: number): number } };
};

const wasmBinary = readFileSync(createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm'));

/** The text of the first page of a PDF, extracted by PDFium. */
async function pdfText(file: Uint8Array): Promise<string> {
  const library = (await init({
    wasmBinary: wasmBinary.buffer as ArrayBuffer,
  } as never)) as unknown as Pdfium;
  const { pdfium } = library;
  library.PDFiumExt_Init();
  const start = pdfium.wasmExports.malloc(file.length);
  pdfium.HEAPU8.set(file, start);
  const text = library.FPDFText_LoadPage(
    library.FPDF_LoadPage(library.FPDF_LoadMemDocument(start, file.length, ''), 0),
  );
  const count = library.FPDFText_CountChars(text);
  const out = pdfium.wasmExports.malloc(2 * count + 2);
  library.FPDFText_GetText(text, 0, count, out);
  return Buffer.from(pdfium.HEAPU8.slice(out, out + 2 * count)).toString('utf16le');
}

/** A gradient shown at 60 × 40 px, with 20 times the resolution. */
const ramp = await sharp(
  Uint8Array.from({ length: 3 * 60 * 40 }, (_, at) => [(at / 3) % 60, Math.floor(at / 180), 90][at % 3]! * 4),
  { raw: { width: 60, height: 40, channels: 3 } },
)
  .resize(600, 400)
  .png()
  .toBuffer();
const resources = {
  ...textResources,
  readImage: async (bytes: Uint8Array) => ({ raster: withAlpha(await readRaster(bytes)), warnings: [] }),
};
const canvas = { width: 200, height: 150, dpi: 96, background: '#f4f1ea' };
const LAYERS: readonly Layer[] = [
  { type: 'image', image: 'ramp', box: { x: 5, y: 5, width: 60, height: 60 }, fit: 'cover', radius: 12 },
  {
    type: 'shape',
    shape: 'ellipse',
    box: { x: 70, y: 5, width: 60, height: 40 },
    fill: 'rgb(200 0 0 / 50%)',
  },
  {
    type: 'shape',
    shape: 'rect',
    box: { x: 90, y: 20, width: 60, height: 40 },
    fill: '#3070c0',
    blend: 'multiply',
  },
  { type: 'qr', text: 'https://example.com', box: { x: 140, y: 5, width: 58, height: 58 } },
  { type: 'text', text: 'Office, live', box: { x: 5, y: 70, width: 120, height: 30 }, color: '#14213d' },
  {
    type: 'group',
    box: { x: 130, y: 80, width: 60, height: 60 },
    rotate: 20,
    opacity: 0.5,
    layers: [{ type: 'shape', shape: 'rect', box: { x: 0, y: 0, width: 60, height: 60 }, fill: 'black' }],
  },
  {
    type: 'text',
    text: 'Shadow 🎉',
    box: { x: 5, y: 105, width: 120, height: 40 },
    shadow: { x: 2, y: 2, blur: 4 },
  },
];

const compose = (format: CompositionRequest['format'], more: Partial<CompositionRequest> = {}) =>
  composePicture({ canvas, layers: LAYERS, images: { ramp }, format, ...more }, resources);

/** Mean difference in levels, and the share of samples that differ by more than 48. */
async function compared(format: 'svg' | 'pdf', more: Partial<CompositionRequest> = {}) {
  const { bytes } = await compose(format, more);
  const drawn =
    format === 'svg'
      ? await decodeSvg(bytes, { resources: DECODER_RESOURCES })
      : await decodePdf(bytes, { resources: DECODER_RESOURCES, dpi: 96 });
  const { width, height, channels, data } = drawn;
  const seen = await decodeRaster(sharp(data, { raw: { width, height, channels } }).removeAlpha());
  const wanted = await decodeRaster(sharp((await compose('png', more)).bytes).removeAlpha());
  const off = seen.data.map((value, at) => Math.abs(value - wanted.data[at]!));
  const mean = off.reduce((sum, value) => sum + value, 0) / off.length;
  return { mean, edges: off.filter((value) => value > 48).length / off.length };
}

test.each(['svg', 'pdf'] as const)('%s renders like the raster composition', async (format) => {
  const { mean, edges } = await compared(format);
  expect(mean).toBeLessThan(3);
  expect(edges).toBeLessThan(0.02);
});

const text = (words: string): Partial<CompositionRequest> => ({ layers: [{ type: 'text', text: words }] });

test.each([
  ['ligatures', 'Office waffle'],
  ['accents', 'Žluťoučký kůň'],
  ['right to left', 'שלום עולם'],
  ['letters that join', 'مرحبا بالعالم 2026'],
  ['Thai', 'ภาษาไทย'],
  ['Japanese', '日本語テキスト'],
])('PDF text can be extracted: %s', async (_, words) => {
  const { bytes } = await compose('pdf', text(words));
  expect((await pdfText(bytes)).replaceAll('\r\n', ' ')).toBe(words);
});

test('text is extracted in layer order', async () => {
  const { bytes } = await compose('pdf');
  expect((await pdfText(bytes)).split('\r\n')[0]).toBe('Office, live');
});

test.each(['svg', 'pdf'] as const)(
  'a layer with operations or a mask is rasterised in a %s',
  async (format) => {
    const mask = { shape: 'ellipse', radius: 0, invert: false, feather: 4 } as const;
    const layers: readonly Layer[] = [
      { ...LAYERS[0]!, mask } as Layer,
      { ...LAYERS[4]!, operations: [{ op: 'opacity', value: 0.5 }] } as Layer,
      { ...LAYERS[5]!, mask } as Layer,
    ];
    const { mean } = await compared(format, { layers });
    expect(mean).toBeLessThan(1.5);
  },
);

test('fonts are embedded as subsets', async () => {
  const { bytes } = await compose('pdf', text('Abc'));
  expect(bytes.length).toBeLessThan(12_000);
  expect(Buffer.from(bytes).toString('latin1')).toMatch(/\/FontName \/[A-Z]{6}\+inter-latin-400-normal/);
});

test.each([
  ['pdf', '/Rect [12 12 36 24] /Border [0 0 0] /A << /S /URI /URI (https://example.com/?a=\\(1\\)&b=2) >>'],
  [
    'svg',
    '<a href="https://example.com/?a=(1)&#38;b=2"><rect x="10" y="60" width="40" height="20" fill="none" pointer-events="all"/></a>',
  ],
] as const)('a layer in a group can link to a URL in a %s', async (format, link) => {
  const address = 'https://example.com/?a=(1)&b=2';
  const layer: Layer = {
    ...({ type: 'shape', shape: 'rect', fill: 'red', link_to: address } as const),
    box: { x: 10, y: 60, width: 40, height: 20 },
  };
  const group: Layer = { type: 'group', box: { x: 10, y: 0, width: 90, height: 100 }, layers: [layer] };
  const page = { width: 100, height: 100, dpi: 120, background: 'white' };
  const { bytes } = await compose(format, { layers: [group], canvas: page });
  expect(Buffer.from(bytes).toString('latin1')).toContain(link);
});

test('page size and bleed are written in points', async () => {
  const page = { width: 600, height: 300, dpi: 300, background: 'white', bleed: 50 };
  const { bytes } = await compose('pdf', { ...text('Abc'), canvas: page });
  const file = Buffer.from(bytes).toString('latin1');
  expect(file).toContain('/MediaBox [0 0 168 96] /BleedBox [0 0 168 96] /TrimBox [12 12 156 84]');
});

test('the background extends into the bleed', async () => {
  const page = { width: 100, height: 100, dpi: 72, background: '#ff0000', bleed: 10 };
  const { bytes } = await compose('pdf', { layers: [LAYERS[1]!], canvas: page });
  const { data, width } = await decodePdf(bytes, { resources: DECODER_RESOURCES, dpi: 72 });
  expect([width, ...data.subarray(0, 3)]).toEqual([120, 255, 0, 0]);
});

test('a PDF of sheets has one page per sheet and stores a shared image once', async () => {
  const card = { width: 40, height: 30, dpi: 72, background: '#00ff00' };
  const plan = {
    sheet: { width: 100, height: 80 },
    cells: [
      { left: 10, top: 10, width: 40, height: 30 },
      { left: 50, top: 10, width: 40, height: 30 },
    ],
    marks: [],
  };
  const layers: readonly Layer[] = [{ type: 'image', image: 'ramp', width: 20 }];
  const documents = ['a', 'b', 'c'].map((path) => ({ path, layers }));
  const { bytes, pages } = await compose('pdf', { canvas: card, layers: [], sheets: { plan, documents } });
  const file = Buffer.from(bytes).toString('latin1');
  expect([pages, file.match(/\/Type \/Page /g)?.length, file.match(/\/Width 600 /g)?.length]).toEqual([
    2, 2, 1,
  ]);
  const { data, width } = await decodePdf(bytes, { resources: DECODER_RESOURCES, dpi: 72 });
  const at = (x: number, y: number) => [...data.subarray(3 * (y * width + x), 3 * (y * width + x) + 3)];
  expect([at(5, 5), at(12, 12), at(88, 38)]).toEqual([
    [255, 255, 255],
    [0, 255, 0],
    [0, 255, 0],
  ]);
});

test('an image keeps its resolution, and cropped pixels are not in the file', async () => {
  const { bytes } = await compose('pdf', { layers: [LAYERS[0]!] });
  expect(Buffer.from(bytes).toString('latin1')).toContain('/Width 400 /Height 400');
});

/** A simulated conversion to inks: the complement of each colour, and only black for neutral colours. */
const link = computeLink(3, 5, ([red, green, blue], out) => {
  if (red === green && green === blue) out.set([0, 0, 0, 255 - red!]);
  else out.set([255 - red!, 255 - green!, 255 - blue!, 0]);
});
const inks: PageInks = {
  condition: { name: 'None', profile: Uint8Array.of(1, 2, 3) },
  drawn: link,
  photo: computeLink(3, 5, (colors, out) => out.set(colors.map((value) => 255 - value))),
};

/** Content and images of a PDF, as text. */
function streamsOf(file: Buffer): string {
  const parts: string[] = [];
  for (let at = file.indexOf('stream\n'); at >= 0; at = file.indexOf('\nstream\n', at + 1)) {
    const start = file.indexOf('\n', at + 1) + 1;
    try {
      parts.push(inflateSync(file.subarray(start, file.indexOf('\nendstream', start))).toString('latin1'));
    } catch {
      // A JPEG or a font.
    }
  }
  return parts.join('\n');
}

test('a print PDF uses only ink colours, and black text is pure black ink', async () => {
  const layers: readonly Layer[] = [
    ...LAYERS,
    { type: 'text', text: 'Ink', color: 'black', gravity: 'south' },
  ];
  const { bytes } = await composePicture(
    { canvas: { ...canvas, background: 'white' }, layers, images: { ramp }, format: 'pdf' },
    { ...resources, inks },
  );
  const file = Buffer.from(bytes);
  expect(file.toString('latin1')).not.toContain('DeviceRGB');
  expect(file.toString('latin1')).toMatch(/OutputIntents \[<< \/Type \/OutputIntent \/S \/GTS_PDFX/);
  const content = streamsOf(file);
  expect(content).not.toMatch(/ rg /);
  expect(content).toContain('0 0 0 1 k BT');
  // rgb(48 112 192), as complements.
  expect(content).toContain('0.811765 0.560784 0.247059 0 k');
});

test('text in an SVG is escaped', async () => {
  const { bytes } = await compose('svg', text('<script>alert("1")</script>\u0001'));
  const file = Buffer.from(bytes).toString();
  expect(file).not.toMatch(/<script|\u0001/);
  expect(file).toContain('aria-label="&#60;script&#62;');
});

test.each(['svg', 'pdf'] as const)('equal documents produce identical files: %s', async (format) => {
  const [one, other] = [await compose(format), await compose(format)];
  expect(Buffer.compare(one.bytes, other.bytes)).toBe(0);
});
