import { readFileSync } from 'node:fs';
import { linkToPress } from '@atelier/imaging/color/press_link.ts';
import { openPressProfile } from '@atelier/imaging/color/press_profile.ts';
import { createDocumentCache, interpretPage } from '@atelier/imaging/preflight/content/interpret.ts';
import type { Mark } from '@atelier/imaging/preflight/content/mark.ts';
import { PdfDocument } from '@atelier/imaging/preflight/pdf/document.ts';
import { readPages } from '@atelier/imaging/preflight/pdf/pages.ts';
import { preflightFile } from '@atelier/imaging/preflight/preflight_file.ts';
import { unlimitedBudget } from '@atelier/imaging/preflight/work_budget.ts';
import { planSheet } from '@atelier/imaging/print/plan_sheet.ts';
import { vectorSheet } from '@atelier/imaging/print/vector/vector_sheet.ts';
import { expect, test } from 'vitest';
import { DECODER_RESOURCES } from '../support/decoder_resources.ts';
import { textResources } from '../support/text_resources.ts';
import { writePdf } from '../support/write_pdf.ts';

const profile = readFileSync(
  new URL('../../src/features/print/profiles/shipped/coated_fogra39.icc', import.meta.url),
);
const fromSrgb = linkToPress(openPressProfile(profile), {
  intent: 'relative',
  blackPointCompensation: true,
  keepsBlack: true,
});

/** On a card of 90 × 55 mm with 3 mm of bleed. */
function sheetOf(file: string | Uint8Array, fit: 'cover' | 'contain' = 'cover') {
  const plan = planSheet(
    { width: 900, height: 550 },
    { trimMm: { width: 90, height: 55 }, bleedMm: 3, dpi: 300, fit, orientation: 'as_given' },
  );
  return vectorSheet(
    typeof file === 'string' ? Buffer.from(file) : file,
    {
      plan,
      hasMarks: true,
      condition: { name: 'Coated FOGRA39', profile, registered: 'FOGRA39' },
      fromSrgb,
      software: 'Atelier',
      title: 'Card',
      createdAt: '2026-11-27T12:00:00Z',
      documentId: '00000000-0000-4000-8000-000000000000',
    },
    { ...DECODER_RESOURCES, readFont: textResources.readFont },
  );
}

async function live(file: string | Uint8Array, fit?: 'cover' | 'contain') {
  const sheet = await sheetOf(file, fit);
  if (typeof sheet === 'string') throw new Error(sheet);
  return sheet;
}

function marksOf(bytes: Uint8Array): Mark[] {
  const document = new PdfDocument(bytes, unlimitedBudget());
  const marks: Mark[] = [];
  interpretPage(document, readPages(document).pages[0]!, {
    shared: createDocumentCache(),
    onProblem: (text) => expect.unreachable(text),
    onMark: (mark) => mark.paint.space.inks?.[0] !== 'All' && marks.push(mark),
  });
  return marks;
}

const svg = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" width="90mm" height="55mm" viewBox="0 0 900 550">${content}</svg>`;
const GROUND = '<rect width="900" height="550" fill="#e4572e"/>';
const inksIn = async (content: string) =>
  marksOf((await live(svg(content))).bytes).map(({ paint }) => paint.space.inks?.[0] ?? paint.space.family);

test('the sheet of an SVG is an error-free PDF/X-4 with filled bleed', async () => {
  const { bytes, findings } = await live(svg(`${GROUND}<text x="100" y="300" font-size="90">Card</text>`));
  const { counts, claimed } = await preflightFile({ bytes, standard: 'claimed' });
  expect([claimed, counts.error, findings]).toEqual(['PDF/X-4', 0, []]);
  const { bleed } = readPages(new PdfDocument(bytes, unlimitedBudget())).pages[0]!;
  expect(Math.min(...marksOf(bytes).map(({ box }) => box.left))).toBeCloseTo(bleed!.left, 3);
});

test('black text and shapes stay vector in pure black ink', async () => {
  const marks = marksOf((await live(svg('<text x="100" y="300" font-size="90">Card</text>'))).bytes);
  expect(marks.length).toBeGreaterThan(0);
  for (const { kind, paint } of marks) expect([kind, ...paint.values]).toEqual(['fill', 0, 0, 0, 1]);
});

test.each([
  ['an id', '<path id="CutContour" d="M9 9h99" stroke="#f0f"/>', 'CutContour'],
  ['a class', '<path class="a cutcontour" d="M9 9h99" stroke="#f0f"/>', 'CutContour'],
  ['a label of Inkscape', '<g inkscape:label="White"><rect width="9" height="9"/></g>', 'White'],
  ['data-spot', '<circle data-spot="Pantone 185 C" r="99" fill="#e4002b"/>', 'Pantone 185 C'],
])('a spot colour named by %s has its own plate', async (_, element, ink) => {
  const { spots, bytes } = await live(svg(element));
  expect(spots).toEqual([ink]);
  expect(marksOf(bytes).some(({ paint }) => paint.space.inks?.[0] === ink)).toBe(true);
});

