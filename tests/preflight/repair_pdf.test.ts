import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { linkToPress } from '@atelier/imaging/color/press_link.ts';
import { openPressProfile } from '@atelier/imaging/color/press_profile.ts';
import { createDocumentCache, interpretPage } from '@atelier/imaging/preflight/content/interpret.ts';
import type { Mark } from '@atelier/imaging/preflight/content/mark.ts';
import { PdfDocument } from '@atelier/imaging/preflight/pdf/document.ts';
import { readPages } from '@atelier/imaging/preflight/pdf/pages.ts';
import { preflightFile } from '@atelier/imaging/preflight/preflight_file.ts';
import { repairPdf } from '@atelier/imaging/preflight/repair/repair_pdf.ts';
import { unlimitedBudget } from '@atelier/imaging/preflight/work_budget.ts';
import { describe, expect, test } from 'vitest';
import { needs } from '../support/test_requirements.ts';
import { textResources } from '../support/text_resources.ts';
import { type PdfParts, writePdf } from '../support/write_pdf.ts';
import { BROKEN_PDFS } from './broken_pdfs.ts';

const profile = readFileSync(
  new URL('../../src/features/print/profiles/shipped/coated_fogra39.icc', import.meta.url),
);
const fromSrgb = linkToPress(openPressProfile(profile), {
  intent: 'perceptual',
  blackPointCompensation: false,
  keepsBlack: true,
});
const press = {
  condition: { name: 'Coated FOGRA39', profile, registered: 'FOGRA39' },
  fromSrgb,
  linkFor: () => undefined,
  readFont: textResources.readFont,
};

async function repaired(bytes: Uint8Array) {
  const before = await preflightFile({ bytes, standard: 'claimed' });
  const repair = await repairPdf(bytes, before, press);
  const after = repair.bytes && (await preflightFile({ bytes: repair.bytes, standard: before.standard }));
  return { before, repair, after };
}

function marksOf(bytes: Uint8Array): Mark[] {
  const document = new PdfDocument(bytes, unlimitedBudget());
  const marks: Mark[] = [];
  interpretPage(document, readPages(document).pages[0]!, {
    shared: createDocumentCache(),
    onProblem: (text) => expect.unreachable(text),
    onMark: (mark) => marks.push(mark),
  });
  return marks;
}

const inRgb = (content: string, more: Partial<PdfParts> = {}) => writePdf('pdfx4', { content, ...more });
const colorsOf = async (bytes: Uint8Array) =>
  marksOf((await repaired(bytes)).repair.bytes!).map(({ paint }) => [paint.space.family, ...paint.values]);

const MENDED = [
  'font_not_embedded',
  'rgb_without_profile',
  'rgb_in_x1a',
  'output_intent_missing',
  'output_intents_many',
  'output_condition_unnamed',
  'output_profile_missing',
  'output_profile_wrong',
  'trim_box_missing',
  'trim_and_art_box',
  'boxes_not_nested',
  'crop_box_cuts',
  'bleed_too_small',
  'bleed_not_filled',
  'group_in_rgb',
  'javascript',
  'opening_action',
  'script_action',
  'embedded_files',
  'structure_broken',
  'id_missing',
  'rgb_with_profile',
  'saved_on_top',
  'total_ink',
  'much_ink',
  'image_total_ink',
  'image_much_ink',
  'objects_packed',
];

test.each(BROKEN_PDFS.filter(({ rule }) => MENDED.includes(rule)))(
  'a repair fixes a violation of $rule',
  async ({ rule, bytes, judgedBy }) => {
    const before = await preflightFile({ bytes: bytes(), standard: judgedBy });
    const repair = await repairPdf(bytes(), before, press);
    const after = await preflightFile({ bytes: repair.bytes!, standard: judgedBy });
    expect(before.findings.map((one) => one.rule)).toContain(rule);
    expect(after.findings.map((one) => one.rule)).not.toContain(rule);
  },
);

test.each(BROKEN_PDFS)('a repair of $rule introduces no other violation', async ({ bytes }) => {
  const { before, after } = await repaired(bytes());
  const known = new Set(before.findings.map((one) => one.rule));
  const worse = (after?.findings ?? []).filter(
    ({ rule, severity }) => severity !== 'info' && !known.has(rule),
  );
  expect(worse).toEqual([]);
});

