import { deflateSync } from 'node:zlib';
import { EngineError } from '@atelier/imaging/errors/engine_error.ts';
import { preflightFile } from '@atelier/imaging/preflight/preflight_file.ts';
import type { PreflightReport } from '@atelier/imaging/preflight/types.ts';
import { expect, test } from 'vitest';
import { EXAMPLE_PNG_B64 } from '../../src/features/definitions/example_image.ts';
import { BROKEN_PDFS } from '../preflight/broken_pdfs.ts';
import { BROKEN_TIFFS } from '../preflight/broken_tiffs.ts';
import { COSTLY_FILES } from '../support/costly_print_files.ts';
import { FIRST_OBJECT, writePdf } from '../support/write_pdf.ts';

/** Every file here ends in a report or a refusal, and soon. */

const MS_MAX = 120_000;
const look = (bytes: Uint8Array) => preflightFile({ bytes, standard: 'claimed' });
const rulesOf = async (bytes: Uint8Array) => (await look(bytes)).findings.map(({ rule }) => rule);
const pdf = (text: string) => Buffer.from(`%PDF-1.7\n${text}`, 'latin1');

test.each([
  ['a picture', Buffer.from(EXAMPLE_PNG_B64, 'base64')],
  ['text', Buffer.from('Dear printer, please find enclosed')],
  ['HTML', Buffer.from('<!doctype html><title>404</title>')],
  ['one byte', Buffer.from('%')],
])('%s is refused with a request for a PDF or TIFF', async (_, bytes) => {
  await expect(look(bytes)).rejects.toMatchObject({
    code: 'unsupported_image',
    message: expect.stringContaining('Send a PDF or a TIFF'),
  });
});

test.each([
  ['only its head', pdf('')],
  ['no objects', pdf('trailer << /Root 1 0 R >> startxref\n9\n%%EOF')],
  ['only a comment', pdf('% nothing '.repeat(1000))],
])('a PDF with %s is refused as unreadable', async (_, bytes) => {
  await expect(look(bytes)).rejects.toMatchObject({ code: 'undecodable_image' });
});

test('an encrypted file is reported as encrypted and no page is read', async () => {
  const report = await look(writePdf('pdfx4', { trailer: '/Encrypt << /Filter /Standard /V 4 /R 4 >>' }));
  expect(report.findings.map(({ rule }) => rule)).toEqual(['encrypted']);
  expect(report.pagesRead).toBe(0);
});

test('a file with more than a million objects is refused', { timeout: MS_MAX }, async () => {
  const objects = Array.from({ length: 1_050_000 }, (_, number) => `${number} 0 obj 0\n`).join('');
  await expect(look(pdf(objects))).rejects.toMatchObject({
    code: 'undecodable_image',
    message: expect.stringContaining('1000000 objects'),
  });
});

test('a file with 900,000 objects gets a report', { timeout: MS_MAX }, async () => {
  const objects = Array.from({ length: 900_000 }, (_, index) => `${index + 30} 0 obj[]endobj\n`).join('');
  const file = Buffer.concat([writePdf('pdfx4'), Buffer.from(`${objects}startxref\n1\n`, 'latin1')]);
  expect(await rulesOf(file)).toContain('structure_broken');
});

test('decompression stops when content expands too far', {
  timeout: MS_MAX,
}, async () => {
  const bomb = deflateSync(Buffer.alloc(200 * 1024 * 1024, ' '));
  const file = writePdf('pdfx4', {
    page: '/Contents 20 0 R',
    objects: [{ entries: '/Filter /FlateDecode', data: bomb }],
  });
  expect(await rulesOf(file)).toContain('content_broken');
});

test('checking stops at millions of operators and reports it', { timeout: MS_MAX }, async () => {
  const many = deflateSync(Buffer.from('0 0 m 9 9 l S\n'.repeat(4_000_000)));
  const file = writePdf('pdfx4', {
    page: '/Contents 20 0 R',
    objects: [{ entries: '/Filter /FlateDecode', data: many }],
  });
  expect(await rulesOf(file)).toContain('not_all_looked_at');
});

