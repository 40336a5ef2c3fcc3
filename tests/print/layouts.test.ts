import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { createDocumentCache, interpretPage } from '@atelier/imaging/preflight/content/interpret.ts';
import type { Mark } from '@atelier/imaging/preflight/content/mark.ts';
import { PdfDocument } from '@atelier/imaging/preflight/pdf/document.ts';
import { readPages } from '@atelier/imaging/preflight/pdf/pages.ts';
import { preflightFile } from '@atelier/imaging/preflight/preflight_file.ts';
import { unlimitedBudget } from '@atelier/imaging/preflight/work_budget.ts';
import { describe, expect, test } from 'vitest';
import { type LayoutRequest, runLayout } from '../../src/core/workers/run_layout.ts';
import { needs } from '../support/test_requirements.ts';
import { writePdf } from '../support/write_pdf.ts';

/** Stickers, sheets of copies, booklets and posters, as other programs and our own rules read them. */

const FOLDER = mkdtempSync(join(tmpdir(), 'atelier-layouts-'));
const PRESS = new URL('../../src/features/print/profiles/shipped/coated_fogra39.icc', import.meta.url);
const MM = 72 / 25.4;

async function layOut(bytes: Uint8Array, wish: Partial<LayoutRequest> = {}) {
  const path = join(FOLDER, `${randomUUID()}.pdf`);
  const laid = await runLayout({
    bytes,
    images: [],
    bleedMm: 3,
    dpi: 300,
    orientation: 'as_given',
    hasMarks: true,
    software: 'Atelier',
    title: 'Layout',
    createdAt: '2026-11-27T12:00:00Z',
    documentId: randomUUID(),
    press: { name: 'coated_fogra39', path: fileURLToPath(PRESS), registered: 'FOGRA39' },
    rendering: { intent: 'perceptual', blackPointCompensation: false },
    path,
    ...wish,
  });
  return { ...laid, path, bytes: readFileSync(path) };
}

function pagesOf(bytes: Uint8Array) {
  const document = new PdfDocument(bytes, unlimitedBudget());
  return readPages(document).pages.map((page) => {
    const marks: Mark[] = [];
    interpretPage(document, page, {
      shared: createDocumentCache(),
      onProblem: (text) => expect.unreachable(text),
      onMark: (mark) => mark.paint.space.inks?.[0] !== 'All' && marks.push(mark),
    });
    return { page, marks };
  });
}

async function faultsOf(bytes: Uint8Array): Promise<string[]> {
  const { findings } = await preflightFile({ bytes, standard: 'pdfx4' });
  return findings.filter(({ severity }) => severity !== 'info').map(({ rule }) => rule);
}

const svg = (content: string, width = '60mm', height = '60mm', box = '0 0 600 600') =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${box}">${content}</svg>`,
  );