test('RGB black becomes pure black ink', async () => {
  expect(await colorsOf(inRgb('0 0 0 rg 0 0 300 200 re f'))).toEqual([['DeviceCMYK', 0, 0, 0, 1]]);
});

test('existing inks are left unchanged', async () => {
  const spot =
    '[/Separation /Gold /DeviceRGB << /FunctionType 2 /Domain [0 1] /C0 [1 1 1] /C1 [1 0.8 0] /N 1 >>]';
  const bytes = inRgb(
    '0.1 0.2 0.3 0.4 k 0 0 300 200 re f /S cs 0.7 scn 0 0 300 200 re f 1 0 0 rg 9 9 9 9 re f',
    {
      resources: `/ColorSpace << /S ${spot} >>`,
    },
  );
  expect((await colorsOf(bytes)).slice(0, 2)).toEqual([
    ['DeviceCMYK', 0.1, 0.2, 0.3, 0.4],
    ['Separation', 0.7],
  ]);
});

test('RGB images, gradients and inline images are converted to CMYK', async () => {
  const bytes = inRgb(
    '0 0 0 0.5 k 0 0 300 200 re f q 50 0 0 50 50 50 cm /Im Do Q /Sh sh q 9 0 0 9 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /RGB ID abc EI Q',
    {
      resources:
        '/XObject << /Im 20 0 R >> /Shading << /Sh << /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 9 0] /Function << /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >> >> >>',
      objects: [
        {
          entries:
            '/Subtype /Image /Width 2 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /FlateDecode',
          data: deflateSync(Buffer.from([255, 0, 0, 0, 0, 0])),
        },
      ],
    },
  );
  const { repair } = await repaired(bytes);
  const spaces = marksOf(repair.bytes!).map(({ image, paint }) => (image?.space ?? paint.space).family);
  expect(spaces).toEqual(['DeviceCMYK', 'DeviceCMYK', 'DeviceCMYK', 'DeviceCMYK']);
  expect(repair.changes.join(' ')).toContain('2 images, 1 gradient');
});

test('mirrored content fills the bleed of content that ends at the trim', async () => {
  const bytes = inRgb('0 0.5 0 0 k 20 20 260 160 re f 0 1 0 0 k 20 90 10 20 re f');
  const { repair } = await repaired(bytes);
  const boxes = marksOf(repair.bytes!).map(({ box }) => box);
  expect(Math.min(...boxes.map(({ left }) => left))).toBe(10);
  expect(boxes.filter(({ left, right }) => left === 10 && right === 20).length).toBeGreaterThan(1);
});

test.each([
  ['RGB white', '1 1 1 rg', 0],
  ['inks', '0 0 0 1 k', 1],
])('overprint mode 1 of %s is kept only for inks', async (_, color, mode) => {
  const { repair } = await repaired(
    inRgb(`/G gs ${color} 9 9 90 90 re f`, {
      resources: '/ExtGState << /G << /OP true /op true /OPM 1 >> >>',
      intents: '',
    }),
  );
  expect(Buffer.from(repair.bytes!).toString('latin1')).toContain(`/OPM ${mode}`);
});

/** A rich area, a text-like stroke, a CMYK image, and a JPEG of it, with up to 400 % of ink. */
async function inkyPdf(): Promise<Uint8Array> {
  const pixels = Buffer.alloc(4 * 300 * 300, Buffer.from([255, 255, 255, 255]));
  pixels.fill(Buffer.from([40, 10, 0, 0]), pixels.length / 2);
  const raw = { width: 300, height: 300, channels: 4 } as const;
  // libvips turns CMYK round in a JPEG.
  const jpeg = await sharp(
    pixels.map((byte) => 255 - byte),
    { raw },
  )
    .pipelineColourspace('cmyk')
    .toColourspace('cmyk')
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .toBuffer();
  const size = '/Subtype /Image /Width 300 /Height 300 /BitsPerComponent 8 /ColorSpace /DeviceCMYK';
  return inRgb(
    '1 1 1 1 k 20 20 60 60 re f /DeviceCMYK CS 0.9 0.9 0.9 1 SC 100 40 40 40 re S 0.1 0.2 0 0 k 20 120 9 9 re f q 72 0 0 72 150 30 cm /A Do Q q 72 0 0 72 150 105 cm /B Do Q',
    {
      resources: '/XObject << /A 20 0 R /B 21 0 R >>',
      objects: [
        { entries: `${size} /Filter /FlateDecode`, data: deflateSync(pixels) },
        { entries: `${size} /Filter /DCTDecode`, data: jpeg },
      ],
    },
  );
}