test.each([
  ['an array of ten million numbers', `[${'1 '.repeat(10_000_000)}] TJ`, 'array of more than'],
  ['a string of 30 million letters', `(${'a'.repeat(30_000_000)}) Tj`, 'string of more than'],
])('%s is refused', { timeout: MS_MAX }, async (_, content, message) => {
  const objects = [{ entries: '/Filter /FlateDecode', data: deflateSync(Buffer.from(content)) }];
  await expect(look(writePdf('pdfx4', { page: '/Contents 20 0 R', objects }))).rejects.toMatchObject({
    code: 'undecodable_image',
    message: expect.stringContaining(message),
  });
});

test.each([
  ['brackets within brackets', { content: '['.repeat(500_000) }],
  ['dictionaries within dictionaries', { catalog: `/X ${'<< /A '.repeat(200_000)}` }],
  ['states that are never closed', { content: 'q '.repeat(300_000) }],
  ['a page that is its own child', { morePages: '2 0 R' }],
  ['an object that stands for itself', { catalog: '/OCProperties 20 0 R', objects: ['20 0 R'] }],
  ['numbers without end', { mediaBox: `/MediaBox [0 0 1e999 ${'9'.repeat(400)}]` }],
  [
    'a form that draws itself ten times',
    {
      content: '/F Do',
      resources: '/XObject << /F 20 0 R >>',
      objects: [
        {
          entries: `/Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /F ${FIRST_OBJECT} 0 R >> >>`,
          data: '/F Do '.repeat(10),
        },
      ],
    },
  ],
])('%s ends in a report or a refusal', { timeout: MS_MAX }, async (_, change) => {
  expect(await outcome(writePdf('pdfx4', change))).toMatch(/^(report|undecodable_image)$/);
});

test('a page of 1e300 with units of 1e308 has an invalid size', async () => {
  const file = writePdf('pdfx4', {
    mediaBox: '/MediaBox [-1e300 -1e300 1e300 1e300]',
    page: '/UserUnit 1e308',
  });
  const { findings, trimMm } = await look(file);
  expect(findings.find(({ rule }) => rule === 'page_size_invalid')?.message).toMatch(/UserUnit, MediaBox/);
  expect(Object.values(trimMm!).every(Number.isFinite)).toBe(true);
});

test.each(['1e308', '-1e308', '1e-320', '-0', 'NaN', '--1', '+-.', '9'.repeat(300), '0x7f', '1e'])(
  '%s in every box and matrix leaves all numbers of the report finite',
  async (number) => {
    const four = `${number} ${number} `.repeat(2);
    const six = `${number} `.repeat(6);
    const file = writePdf('pdfx4', {
      mediaBox: `/MediaBox [${four}]`,
      boxes: `/TrimBox [${four}] /BleedBox [0 0 ${number} ${number}] /CropBox [${four}]`,
      page: `/UserUnit ${number} /Rotate ${number} /Annots [<< /Rect [${four}] >>]`,
      content: `${six} cm ${six} cm ${number} w 0 0 9 9 re S ${four} re B BT /T ${number} Tf ${six} Tm (a) Tj ET /F Do /I Do /S sh`,
      resources: `/Font << /T << /Subtype /Type1 /Widths [${number}] /FirstChar ${number} >> >> /XObject << /F 20 0 R /I 21 0 R >> /Shading << /S << /ColorSpace [/ICCBased 22 0 R] >> >>`,
      objects: [
        { entries: `/Subtype /Form /BBox [${four}] /Matrix [${six}]`, data: '0 0 9 9 re f' },
        {
          entries: `/Subtype /Image /Width ${number} /Height ${number} /BitsPerComponent ${number}`,
          data: '',
        },
        { entries: `/N ${number}`, data: '' },
      ],
    });
    requireFinite(await look(file));
  },
);

test('all 500,000 operators of a drawing are checked', {
  timeout: MS_MAX,
}, async () => {
  expect(await rulesOf(drawing(100_000))).not.toContain('not_all_looked_at');
});