const DISC = svg('<circle cx="300" cy="300" r="200" fill="#e4572e"/>');
const CARD = svg(
  '<rect width="850" height="550" fill="#123a5c"/><text x="70" y="300" font-size="90" fill="#fff">Ada</text>',
  '85mm',
  '55mm',
  '0 0 850 550',
);
const CUT = { offsetMm: 2, smoothingMm: 0.2, islands: 'separate', cutsHoles: false, border: 'bare' } as const;
const A4 = { width: 210, height: 297 };
/** White on nothing, as a logo for a dark shop window is. */
const WHITE_DISC = await sharp({
  create: { width: 600, height: 600, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
})
  .composite([
    {
      input: await sharp({ create: { width: 400, height: 200, channels: 3, background: '#fff' } })
        .png()
        .toBuffer(),
      left: 100,
      top: 200,
    },
  ])
  .png()
  .toBuffer();

const OPAQUE = await sharp({ create: { width: 90, height: 90, channels: 3, background: '#a33' } })
  .png()
  .toBuffer();

describe('stickers', () => {
  test('a 40 mm drawing keeps its size and gets one overprinting cut line 2 mm outside', async () => {
    const { bytes, cut, spots } = await layOut(DISC, { cut: CUT });
    expect([cut!.paths, spots]).toEqual([1, ['CutContour']]);
    expect(cut!.sizeMm.width).toBeCloseTo(44, 1);
    const [{ marks }] = pagesOf(bytes) as [ReturnType<typeof pagesOf>[0]];
    const [, line] = marks;
    expect(line).toMatchObject({
      kind: 'stroke',
      overprint: true,
      paint: { space: { inks: ['CutContour'] } },
    });
    expect(await faultsOf(bytes)).toEqual([]);
  });

  test('the cut line follows white artwork on transparency', async () => {
    const { cut } = await layOut(WHITE_DISC, { cut: CUT, trimMm: { width: 44, height: 44 } });
    expect([cut!.paths, cut!.nodes < 40]).toEqual([1, true]);
  });

  test('with border extend, edge colours extend beyond the cut', async () => {
    const wish = { cut: { ...CUT, border: 'extend' } as const };
    const { path } = await layOut(DISC, wish);
    const plates = needs('Ghostscript').skip ? undefined : platesOf(path);
    if (!plates) return;
    const { data, info } = await plates('Magenta');
    const row = Math.floor(info.height / 2);
    const inked = Array.from({ length: info.width }, (_, x) => data[row * info.width + x]!).filter(
      (v) => v < 200,
    );
    // 40 mm of art, 2 mm of border and 3 mm of bleed on both sides.
    expect((inked.length / 150) * 25.4).toBeGreaterThan(49);
  });

  test.each([
    ['opaque', OPAQUE, /remove_background/],
    ['empty', svg('<rect width="9" height="9" fill="none"/>'), /transparent/],
    [
      'its own CutContour',
      svg('<circle id="CutContour" r="99" cx="200" cy="200" stroke="#f0f"/>'),
      /already has a CutContour/,
    ],
  ])('cutting an unsuitable image (%s) is rejected with a remedy', async (_, file, message) => {
    await expect(layOut(file, { cut: CUT, trimMm: { width: 50, height: 50 } })).rejects.toThrow(message);
  });
});

describe('sheets of copies', () => {
  test('ten vector cards fit on A4 with outer crop marks and no preflight errors', async () => {
    const layout = { kind: 'n_up', paperMm: A4, marginMm: 10, gapMm: 0 } as const;
    const { bytes, layout: report, live } = await layOut(CARD, { layout });
    expect([report!.perSheet, live !== undefined]).toEqual([10, true]);
    const [{ page, marks }] = pagesOf(bytes) as [ReturnType<typeof pagesOf>[0]];
    expect(
      marks.filter(({ paint }) => paint.values.every((value) => value === 0)).length,
    ).toBeGreaterThanOrEqual(10);
    expect(page.media!.right).toBeCloseTo(210 * MM, 2);
    expect(await faultsOf(bytes)).toEqual([]);
  });

  test('several images are placed equally often', async () => {
    const layout = { kind: 'n_up', paperMm: A4, marginMm: 10, copies: 3 } as const;
    const { layout: report } = await layOut(CARD, {
      layout,
      images: [DISC],
      trimMm: { width: 50, height: 50 },
      fit: 'contain',
    });
    expect(report!.copies).toEqual([3, 3]);
  });
});

/** Pages of 200 × 300 points with one area each, a different size where it is said. */
function pagesPdf(count: number, odd?: string): Uint8Array {
  const page = (box: string) =>
    `<< /Type /Page /Parent 2 0 R /MediaBox ${box} /TrimBox ${box} /Contents 4 0 R /Resources << >> >>`;
  const more = Array.from({ length: count - 1 }, (_, at) =>
    page(odd !== undefined && at === count - 2 ? odd : '[0 0 200 300]'),
  );
  const bytes = writePdf('pdfx4', {
    mediaBox: '/MediaBox [0 0 200 300]',
    boxes: '/TrimBox [0 0 200 300] /BleedBox [0 0 200 300]',
    content: '0.2 0.6 0 0 k 0 0 200 300 re f',
    objects: more,
    morePages: more.map((_, at) => `${20 + at} 0 R`).join(' '),
  });
  return Buffer.from(Buffer.from(bytes).toString('latin1').replace('/Count 1', `/Count ${count}`), 'latin1');
}

describe('booklets', () => {
  test('a booklet of six pages is padded to eight and reports the blank pages', async () => {
    const { bytes, layout, notes } = await layOut(pagesPdf(6), { layout: { kind: 'booklet', creepMm: 0 } });
    expect(layout).toMatchObject({ sheets: 2, pages: 4, blanks: 2 });
    expect(notes.join(' ')).toContain('pages 7, 8 are blank');
    const boxes = pagesOf(bytes).map(({ page }) => (page.trim!.right - page.trim!.left) / 200);
    expect(boxes).toEqual([2, 2, 2, 2].map((pages) => expect.closeTo(pages, 3)));
    expect(await faultsOf(bytes)).toEqual([]);
  });

  test('pages of different sizes are rejected unless fit is set', async () => {
    const mixed = pagesPdf(4, '[0 0 300 300]');
    const layout = { kind: 'booklet', creepMm: 0 } as const;
    await expect(layOut(mixed, { layout })).rejects.toThrow(/different sizes.*page 4.*Send fit/);
    expect((await layOut(mixed, { layout, fit: 'contain' })).layout!.sheets).toBe(1);
  });

  test('images become the pages of a booklet', async () => {
    const picture = await sharp({ create: { width: 300, height: 420, channels: 3, background: '#385' } })
      .jpeg()
      .toBuffer();
    const wish = { layout: { kind: 'booklet', creepMm: 0 } as const, trimMm: { width: 50, height: 70 } };
    const { layout } = await layOut(picture, { ...wish, images: [picture, picture, picture] });
    expect(layout!.order).toEqual([{ front: [4, 1], back: [2, 3] }]);
  });
});

describe('tiled posters', () => {
  test('a drawing keeps live text on every sheet and has no preflight errors', async () => {
    const layout = { kind: 'tiles', paperMm: A4, marginMm: 10, overlapMm: 10 } as const;
    const wish = { layout, trimMm: { width: 425, height: 275 } };
    const { bytes, layout: report, live } = await layOut(CARD, wish);
    expect([report!.pages, live !== undefined]).toEqual([3, true]);
    const pages = pagesOf(bytes);
    expect(pages).toHaveLength(3);
    for (const { marks } of pages) expect(marks.every(({ kind }) => kind !== 'image')).toBe(true);
    expect(await faultsOf(bytes)).toEqual([]);
  });

  test('a password-protected PDF is rejected', async () => {
    const encrypted = Buffer.from(
      Buffer.from(pagesPdf(1))
        .toString('latin1')
        .replace(
          'trailer\n<<',
          `trailer\n<< /Encrypt << /Filter /Standard /V 1 /R 2 /O <${'00'.repeat(32)}> /U <${'00'.repeat(32)}> /P -4 >>`,
        ),
      'latin1',
    );
    const layout = { kind: 'booklet', creepMm: 0 } as const;
    await expect(layOut(encrypted, { layout })).rejects.toThrow(/password/);
  });
});

/** The plates that Ghostscript makes of the first page, at 150 dpi: 0 is all ink. */
function platesOf(path: string) {
  const folder = mkdtempSync(join(FOLDER, 'plates-'));
  const options = ['-q', '-dNOPAUSE', '-dBATCH', '-dSAFER', '-sDEVICE=tiffsep', '-r150', '-dLastPage=1'];
  execFileSync('gs', [...options, `-sOutputFile=${join(folder, 'p%d.tif')}`, path]);
  return async (ink: string) => {
    const name = readdirSync(folder).find((one) => one.includes(`(${ink})`));
    if (!name) throw new Error(`There is no plate ${ink}.`);
    return sharp(readFileSync(join(folder, name)))
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
  };
}

describe('plates', needs('Ghostscript'), () => {
  test('Ghostscript renders the cut line only on its own plate', async () => {
    const { path } = await layOut(DISC, { cut: CUT, hasMarks: false });
    const plates = platesOf(path);
    const [cut, magenta] = [await plates('CutContour'), await plates('Magenta')];
    const isInked = ({ data }: typeof cut, at: number) => data[at]! < 250;
    const middle = Math.floor(cut.info.height / 2) * cut.info.width;
    const columns = Array.from({ length: cut.info.width }, (_, x) => middle + x);
    const [first, last] = [
      columns.find((at) => isInked(cut, at))!,
      columns.findLast((at) => isInked(cut, at))!,
    ];
    expect(((last - first) / 150) * 25.4).toBeCloseTo(44, 0);
    expect([isInked(magenta, first), isInked(magenta, last)]).toEqual([false, false]);
  });
});

describe('structure', needs('qpdf'), () => {
  test('qpdf reports no errors', async () => {
    const layout = { kind: 'n_up', paperMm: A4, marginMm: 10 } as const;
    const { path } = await layOut(CARD, {
      layout,
      images: [DISC],
      trimMm: { width: 60, height: 60 },
      fit: 'contain',
    });
    expect(execFileSync('qpdf', ['--check', path], { encoding: 'utf8' })).toContain(
      'No syntax or stream encoding errors',
    );
  });
});
