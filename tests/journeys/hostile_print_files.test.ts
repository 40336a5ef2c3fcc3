import { deflateSync } from 'node:zlib';
import { EngineError } from '@atelier/engines/errors/engine_error.ts';
import { preflightFile } from '@atelier/engines/preflight/preflight_file.ts';
import { expect, test } from 'vitest';
import { EXAMPLE_PNG_B64 } from '../../src/tools/example_image.ts';
import { BROKEN_PDFS } from '../preflight/broken_pdfs.ts';
import { BROKEN_TIFFS } from '../preflight/broken_tiffs.ts';
import { FIRST_OBJECT, writePdf } from '../support/write_pdf.ts';

/** Every file here ends in a report or a refusal, and soon. */

const MS_MAX = 20_000;
const look = (bytes: Uint8Array) => preflightFile({ bytes, standard: 'claimed' });
const rulesOf = async (bytes: Uint8Array) => (await look(bytes)).findings.map(({ rule }) => rule);
const pdf = (text: string) => Buffer.from(`%PDF-1.7\n${text}`, 'latin1');

test.each([
  ['a picture', Buffer.from(EXAMPLE_PNG_B64, 'base64')],
  ['text', Buffer.from('Dear printer, please find enclosed')],
  ['HTML', Buffer.from('<!doctype html><title>404</title>')],
  ['one byte', Buffer.from('%')],
])('given %s, it asks for a PDF or a TIFF', async (_, bytes) => {
  await expect(look(bytes)).rejects.toMatchObject({
    code: 'unsupported_image',
    message: expect.stringContaining('Send a PDF or a TIFF'),
  });
});

test.each([
  ['only its head', pdf('')],
  ['no objects', pdf('trailer << /Root 1 0 R >> startxref\n9\n%%EOF')],
  ['only a comment', pdf('% nothing '.repeat(1000))],
])('given a PDF of %s, it says that it cannot be read', async (_, bytes) => {
  await expect(look(bytes)).rejects.toMatchObject({ code: 'undecodable_image' });
});

test('given an encrypted file, it tells that alone and looks at no page', async () => {
  const report = await look(writePdf('pdfx4', { trailer: '/Encrypt << /Filter /Standard /V 4 /R 4 >>' }));
  expect(report.findings.map(({ rule }) => rule)).toEqual(['encrypted']);
  expect(report.pagesRead).toBe(0);
});

test('given more than a million objects, it refuses them', { timeout: MS_MAX }, async () => {
  const objects = Array.from({ length: 1_050_000 }, (_, number) => `${number} 0 obj 0\n`).join('');
  await expect(look(pdf(objects))).rejects.toMatchObject({
    code: 'undecodable_image',
    message: expect.stringContaining('1000000 objects'),
  });
});

test('given nine hundred thousand objects, it ends in a report', { timeout: MS_MAX }, async () => {
  const objects = Array.from({ length: 900_000 }, (_, index) => `${index + 30} 0 obj[]endobj\n`).join('');
  const file = Buffer.concat([writePdf('pdfx4'), Buffer.from(`${objects}startxref\n1\n`, 'latin1')]);
  expect(await rulesOf(file)).toContain('structure_broken');
});

test('given content that unpacks to far more than itself, it stops unpacking', {
  timeout: MS_MAX,
}, async () => {
  const bomb = deflateSync(Buffer.alloc(200 * 1024 * 1024, ' '));
  const file = writePdf('pdfx4', {
    page: '/Contents 20 0 R',
    objects: [{ entries: '/Filter /FlateDecode', data: bomb }],
  });
  expect(await rulesOf(file)).toContain('content_broken');
});

test('given millions of operators, it stops and says so', { timeout: MS_MAX }, async () => {
  const many = deflateSync(Buffer.from('0 0 m 9 9 l S\n'.repeat(4_000_000)));
  const file = writePdf('pdfx4', {
    page: '/Contents 20 0 R',
    objects: [{ entries: '/Filter /FlateDecode', data: many }],
  });
  expect(await rulesOf(file)).toContain('not_all_looked_at');
});

test.each([
  ['an array of ten million numbers', `[${'1 '.repeat(10_000_000)}] TJ`, 'array of more than'],
  ['a string of thirty million letters', `(${'a'.repeat(30_000_000)}) Tj`, 'string of more than'],
])('given %s, it refuses it', { timeout: MS_MAX }, async (_, content, message) => {
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
    'a form that paints itself ten times',
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
])('given %s, it ends in a report or a refusal', { timeout: MS_MAX }, async (_, change) => {
  expect(await outcome(writePdf('pdfx4', change))).toMatch(/^(report|undecodable_image)$/);
});

test('three hundred damaged files end in reports or refusals', { timeout: 120_000 }, async () => {
  const random = seeded(97);
  const files = [...BROKEN_PDFS, ...BROKEN_TIFFS]
    .map(({ bytes }) => bytes())
    .filter(({ length }) => length < 30_000);
  const ends = new Map<string, number>();
  for (let round = 0; round < 300; round += 1) {
    const bytes = damaged(files[Math.floor(random() * files.length)]!, random);
    const started = performance.now();
    const end = await outcome(bytes);
    expect(performance.now() - started, `round ${round}`).toBeLessThan(5_000);
    ends.set(end, (ends.get(end) ?? 0) + 1);
  }
  expect(
    [...ends.keys()].filter((end) => !/^(report|undecodable_image|unsupported_image)$/.test(end)),
  ).toEqual([]);
  expect(ends.get('report')).toBeGreaterThan(100);
});

/** "report", or the code of the refusal; anything else that is thrown is a fault of ours. */
async function outcome(bytes: Uint8Array): Promise<string> {
  try {
    await look(bytes);
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
    replaced(file, /(?<=[ [])\d+(?=[ \]])/g, (number) => (random() < 0.05 ? '99999999999' : number)),
];

/** The same numbers in every run: a linear congruential generator, Numerical Recipes. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