/** Five operators for each triangle. */
function drawing(triangles: number): Uint8Array {
  const content = '0.2 0.1 0 0 k 10 10 m 50 60 l 90 10 l f\n'.repeat(triangles);
  return writePdf('pdfx4', {
    page: '/Contents 20 0 R',
    objects: [{ entries: '/Filter /FlateDecode', data: deflateSync(Buffer.from(content)) }],
  });
}

async function cpuMsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Measured beside each file, because machines differ and other work slows them. The dearest file costs as much as 25 of it. */
const ORDINARY = drawing(20_000);
const ORDINARY_MAX = 100;

test.each(COSTLY_FILES)('$title uses limited CPU time', { timeout: 600_000 }, async ({ bytes }) => {
  const file = bytes();
  const ordinary = await cpuMsOf(() => look(ORDINARY));
  const costly = await cpuMsOf(async () => {
    expect(await outcome(file)).toMatch(/^(report|undecodable_image)$/);
  });
  expect(costly / ordinary).toBeLessThan(ORDINARY_MAX);
});

test('2,000 damaged files end in reports or refusals', { timeout: 600_000 }, async () => {
  const random = seeded(97);
  const files = [...BROKEN_PDFS, ...BROKEN_TIFFS]
    .map(({ bytes }) => bytes())
    .filter(({ length }) => length < 30_000);
  const ends = new Map<string, number>();
  for (let round = 0; round < 2000; round += 1) {
    const end = await outcome(damaged(files[Math.floor(random() * files.length)]!, random));
    ends.set(end, (ends.get(end) ?? 0) + 1);
  }
  expect(
    [...ends.keys()].filter((end) => !/^(report|undecodable_image|unsupported_image)$/.test(end)),
  ).toEqual([]);
  expect(ends.get('report')).toBeGreaterThan(700);
});

/** A number that JSON has no word for is a 500 further out. */
function requireFinite(report: PreflightReport): void {
  JSON.stringify({ ...report, drawings: [] }, (key, value: unknown) => {
    if (typeof value === 'number') expect(value, key).toSatisfy(Number.isFinite);
    return value;
  });
}

/** "report", or the code of the refusal; anything else that is thrown is a fault of ours. */
async function outcome(bytes: Uint8Array): Promise<string> {
  try {
    requireFinite(await look(bytes));
    return 'report';
  } catch (error) {
    if (error instanceof EngineError) return error.code;
    throw error;
  }
}

/** Bytes changed, cut out, doubled, or the end lost; references sent elsewhere, numbers made huge. */
function damaged(bytes: Uint8Array, random: () => number): Uint8Array {
  let file = Buffer.from(bytes);
  for (let times = 1 + Math.floor(random() * 6); times > 0; times -= 1) {
    const way = WAYS[Math.floor(random() * WAYS.length)]!;
    file = Buffer.from(way(file, Math.floor(random() * file.length), random));
  }
  return file;
}

const ODD_NUMBERS = ['99999999999', '1e308', '-1e308', '1e-320', '-0', 'NaN', '9'.repeat(400), '.', '--5'];

type Way = (file: Buffer, at: number, random: () => number) => Uint8Array;
const PIECE = 40;
const replaced = (file: Buffer, what: RegExp, by: (found: string) => string) =>
  Buffer.from(file.toString('latin1').replace(what, by), 'latin1');

const WAYS: readonly Way[] = [
  (file, at, random) => file.fill(Math.floor(random() * 256), at, at + 1),
  (file, at) => Buffer.concat([file.subarray(0, at), file.subarray(at + PIECE)]),
  (file, at) => Buffer.concat([file.subarray(0, at + PIECE), file.subarray(at)]),
  (file, at) => file.subarray(0, Math.max(8, at)),
  (file, _, random) => replaced(file, /\d+(?= 0 R)/g, (number) => (random() < 0.1 ? '3' : number)),
  (file, _, random) =>
    replaced(file, /(?<=[ [])\d+(?=[ \]])/g, (number) =>
      random() < 0.05 ? ODD_NUMBERS[Math.floor(random() * ODD_NUMBERS.length)]! : number,
    ),
];

/** The same numbers in every run: a linear congruential generator, Numerical Recipes. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