test('a cut line overprints the artwork, once and last', async () => {
  const { bytes } = await live(svg(`<path id="CutContour" d="M9 9h99" stroke="#f0f" fill="none"/>${GROUND}`));
  const marks = marksOf(bytes);
  const cuts = marks.filter(({ paint }) => paint.space.inks?.[0] === 'CutContour');
  expect(cuts).toEqual([marks.at(-1)]);
  expect(cuts[0]).toMatchObject({ overprint: true, overprintMode: 1 });
});

test('gradients, clips, opacity and images are converted to inks', async () => {
  const dot =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
  const families = await inksIn(
    `<defs><linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="blue" stop-opacity="0"/></linearGradient><clipPath id="c"><circle r="99"/></clipPath></defs><rect width="99" height="99" fill="url(#g)"/><g clip-path="url(#c)" opacity=".5"><rect width="50" height="50" fill="lime"/></g><image width="50" height="50" href="data:image/png;base64,${dot}"/>`,
  );
  expect(new Set(families)).toEqual(new Set(['DeviceCMYK']));
});

test.each([
  ['a script', '<script>alert(1)</script>', /script/],
  ['an event handler', '<rect width="9" height="9" onclick="a()"/>', /event handlers/],
  ['HTML', '<foreignObject width="9" height="9"><p/></foreignObject>', /foreignObject/],
  ['a linked image', '<image width="9" height="9" href="https://a.example/b.png"/>', /links to an image/],
  ['parts of another file', '<use xlink:href="other.svg#a"/>', /another file/],
  [
    'a spot colour that is a process ink',
    '<rect data-spot="Cyan" width="9" height="9"/>',
    /not a valid spot colour/,
  ],
])('an SVG with %s is rejected with the name of the feature', async (_, content, reason) => {
  await expect(sheetOf(svg(content))).rejects.toMatchObject({
    code: 'unsuitable_image',
    message: expect.stringMatching(reason),
  });
});

test.each([
  [
    'filters',
    '<filter id="f"><feGaussianBlur stdDeviation="3"/></filter><rect filter="url(#f)" width="99" height="99"/>',
    'it has filters',
  ],
  [
    'a repeating gradient',
    '<linearGradient id="g" spreadMethod="repeat"><stop stop-color="red"/><stop offset=".1" stop-color="blue"/></linearGradient><rect width="99" height="99" fill="url(#g)"/>',
    'a gradient is repeated or reflected',
  ],
])('an SVG with %s is rasterised with a reason', async (_, content, reason) => {
  expect(await sheetOf(svg(content))).toBe(reason);
});

test.each([
  ['a million lines', `<path d="M0 0${'l1 1-1 1'.repeat(400_000)}"/>`],
  [
    'parts that use each other',
    `<defs><g id="a0"><rect width="1" height="1"/></g>${Array.from({ length: 18 }, (_, at) => `<g id="a${at + 1}"><use xlink:href="#a${at}"/><use xlink:href="#a${at}" x="1"/></g>`).join('')}</defs><use xlink:href="#a18"/>`,
  ],
])('an SVG with %s is rejected as too complex', async (_, content) => {
  await expect(sheetOf(svg(content))).rejects.toMatchObject({
    code: expect.stringMatching(/unsuitable|undecodable/),
  });
});

test('fit contain mirrors nothing', async () => {
  const square =
    '<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"><rect width="99" height="99"/></svg>';
  expect(marksOf((await live(square, 'contain')).bytes)).toHaveLength(1);
});

test('an RGB PDF keeps live text and its colours become inks', async () => {
  const bytes = writePdf('none', {
    content: '1 0 0 rg 0 0 300 200 re f 0 g BT /F 20 Tf 100 100 Td (Text) Tj ET',
    resources:
      '/Font << /F << /Type /Font /Subtype /TrueType /BaseFont /Sans /FontDescriptor << /FontFile2 20 0 R >> >> >>',
    objects: [{ entries: '', data: 'glyphs' }],
  });
  const marks = marksOf((await live(bytes)).bytes);
  expect(marks.filter(({ kind }) => kind === 'text').length).toBeGreaterThan(0);
  expect(new Set(marks.map(({ paint }) => paint.space.basis))).toEqual(new Set(['cmyk', 'gray']));
});

test('a standard font that is not embedded is replaced on a live sheet, and the sheet says so', async () => {
  const { bytes, notes } = await live(
    writePdf('none', {
      content: 'BT /F 20 Tf 100 100 Td (Text) Tj ET',
      resources: '/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>',
    }),
  );
  const [text] = marksOf(bytes).filter(({ kind }) => kind === 'text');
  expect([text!.font!.isEmbedded, notes]).toEqual([true, [expect.stringContaining('drawn with Arimo')]]);
});

test.each([
  ['encrypted', { trailer: '/Encrypt << /Filter /Standard /V 1 /R 2 >>' }, 'it is encrypted'],
  ['with layers', { catalog: '/OCProperties << /OCGs [] /D << >> >>' }, 'it has layers, which may be hidden'],
  [
    'without a font that nothing replaces',
    {
      content: 'BT /F 20 Tf 100 100 Td (Text) Tj ET',
      resources: '/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Symbol >> >>',
    },
    'its font Symbol is not embedded and was not replaced: no available font has its widths',
  ],
])('a PDF (%s) is rasterised with a reason', async (_, change, reason) => {
  expect(await sheetOf(writePdf('none', change))).toBe(reason);
});
