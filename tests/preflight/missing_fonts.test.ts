import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { describe, expect, test } from 'vitest';
import { runPreflight } from '../../src/core/workers/run_preflight.ts';
import { needs } from '../support/test_requirements.ts';
import { writePdf } from '../support/write_pdf.ts';

const PROFILE = new URL('../../src/features/print/profiles/shipped/coated_fogra39.icc', import.meta.url);
const press = { name: 'coated_fogra39', path: fileURLToPath(PROFILE), registered: 'FOGRA39' };

const textIn = (font: string, text: string, objects: string[] = []) =>
  writePdf('none', {
    content: `1 0 0 rg 0 0 300 200 re f 0 g BT /F 18 Tf 30 100 Td ${text} Tj ET`,
    resources: `/Font << /F << /Type /Font ${font} >> >>`,
    objects,
  });

async function fixed(bytes: Uint8Array) {
  const { repair } = await runPreflight({ bytes, standard: 'claimed', repairFor: press });
  const rules = repair!.after!.findings.map(({ rule }) => rule);
  return { ...repair!, bytes: repair!.bytes!, isMissing: rules.includes('font_not_embedded') };
}

const HELVETICA = '/Subtype /Type1 /BaseFont /Helvetica';
const WIN_ANSI = '/Encoding /WinAnsiEncoding';
/** Widths of Arial for the codes from 65 on: A, B, C. */
const ARIAL = '/Subtype /TrueType /BaseFont /ABCDEF+Arial,Bold /FirstChar 65 /LastChar 67';

test.each([
  ['Helvetica', HELVETICA, '(Text)', 'Helvetica was not embedded; its text is now drawn with Arimo,'],
  ['Times-Italic', '/Subtype /Type1 /BaseFont /Times-Italic', '(Text)', 'drawn with Tinos Italic,'],
  ['Courier New', '/Subtype /TrueType /BaseFont /CourierNewPS-BoldMT', '(Text)', 'drawn with Cousine Bold,'],
  [
    'Arial with its widths',
    `${ARIAL} /Widths [722 722 722] ${WIN_ANSI}`,
    '(ABC)',
    'Arial,Bold was not embedded',
  ],
  [
    'accents by name',
    `${HELVETICA} /Encoding << /Differences [65 /Lcaron /uni0444 /afii10017] >>`,
    '(ABC)',
    'Arimo',
  ],
  ['a ligature', HELVETICA, '(\\256\\257)', 'Arimo'],
  [
    'symbols of other widths',
    `${HELVETICA} ${WIN_ANSI}`,
    '(\\261 \\267)',
    'fitted to their original widths: ± ·',
  ],
])('a font that is not embedded is replaced: %s', async (_name, font, text, change) => {
  const { changes, left, isMissing } = await fixed(textIn(font, text));
  expect([changes.join(' '), left, isMissing]).toEqual([expect.stringContaining(change), [], false]);
});

test.each([
  [
    'a family without a metric-compatible font',
    '/Subtype /Type1 /BaseFont /Futura-Book',
    '(a)',
    'has its widths',
  ],
  ['a symbol font', '/Subtype /Type1 /BaseFont /ZapfDingbats', '(a)', 'has its widths'],
  ['other widths', `${ARIAL} /Widths [700 700 700] ${WIN_ANSI}`, '(A)', 'its "A" differs in width'],
  ['a letter that is missing', `${HELVETICA} ${WIN_ANSI}`, '(\\207)', 'Arimo has no "‡"'],
  [
    'codes without meaning',
    `${HELVETICA} /Encoding << /Differences [65 /g17] >>`,
    '(A)',
    'no known characters',
  ],
  [
    'an East Asian character set',
    '/Subtype /Type0 /BaseFont /Arial /Encoding /UniGB-UCS2-H /DescendantFonts [<< /Subtype /CIDFontType0 /BaseFont /Arial >>]',
    '<4e00>',
    'East Asian',
  ],
])('a font without a substitute stays and is named: %s', async (_name, font, text, reason) => {
  const { left, isMissing } = await fixed(textIn(font, text));
  expect([left.join(' '), isMissing]).toEqual([expect.stringContaining(reason), true]);
});

const MAP =
  '1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfrange <0003> <0005> <0041> endbfrange';
const composite = (widths: string) =>
  writePdf('none', {
    content: '1 0 0 rg 0 0 300 200 re f 0 g BT /F 18 Tf 30 100 Td <000300040005> Tj ET',
    resources: '/Font << /F 20 0 R >>',
    objects: [
      `<< /Type /Font /Subtype /Type0 /BaseFont /ArialMT /Encoding /Identity-H /ToUnicode 21 0 R /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /ArialMT ${widths} >>] >>`,
      { entries: '', data: MAP },
    ],
  });

test.each([
  ['one by one', '/W [3 [667 667 722]]'],
  ['in ranges', '/W [3 4 667 5 5 722]'],
])('a composite font is replaced by its ToUnicode map; its widths are given %s', async (_name, widths) => {
  const { left, isMissing } = await fixed(composite(widths));
  expect([left, isMissing]).toEqual([[], false]);
});