test('fix reduces excess ink to the limit of the printing condition and changes nothing else', async () => {
  const { before, repair, after } = await repaired(await inkyPdf());
  expect([before.ink.limit.condition, before.ink.limit.percent, before.ink.mostPercent]).toEqual([
    'FOGRA39',
    330,
    400,
  ]);
  // Its profile cannot be read, so that the condition of the request takes its place, which is made for 300 %.
  expect([after!.ink.limit.percent, after!.ink.mostPercent! <= 300]).toEqual([300, true]);
  expect(after!.findings.filter(({ rule }) => /ink/.test(rule))).toEqual([]);
  expect(repair.changes.join(' ')).toContain('reduced to the 300 % that FOGRA39 allows, in 4 places');
  const colors = marksOf(repair.bytes!).map(({ paint }) => paint.values);
  expect(colors).toContainEqual([0.1, 0.2, 0, 0]);
});

describe('plates', needs('Ghostscript'), () => {
  test.each([
    ['sent', 400],
    ['repaired', 300],
  ])('Ghostscript measures at most the stated ink in the file as %s: %i %%', async (which, most) => {
    const bytes = await inkyPdf();
    const { repair } = await repaired(bytes);
    const found = await mostInkOf(which === 'sent' ? bytes : repair.bytes!);
    expect(found).toBeGreaterThan(most - 5);
    expect(found).toBeLessThanOrEqual(most + 1);
  });
});

/** The most ink in one place of the first page, in per cent, by the plates of Ghostscript at 72 dpi. */
async function mostInkOf(bytes: Uint8Array): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-plates-'));
  writeFileSync(join(folder, 'page.pdf'), bytes);
  const options = ['-q', '-dNOPAUSE', '-dBATCH', '-dSAFER', '-sDEVICE=tiffsep', '-r72', '-dLastPage=1'];
  execFileSync('gs', [...options, `-sOutputFile=${join(folder, 'p%d.tif')}`, join(folder, 'page.pdf')]);
  const plates = await Promise.all(
    ['Cyan', 'Magenta', 'Yellow', 'Black'].map((ink) => {
      const name = readdirSync(folder).find((one) => one.includes(`(${ink})`))!;
      return sharp(readFileSync(join(folder, name)))
        .greyscale()
        .raw()
        .toBuffer();
    }),
  );
  let most = 0;
  for (let at = 0; at < plates[0]!.length; at += 1)
    most = Math.max(
      most,
      plates.reduce((sum, plate) => sum + 255 - plate[at]!, 0),
    );
  return (100 * most) / 255;
}

test('content with paper margins is not mirrored', async () => {
  const { repair } = await repaired(inRgb('1 0 0 rg 60 60 100 50 re f', { boxes: '' }));
  expect(repair.changes.join(' ')).not.toContain('mirror');
});

test.each([
  ['encrypted', writePdf('none', { trailer: '/Encrypt << /Filter /Standard /V 1 /R 2 >>' }), /encrypted/],
  ['a form', writePdf('none', { catalog: '/AcroForm << /Fields [<< /FT /Tx /T (a) >>] >>' }), /form fields/],
  [
    'transparency in RGB with a spot colour',
    inRgb('/S cs 1 scn 9 9 90 90 re f', {
      page: '/Group << /S /Transparency /CS /DeviceRGB >>',
      resources:
        '/ColorSpace << /S [/Separation /Gold /DeviceCMYK << /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [0 0 1 0] /N 1 >>] >>',
    }),
    /spot colour Gold/,
  ],
] as const)(
  'an unrepairable file (%s) is left unchanged and the reason is reported',
  async (_, bytes, reason) => {
    const { repair } = await repaired(bytes);
    expect(repair).toEqual({ changes: [], left: [expect.stringMatching(reason)] });
  },
);

test('a file with more than 100,000 objects is not repaired', async () => {
  const many = Array.from({ length: 100_001 }, () => '[0]');
  const catalog = `/OCProperties [${many.map((_, at) => `${20 + at} 0 R`).join(' ')}]`;
  const bytes = writePdf('none', { catalog, objects: many });
  const { repair } = await repaired(bytes);
  expect(repair).toEqual({ changes: [], left: [expect.stringContaining('too many objects')] });
});
