import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { describe, expect, test } from 'vitest';
import { runPreflight } from '../../src/core/workers/run_preflight.ts';
import { needs } from '../support/test_requirements.ts';
import { type PdfParts, type PdfStreamText, writePdf } from '../support/write_pdf.ts';

const PROFILE = new URL('../../src/features/print/profiles/shipped/coated_fogra39.icc', import.meta.url);
const press = { name: 'coated_fogra39', path: fileURLToPath(PROFILE), registered: 'FOGRA39' };
const LIMIT = 300;

async function fixed(bytes: Uint8Array) {
  const answer = await runPreflight({ bytes, standard: 'claimed', repairFor: press });
  const { repair } = answer;
  const rules = repair!.after?.findings.map(({ rule }) => rule) ?? [];
  return {
    before: answer.ink.mostPercent ?? 0,
    after: repair!.after?.ink.mostPercent ?? 0,
    left: repair!.left.join(' '),
    changes: repair!.changes.join(' '),
    bytes: repair!.bytes ?? bytes,
    isInky: rules.some((rule) => /ink$/.test(rule)),
  };
}

const page = (content: string, resources: string, objects: readonly (string | PdfStreamText)[] = []) =>
  writePdf('none', { content, resources, objects } satisfies Partial<PdfParts>);

const hex = (bytes: readonly number[]) => `<${Buffer.from(bytes).toString('hex')}>`;
const TINT = {
  entries: '/FunctionType 4 /Domain [0 1 0 1 0 1 0 1 0 1] /Range [0 1 0 1 0 1 0 1]',
  data: '{ pop }',
};
const FIVE = '[/DeviceN [/Cyan /Magenta /Yellow /Black /Gold] /DeviceCMYK 21 0 R]';

/** Pixels of 300 × 300: the upper half in one colour, the lower in another. */
const halves = (upper: readonly number[], lower: readonly number[]) =>
  Buffer.concat([upper, lower].map((pixel) => Buffer.alloc(pixel.length * 300 * 150, Buffer.from(pixel))));
const image = (space: string, bits: number, data: Uint8Array | string): Uint8Array =>
  page('q 72 0 0 72 100 60 cm /I Do Q', '/XObject << /I 20 0 R >>', [
    {
      entries: `/Subtype /Image /Width 300 /Height 300 /BitsPerComponent ${bits} /ColorSpace ${space}`,
      data,
    },
    TINT,
  ]);

const EXPONENTIAL = '<< /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [1 1 1 1] /N 1 >>';
const STITCHED = `<< /FunctionType 3 /Domain [0 1] /Bounds [0.5] /Encode [0 1 1 0] /Functions [${EXPONENTIAL} ${EXPONENTIAL}] >>`;
const ONE = '<< /FunctionType 2 /Domain [0 1] /C0 [0.5] /C1 [1] /N 1 >>';
const shaded = (shading: string, objects: readonly (string | PdfStreamText)[] = []) =>
  page('q 50 50 200 100 re W n /S sh Q', `/Shading << /S ${shading} >>`, objects);
const axial = (rest: string) => `<< /ShadingType 2 /Coords [50 0 250 0] /Extend [true true] ${rest} >>`;

/** A mesh whose numbers have 8 bits: places over the page, four inks. */
const mesh = (kind: number, entries: string, data: readonly number[]) =>
  shaded('20 0 R', [
    {
      entries: `/ShadingType ${kind} /ColorSpace /DeviceCMYK /BitsPerCoordinate 8 /BitsPerComponent 8 /Decode [0 255 0 255 ${entries}`,
      data: Uint8Array.from(data),
    },
  ]);
const INKS = '0 1 0 1 0 1 0 1]';
const FULL = [255, 255, 255, 255];
const THIN = [20, 0, 0, 0];
/** Twelve points around a square of the page. */
const EDGE = [
  [60, 60],
  [60, 80],
  [60, 120],
  [60, 140],
  [100, 140],
  [150, 140],
  [200, 140],
  [200, 120],
  [200, 80],
  [200, 60],
  [150, 60],
  [100, 60],
].flat();
const MIDDLE = [100, 80, 100, 120, 150, 120, 150, 80];