test.each([
  ['a million widths', `${ARIAL} /Widths [${'722 '.repeat(1_000_000)}] ${WIN_ANSI}`],
  ['widths that are no numbers', `${ARIAL} /Widths [/A (b) null] ${WIN_ANSI}`],
  ['widths beyond any paper', `${ARIAL} /Widths [1e9 -1e9 1e9] ${WIN_ANSI}`],
  ['a first code below zero', `${ARIAL} /FirstChar -900000 /Widths [722] ${WIN_ANSI}`],
  ['differences without end', `${HELVETICA} /Encoding << /Differences [${'/A '.repeat(500_000)}] >>`],
])('a hostile font ends in a repair or a reason: %s', async (_name, font) => {
  const { left, isMissing } = await fixed(textIn(font, '(ABC)'));
  expect(left.length > 0).toBe(isMissing);
});

test('a map that names every code, and a font that shows them all, end in a reason', async () => {
  const codes = Buffer.from(Uint16Array.from({ length: 65_536 }, (_, at) => at).buffer).toString('hex');
  const bytes = writePdf('none', {
    content: `1 0 0 rg 0 0 300 200 re f BT /F 9 Tf 30 100 Td <${codes}> Tj ET`,
    resources: '/Font << /F 20 0 R >>',
    objects: [
      '<< /Type /Font /Subtype /Type0 /BaseFont /ArialMT /Encoding /Identity-H /ToUnicode 21 0 R /DescendantFonts [<< /Subtype /CIDFontType2 /BaseFont /ArialMT /W [0 65535 500] >>] >>',
      { entries: '', data: '1 beginbfrange <0000> <ffff> <0000> endbfrange' },
    ],
  });
  const { left } = await fixed(bytes);
  expect(left).toEqual([expect.stringContaining('ArialMT is not embedded and was not replaced')]);
});

test('a form that shows text in the font of its page keeps the font as it is', async () => {
  const bytes = writePdf('none', {
    content: '1 0 0 rg 0 0 300 200 re f BT /F 18 Tf 30 100 Td (a) Tj ET /X Do',
    resources: `/Font << /F << /Type /Font ${HELVETICA} >> >> /XObject << /X 20 0 R >>`,
    objects: [{ entries: '/Subtype /Form /BBox [0 0 300 200]', data: 'BT 30 50 Td (z) Tj ET' }],
  });
  expect((await fixed(bytes)).left).toEqual([expect.stringContaining('a form shows text in it')]);
});

test('a font of the resources that nothing uses is left out', async () => {
  const { bytes, left } = await fixed(
    writePdf('none', {
      content: '1 0 0 rg 0 0 300 200 re f',
      resources: '/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Symbol >> >>',
    }),
  );
  expect([left, Buffer.from(bytes).includes('/Symbol')]).toEqual([[], false]);
});

describe('as poppler draws it', needs('pdftoppm'), () => {
  const STYLES = ['Helvetica', 'Helvetica-BoldOblique', 'Times-Roman', 'Times-Bold', 'Courier'];
  test.each(STYLES)('text in %s stays at its place, by the columns of ink', async (style) => {
    const bytes = writePdf('none', {
      boxes: '',
      content: `BT /F 24 Tf 20 100 Td (Hamburg & Co. 12) Tj ET`,
      resources: `/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /${style} ${WIN_ANSI} >> >>`,
    });
    const [before, after] = [await wordsOf(bytes), await wordsOf((await fixed(bytes)).bytes)];
    expect(after.length).toBe(before.length);
    for (const [at, { text, left, right }] of before.entries()) {
      expect(after[at]!.text).toBe(text);
      expect(Math.abs(after[at]!.left - left)).toBeLessThan(0.1);
      expect(Math.abs(after[at]!.right - right)).toBeLessThan(0.1);
    }
    expect(await inkOf((await fixed(bytes)).bytes)).toBeGreaterThan(0.7 * (await inkOf(bytes)));
  });
});

/** Words with their places across the trim, in points, by pdftotext. */
async function wordsOf(bytes: Uint8Array) {
  const path = join(mkdtempSync(join(tmpdir(), 'atelier-fonts-')), 'page.pdf');
  writeFileSync(path, bytes);
  const text = execFileSync('pdftotext', ['-bbox', path, '-'], { encoding: 'utf8' });
  const words = [...text.matchAll(/<word xMin="([\d.]+)".*?xMax="([\d.]+)".*?>(.*?)<\/word>/g)];
  const bleed = Number(/<page width="([\d.]+)"/.exec(text)![1]) / 2 - 150;
  return words.map(([, left, right, word]) => ({
    text: word,
    left: Number(left) - bleed,
    right: Number(right) - bleed,
  }));
}

/** Black pixels of the page at 72 dpi. */
async function inkOf(bytes: Uint8Array): Promise<number> {
  const path = join(mkdtempSync(join(tmpdir(), 'atelier-fonts-')), 'page');
  writeFileSync(`${path}.pdf`, bytes);
  execFileSync('pdftoppm', ['-r', '72', '-gray', '-png', '-singlefile', `${path}.pdf`, path]);
  const pixels = await sharp(readFileSync(`${path}.png`))
    .greyscale()
    .raw()
    .toBuffer();
  return pixels.reduce((sum, grey) => sum + 1 - grey / 255, 0);
}

test('a font whose file is empty is replaced', async () => {
  const bytes = writePdf('none', {
    content: '1 0 0 rg 0 0 300 200 re f BT /F 18 Tf 30 100 Td (a) Tj ET',
    resources: `/Font << /F << /Type /Font ${HELVETICA} /FontDescriptor << /FontFile 20 0 R >> >> >>`,
    objects: [{ entries: '/Filter /FlateDecode', data: deflateSync(Buffer.alloc(0)) }],
  });
  expect((await fixed(bytes)).changes.join(' ')).toContain('drawn with Arimo');
});
