import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { describe, expect, test } from 'vitest';
import { runPreflight } from '../../src/core/workers/run_preflight.ts';
import { needs } from '../support/test_requirements.ts';
import { writePdf } from '../support/write_pdf.ts';

const PROFILE = new URL('../../src/features/print/profiles/shipped/coated_fogra39.icc', import.meta.url);
const press = { name: 'coated_fogra39', path: fileURLToPath(PROFILE), registered: 'FOGRA39' };

async function fixed(bytes: Uint8Array, hasOutlines: boolean) {
  const { repair } = await runPreflight({ bytes, standard: 'claimed', repairFor: press, hasOutlines });
  const rules = repair!.after?.findings.map(({ rule }) => rule) ?? [];
  return { ...repair!, bytes: repair!.bytes!, rules };
}

const FONTS =
  '/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding >> /G << /Type /Font /Subtype /Type1 /BaseFont /Courier-Bold >> >>';
const FILLED = '1 0 0 rg 0 0 300 30 re f';
const page = (content: string, resources = FONTS, objects: string[] = []) =>
  writePdf('none', { content: `${FILLED} ${content}`, resources, objects });

const SET: Readonly<Record<string, string>> = {
  'lines and spaces':
    "0 g BT /F 16 Tf 18 TL 1 Tc 4 Tw 30 120 Td (Two words) Tj T* (and a line) Tj (third) ' ET",
  'kerning, stretch and rise': '0 g BT /F 18 Tf 80 Tz 30 90 Td [(AV) 120 (AT) -300 (AR)] TJ 5 Ts (up) Tj ET',
  'a matrix, turned': '0 g BT /G 20 Tf 0.8 0.6 -0.6 0.8 90 60 Tm (turned) Tj ET',
  'filled and stroked': '0 0.5 0 rg 0 0 1 RG 0.6 w BT /F 40 Tf 2 Tr 40 90 Td (Edge) Tj ET',
  'states within states':
    '0 g BT /F 16 Tf ET q BT /G 12 Tf 30 120 Td (inner) Tj ET Q BT 30 90 Td (outer) Tj ET',
  'a small scale': 'q 0.001 0 0 0.001 0 0 cm 0 g BT /F 20000 Tf 30000 90000 Td (Scaled) Tj ET Q',
};

test.each(Object.entries(SET))('text is converted to outlines without fonts: %s', async (_name, content) => {
  const { bytes, changes, left, rules } = await fixed(page(content), true);
  expect([left, changes.at(-1)]).toEqual([[], expect.stringContaining('Text was converted to outlines')]);
  expect(rules).not.toContain('content_broken');
  expect(Buffer.from(bytes).includes('/FontFile')).toBe(false);
});

describe('as poppler draws it', needs('pdftoppm'), () => {
  test.each(Object.entries(SET))('outlines lie where the text lay: %s', async (_name, content) => {
    const bytes = page(content);
    const [text, outlines] = [
      await drawn((await fixed(bytes, false)).bytes),
      await drawn((await fixed(bytes, true)).bytes),
    ];
    const [ink, difference] = text.reduce(
      ([ink, difference], grey, at) => [ink + 255 - grey, difference + Math.abs(grey - outlines[at]!)],
      [0, 0] as [number, number],
    );
    expect(ink).toBeGreaterThan(0);
    expect(difference / ink).toBeLessThan(0.08);
  });
});

describe('fonts that Ghostscript embeds', needs('Ghostscript'), () => {
  test.each([
    ['Type 1 as CFF', '-dEmbedAllFonts=true'],
    ['Type 1 as it is', '-dCompressFonts=false'],
  ])('%s becomes outlines', async (_name, option) => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-embedded-'));
    const program =
      '/NimbusRoman-Regular findfont 24 scalefont setfont 60 60 moveto (Embedded fi) show showpage';
    writeFileSync(join(folder, 'a.ps'), `%!PS\n<</NeverEmbed []>> setdistillerparams ${program}`);
    execFileSync('gs', [
      '-q',
      '-dNOPAUSE',
      '-dBATCH',
      '-sDEVICE=pdfwrite',
      option,
      `-sOutputFile=${join(folder, 'a.pdf')}`,
      join(folder, 'a.ps'),
    ]);
    const sent = readFileSync(join(folder, 'a.pdf'));
    const { bytes, changes } = await fixed(sent, true);
    expect(sent.includes('/FontFile')).toBe(true);
    expect([Buffer.from(bytes).includes('/FontFile'), changes.at(-1)]).toEqual([
      false,
      expect.stringContaining('outlines'),
    ]);
  });
});

test.each([
  ['it clips', page('BT /F 40 Tf 7 Tr 30 90 Td (clip) Tj ET 9 9 90 90 re f'), 'as a clipping path'],
  [
    'a form inherits its font',
    writePdf('none', {
      content: `${FILLED} BT /F 18 Tf 30 100 Td (a) Tj ET /X Do`,
      resources: `${FONTS} /XObject << /X 20 0 R >>`,
      objects: [{ entries: '/Subtype /Form /BBox [0 0 300 200]', data: 'BT 30 50 Td (z) Tj ET' }],
    }),
    'uses the font of its page',
  ],
  [
    'its font is not in the file',
    page(
      'BT /F 18 Tf 30 100 Td (a) Tj ET',
      '/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Symbol >> >>',
    ),
    'has no glyph widths',
  ],
])(
  'text that cannot be converted to outlines stays text, with a reason: %s',
  async (_name, bytes, reason) => {
    const { left, changes } = await fixed(bytes, true);
    expect(left.join(' ')).toContain(reason);
    expect(changes.join(' ')).not.toContain('Text was converted to outlines');
  },
);

const LYING = (data: string) =>
  writePdf('none', {
    content: `${FILLED} 0 g BT /F 18 Tf 30 100 Td (abc) Tj ET`,
    resources: '/Font << /F 20 0 R >>',
    objects: [
      '<< /Type /Font /Subtype /TrueType /BaseFont /AAAAAA+Lie /FirstChar 97 /LastChar 99 /Widths [500 500 500] /FontDescriptor << /Type /FontDescriptor /FontName /AAAAAA+Lie /Flags 4 /FontFile2 21 0 R >> >>',
      { entries: '', data },
    ],
  });

test.each([
  ['no font at all', 'glyphs'],
  [
    'a table that begins behind its end',
    `\u0000\u0001\u0000\u0000\u0000\u0001\u0000\u0010\u0000\u0000\u0000\u0000glyf\u0000\u0000\u0000\u0000\u007f\u007f\u007f\u007f\u007f\u007f\u007f\u007f`,
  ],
  ['65,535 tables', `\u0000\u0001\u0000\u0000${'\u007f'.repeat(2000)}`],
])('a font that lies keeps its text as text: %s', async (_name, data) => {
  const { bytes, left } = await fixed(LYING(data), true);
  expect(left.join(' ')).toContain('AAAAAA+Lie');
  expect(Buffer.from(bytes).includes('/FontFile2')).toBe(true);
});

/** Grey pixels of a page at 216 dpi. */
async function drawn(bytes: Uint8Array): Promise<Buffer> {
  const path = join(mkdtempSync(join(tmpdir(), 'atelier-outlines-')), 'page');
  writeFileSync(`${path}.pdf`, bytes);
  execFileSync('pdftoppm', [
    '-r',
    '216',
    '-gray',
    '-png',
    '-freetype',
    'yes',
    '-singlefile',
    `${path}.pdf`,
    path,
  ]);
  return sharp(readFileSync(`${path}.png`))
    .greyscale()
    .blur(3)
    .raw()
    .toBuffer();
}
