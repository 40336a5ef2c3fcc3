import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';
import { PdfDocument } from '@atelier/imaging/preflight/pdf/document.ts';
import { readPages } from '@atelier/imaging/preflight/pdf/pages.ts';
import { unlimitedBudget } from '@atelier/imaging/preflight/work_budget.ts';
import { expect, test } from 'vitest';
import { runLayout } from '../../src/core/workers/run_layout.ts';
import { runPreflight } from '../../src/core/workers/run_preflight.ts';
import { type PdfParts, writePdf } from '../support/write_pdf.ts';

/** Files made to break a repair or a sheet: each ends in a file, or in a reason, and none without an answer. */

const PROFILE = new URL('../../src/features/print/profiles/shipped/coated_fogra39.icc', import.meta.url);
const press = { name: 'coated_fogra39', path: fileURLToPath(PROFILE), registered: 'FOGRA39' };
const FOLDER = mkdtempSync(join(tmpdir(), 'atelier-hostile-'));
const RED = '1 0 0 rg 0 0 300 200 re f';
const pdf = (change: Partial<PdfParts>) => writePdf('none', { content: RED, ...change });
const edited = (bytes: Uint8Array, from: string, to: string) =>
  Buffer.from(Buffer.from(bytes).toString('latin1').replace(from, to), 'latin1');
const fixed = (bytes: Uint8Array) => runPreflight({ bytes, standard: 'claimed', repairFor: press });
const onSheet = (bytes: Uint8Array) =>
  runLayout({
    bytes,
    images: [],
    bleedMm: 3,
    dpi: 150,
    orientation: 'as_given',
    hasMarks: true,
    software: 'Atelier',
    title: 'Layout',
    createdAt: '2026-11-27T12:00:00Z',
    documentId: randomUUID(),
    press,
    rendering: { intent: 'perceptual', blackPointCompensation: false },
    path: join(FOLDER, `${randomUUID()}.pdf`),
  });

const GOLD =
  '[/Separation /Gold /DeviceCMYK << /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [0 0.2 0.9 0] /N 1 >>]';
const ENCRYPTED = edited(
  pdf({}),
  'trailer\n<<',
  `trailer\n<< /Encrypt << /Filter /Standard /V 1 /R 2 /O <${'00'.repeat(32)}> /U <${'00'.repeat(32)}> /P -4 >>`,
);
const CIRCLES: Readonly<Record<string, Uint8Array>> = {
  'a page tree that contains itself': edited(pdf({}), '/Kids [3 0 R ]', '/Kids [2 0 R 3 0 R 2 0 R]'),
  'a page tree that is its own parent': edited(
    pdf({ mediaBox: '' }),
    '/Type /Pages',
    '/Type /Pages /Parent 2 0 R',
  ),
  'references that lead to each other': pdf({
    resources: '/ExtGState << /A 20 0 R >>',
    objects: ['21 0 R', '20 0 R'],
  }),
  'a spot colour as the blending space of a group': pdf({
    content: `/S cs 0.8 scn 0 0 300 200 re f /G Do`,
    resources: `/ColorSpace << /S ${GOLD} >> /XObject << /G 20 0 R >>`,
    objects: [
      {
        entries: `/Subtype /Form /BBox [0 0 300 200] /Group << /S /Transparency /CS ${GOLD} >> /Resources << /ExtGState << /A << /ca 0.5 /BM /Multiply >> >> >>`,
        data: '/A gs 1 0 0 rg 9 9 99 99 re f',
      },
    ],
  }),
};

test.each(Object.entries(CIRCLES))('a file with %s is repaired and printed', async (_name, bytes) => {
  const { repair } = await fixed(bytes);
  expect(repair!.after!.counts.error).toBe(0);
  expect((await onSheet(bytes)).live).toBeDefined();
});

test('an encrypted file is rejected by repair and by print, with a remedy', async () => {
  expect((await fixed(ENCRYPTED)).repair).toEqual({
    changes: [],
    left: [expect.stringContaining('Save it without a password')],
  });
  await expect(onSheet(ENCRYPTED)).rejects.toMatchObject({
    code: 'unsupported_image',
    message: expect.stringContaining('without'),
  });
});

const MANY = 120_000;
const BOMBS: Readonly<Record<string, Uint8Array>> = {
  'more objects than are held': pdf({
    resources: `/Properties << ${Array.from({ length: MANY }, (_, at) => `/P${at} ${20 + at} 0 R`).join(' ')} >>`,
    objects: Array.from({ length: MANY }, () => '<< /A 1 >>'),
  }),
  'forms that draw each other ten times, thirty deep': pdf({
    content: '/F Do',
    resources: '/XObject << /F 20 0 R >>',
    objects: Array.from({ length: 30 }, (_, at) => ({
      entries: `/Subtype /Form /BBox [0 0 300 200] /Resources << /XObject << /F ${21 + at} 0 R >> >>`,
      data: at === 29 ? RED : '/F Do '.repeat(10),
    })),
  }),
};

test.each(Object.entries(BOMBS))(
  'the repair of a file with %s is rejected with a reason',
  async (_name, bytes) => {
    const { repair } = await fixed(bytes);
    expect([repair!.bytes, repair!.left]).toEqual([undefined, [expect.stringMatching(/too many objects/)]]);
  },
);

test('an image that decompresses to gigabytes is left unchanged and reported', async () => {
  const bytes = pdf({
    content: `${RED} /I Do`,
    resources: '/XObject << /I 20 0 R >>',
    objects: [
      {
        entries:
          '/Subtype /Image /Width 30000 /Height 30000 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter [/FlateDecode /FlateDecode]',
        data: deflateSync(deflateSync(Buffer.alloc(100_000_000))),
      },
    ],
  });
  const { repair } = await fixed(bytes);
  expect(repair!.left.join(' ')).toContain('more than 30 million pixels');
});

test('excessive nesting is reported and does not crash the repair', async () => {
  const bytes = pdf({ catalog: `/X ${'['.repeat(50_000)}${']'.repeat(50_000)}` });
  expect((await fixed(bytes)).repair!.left.join(' ')).toContain('no pages');
});

test('pages of different sizes keep their sizes and each gets bleed', async () => {
  const bytes = edited(
    pdf({
      boxes: '',
      objects: [
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 500 400] /Contents 21 0 R /Resources << >> >>',
        { entries: '', data: '0 0 1 rg 0 0 500 400 re f' },
      ],
      morePages: '20 0 R',
    }),
    '/Count 1',
    '/Count 2',
  );
  const { repair } = await fixed(bytes);
  const { pages } = readPages(new PdfDocument(repair!.bytes!, unlimitedBudget()));
  const widths = pages.map(({ trim, bleed }) => [trim!.right - trim!.left, bleed!.right - bleed!.left]);
  expect(widths.map(([trim]) => trim)).toEqual([300, 500]);
  for (const [trim, bleed] of widths) expect(bleed! - trim!).toBeGreaterThan(16.9);
});