const INKY: Readonly<Record<string, Uint8Array>> = {
  'an image with a table of colours': image(
    `[/Indexed /DeviceCMYK 1 ${hex([255, 255, 255, 255, 10, 0, 0, 0])}]`,
    8,
    halves([0], [1]),
  ),
  'an image of 16 bits': image(
    '/DeviceCMYK',
    16,
    halves([255, 255, 255, 255, 255, 255, 255, 0], [9, 0, 9, 0, 0, 0, 0, 0]),
  ),
  'an image of 4 bits': image('/DeviceCMYK', 4, halves([255, 255], [16, 0])),
  'an image of process and spot inks': image(FIVE, 8, halves([255, 255, 255, 200, 128], [0, 9, 0, 0, 255])),
  'a small image within the content': page(
    `q 50 0 0 50 100 60 cm BI /W 2 /H 1 /BPC 8 /CS [/I /CMYK 1 ${hex([255, 255, 250, 250, 0, 0, 0, 9])}] ID \u0000\u0001 EI Q`,
    '',
  ),
  'an area in a named table of colours': page(
    '/T cs 0 sc 50 50 99 99 re f',
    `/ColorSpace << /T [/Indexed /DeviceCMYK 0 ${hex([255, 255, 255, 255])}] >>`,
  ),
  'an area of process and spot inks': page(
    '/N cs 1 1 1 1 0.5 scn 50 50 99 99 re f',
    `/ColorSpace << /N ${FIVE} >>`,
    ['null', TINT],
  ),
  'a gradient along an axis': shaded(axial(`/ColorSpace /DeviceCMYK /Function ${EXPONENTIAL}`)),
  'a gradient of a function for each ink': shaded(
    axial(`/ColorSpace /DeviceCMYK /Function [${ONE} ${ONE} ${ONE} ${ONE}]`),
  ),
  'a gradient between circles, stitched': shaded(
    `<< /ShadingType 3 /Coords [150 100 0 150 100 80] /ColorSpace /DeviceCMYK /Function ${STITCHED} >>`,
  ),
  'a gradient of samples of 16 bits': shaded(axial('/ColorSpace /DeviceCMYK /Function 20 0 R'), [
    {
      entries: '/FunctionType 0 /Domain [0 1] /Range [0 1 0 1 0 1 0 1] /Size [2] /BitsPerSample 16',
      data: Buffer.concat([Buffer.alloc(8), Buffer.alloc(8, 255)]),
    },
  ]),
  'a gradient of process and spot inks': shaded(
    axial(
      `/ColorSpace ${FIVE} /Function << /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0 1] /C1 [1 1 1 1 1] /N 1 >>`,
    ),
    ['null', TINT],
  ),
  'a gradient as a pattern': page(
    '/Pattern cs /P scn 50 50 200 100 re f',
    `/Pattern << /P << /PatternType 2 /Shading ${axial(`/ColorSpace /DeviceCMYK /Function ${EXPONENTIAL}`)} >> >>`,
  ),
  'a mesh of free triangles': mesh(
    4,
    `${INKS} /BitsPerFlag 8`,
    [
      [0, 60, 60, ...FULL],
      [0, 200, 60, ...THIN],
      [0, 130, 150, ...FULL],
    ].flat(),
  ),
  'a mesh of rows': mesh(
    5,
    `${INKS} /VerticesPerRow 2`,
    [
      [60, 60, ...FULL],
      [200, 60, ...THIN],
      [60, 150, ...FULL],
      [200, 150, ...FULL],
    ].flat(),
  ),
  'a mesh of Coons patches': mesh(6, `${INKS} /BitsPerFlag 8`, [
    0,
    ...EDGE,
    ...FULL,
    ...THIN,
    ...FULL,
    ...FULL,
  ]),
  'a mesh of tensor patches': mesh(7, `${INKS} /BitsPerFlag 8`, [
    0,
    ...EDGE,
    ...MIDDLE,
    ...FULL,
    ...THIN,
    ...FULL,
    ...FULL,
  ]),
  'a mesh of colours by a function': mesh(
    4,
    `0 1] /BitsPerFlag 8 /Function ${EXPONENTIAL}`,
    [0, 60, 60, 255, 0, 200, 60, 0, 0, 130, 150, 255],
  ),
};

test.each(Object.entries(INKY))(
  'fix holds %s to the limit of the printing condition',
  async (_name, bytes) => {
    const { before, after, left, isInky, changes } = await fixed(bytes);
    expect(before).toBeGreaterThan(LIMIT + 20);
    expect(after).toBeLessThanOrEqual(LIMIT + 1);
    expect([left, isInky, changes]).toEqual(['', false, expect.stringContaining('Ink was reduced')]);
  },
);

describe('plates', needs('Ghostscript'), () => {
  test.each(Object.entries(INKY))(
    'Ghostscript finds %s within the limit, and not much below',
    async (_name, bytes) => {
      expect(await mostInkOf(bytes)).toBeGreaterThan(LIMIT + 20);
      const most = await mostInkOf((await fixed(bytes)).bytes);
      expect(most).toBeLessThanOrEqual(LIMIT + 1.5);
      expect(most).toBeGreaterThan(LIMIT - 12);
    },
  );
});

const unread = (shading: string, data: Uint8Array | string, entries: string) =>
  page('1 1 1 1 k 9 9 9 9 re f q 50 50 200 100 re W n /S sh Q', `/Shading << /S ${shading} >>`, [
    { entries, data },
  ]);

test.each([
  [
    'a gradient with a PostScript function',
    unread(
      axial('/ColorSpace /DeviceCMYK /Function 20 0 R'),
      '{ dup dup dup }',
      '/FunctionType 4 /Domain [0 1] /Range [0 1 0 1 0 1 0 1]',
    ),
    'its function is not supported',
  ],
  [
    'an implausible number of samples',
    unread(
      axial('/ColorSpace /DeviceCMYK /Function 20 0 R'),
      'ab',
      '/FunctionType 0 /Domain [0 1] /Range [0 1 0 1 0 1 0 1] /Size [2000000000] /BitsPerSample 8',
    ),
    'its function is not supported',
  ],
  [
    'a mesh with an invalid encoding',
    unread(
      '20 0 R',
      'abcdefghijkl',
      '/ShadingType 4 /ColorSpace /DeviceCMYK /BitsPerCoordinate 999 /BitsPerComponent 8 /BitsPerFlag 8 /Decode [0 1]',
    ),
    'mesh encoding is not supported',
  ],
])('%s is left unchanged and reported', async (_name, bytes, reason) => {
  expect((await fixed(bytes)).left).toContain(reason);
});

const INK = '1 1 1 1 k 9 9 9 9 re f';
const drawn = (space: string, bits: number, data: Uint8Array, more = '') =>
  page(`${INK} q 50 0 0 50 60 60 cm /I Do Q`, '/XObject << /I 20 0 R >>', [
    {
      entries: `/Subtype /Image /Width 4 /Height 4 /BitsPerComponent ${bits} /ColorSpace ${space} ${more}`,
      data,
    },
  ]);

test.each([
  ['a table shorter than it says', drawn('[/Indexed /DeviceCMYK 255 <ffffffff>]', 8, Buffer.alloc(16, 200))],
  [
    'a table longer than it says',
    drawn(`[/Indexed /DeviceCMYK 0 <${'ff'.repeat(4000)}>]`, 8, Buffer.alloc(16)),
  ],
  ['a table that is no table', drawn('[/Indexed /DeviceCMYK 255 /Name]', 8, Buffer.alloc(16))],
  ['a negative number of rows', drawn('[/Indexed /DeviceCMYK -7 <ffffffff>]', 8, Buffer.alloc(16))],
  ['a table of a table', drawn('[/Indexed [/Indexed /DeviceCMYK 0 <ffffffff>] 0 <00>]', 8, Buffer.alloc(16))],
  ['7 bits', drawn('/DeviceCMYK', 7, Buffer.alloc(64, 255))],
  ['too few pixels of 16 bits', drawn('/DeviceCMYK', 16, Buffer.alloc(9, 255))],
  [
    'a thousand inks',
    drawn(`[/DeviceN [${'/Cyan '.repeat(1000)}] /DeviceCMYK ${EXPONENTIAL}]`, 8, Buffer.alloc(4096, 255)),
  ],
  [
    'a mesh of zeros',
    mesh(
      6,
      `${INKS} /BitsPerFlag 8`,
      Array.from({ length: 500_000 }, () => 0),
    ),
  ],
  [
    'functions within functions, twenty deep',
    shaded(
      axial(
        `/ColorSpace /DeviceCMYK /Function ${Array.from({ length: 20 }).reduce((inner: string) => `<< /FunctionType 3 /Domain [0 1] /Bounds [] /Encode [0 1] /Functions [${inner}] >>`, EXPONENTIAL)}`,
      ),
    ),
  ],
])('a hostile colour ends in a file or a reason: %s', async (_name, bytes) => {
  const { repair } = await runPreflight({ bytes, standard: 'claimed', repairFor: press });
  expect(repair!.bytes ?? repair!.left[0]).toBeDefined();
});

test('a gradient within the limit stays as it is', async () => {
  const pale = '<< /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [1 1 0.5 0.2] /N 1 >>';
  const { changes, bytes } = await fixed(shaded(axial(`/ColorSpace /DeviceCMYK /Function ${pale}`)));
  expect([/Ink was/.test(changes), Buffer.from(bytes).includes('/FunctionType 2')]).toEqual([false, true]);
});

/** The most ink in one place of the page, in per cent, by all plates of Ghostscript at 72 dpi. */
async function mostInkOf(bytes: Uint8Array): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-plates-'));
  writeFileSync(join(folder, 'page.pdf'), bytes);
  const options = ['-q', '-dNOPAUSE', '-dBATCH', '-dSAFER', '-sDEVICE=tiffsep', '-r72', '-dLastPage=1'];
  execFileSync('gs', [...options, `-sOutputFile=${join(folder, 'p%d.tif')}`, join(folder, 'page.pdf')]);
  const names = readdirSync(folder).filter((one) => one.includes('('));
  const plates = await Promise.all(
    names.map((name) =>
      sharp(readFileSync(join(folder, name)))
        .greyscale()
        .raw()
        .toBuffer(),
    ),
  );
  let most = 0;
  for (let at = 0; at < plates[0]!.length; at += 1)
    most = Math.max(
      most,
      plates.reduce((sum, plate) => sum + 255 - plate[at]!, 0),
    );
  return (100 * most) / 255;
}
