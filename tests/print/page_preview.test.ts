import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { describe, expect, test } from 'vitest';
import { runPrint } from '../../src/core/workers/run_print.ts';
import { needs } from '../support/test_requirements.ts';

/** The small picture of a page, judged by what another program shows of the PDF. */

const FOLDER = mkdtempSync(join(tmpdir(), 'atelier-pages-'));
const PRESS = new URL('../../src/features/print/profiles/shipped/coated_fogra39.icc', import.meta.url);

/** A pale ground with a dark disc above and a bright bar below, so that it can be told which way is up. */
const ART = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#d8c8a8' } })
  .composite([
    { input: await filled(220, 160, '#203060'), left: 90, top: 60 },
    { input: await filled(500, 90, '#e08030'), left: 350, top: 450 },
  ])
  .png()
  .toBuffer();

async function filled(width: number, height: number, background: string): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
}

async function print(more: { hasMarks?: boolean; bleedMm?: number } = {}) {
  const path = join(FOLDER, randomUUID());
  const { preview } = await runPrint({
    path,
    deadlineMs: 60_000,
    bytes: ART,
    trimMm: { width: 150, height: 100 },
    bleedMm: 3,
    dpi: 150,
    fit: 'cover',
    orientation: 'auto',
    hasMarks: true,
    format: 'pdf',
    press: { name: 'coated_fogra39', path: fileURLToPath(PRESS), registered: 'FOGRA39' },
    rendering: { intent: 'perceptual', blackPointCompensation: false },
    software: 'Atelier',
    title: 'A page',
    createdAt: '2026-10-09T14:59:00Z',
    documentId: randomUUID(),
    ...more,
  });
  return { path, preview: preview! };
}

const greys = async (picture: Uint8Array, size: { width: number; height: number }): Promise<Uint8Array> =>
  sharp(picture).resize(size.width, size.height, { fit: 'fill' }).greyscale().raw().toBuffer();

test('the preview shows the whole page with paper and marks in its aspect ratio', async () => {
  const { preview } = await print();
  expect([preview.width, preview.height]).toEqual([768, Math.round((768 * 124) / 174)]);
  const grey = await greys(preview.bytes, preview);
  const at = (xMm: number, yMm: number) =>
    grey[Math.floor((yMm / 124) * preview.height) * preview.width + Math.floor((xMm / 174) * preview.width)]!;
  expect(at(5, 30)).toBeGreaterThan(225);
  expect(at(12 + 20, 12 + 18)).toBeLessThan(90);
  // On the line of the upper trim, left of the bleed.
  expect(at(5, 12)).toBeLessThan(80);
});

test('the preview of a page without marks ends at the bleed', async () => {
  const { preview } = await print({ hasMarks: false });
  expect([preview.width, preview.height]).toEqual([768, Math.round((768 * 106) / 156)]);
});

describe('compared with pdftoppm', needs('pdftoppm'), () => {
  test.each([{}, { hasMarks: false }, { bleedMm: 0 }])('%o', async (wanted) => {
    const { path, preview } = await print(wanted);
    const size = { width: preview.width, height: preview.height };
    const scale = ['-scale-to-x', String(size.width), '-scale-to-y', String(size.height)];
    const theirs = execFileSync('pdftoppm', ['-png', '-singlefile', ...scale, path], { maxBuffer: 2 ** 25 });
    const [ours, others] = [await greys(preview.bytes, size), await greys(theirs, size)];
    // It shows inks without their profile, so tones differ; where things are does not.
    expect(correlation(ours, others)).toBeGreaterThan(0.97);
    expect(correlation(ours.toReversed(), others)).toBeLessThan(0.75);
  });
});

function correlation(a: Uint8Array, b: Uint8Array): number {
  const [meanA, meanB] = [a, b].map((tones) => tones.reduce((sum, tone) => sum + tone, 0) / tones.length);
  let [both, ofA, ofB] = [0, 0, 0];
  for (let at = 0; at < a.length; at += 1) {
    const [x, y] = [a[at]! - meanA!, b[at]! - meanB!];
    both += x * y;
    ofA += x * x;
    ofB += y * y;
  }
  return both / Math.sqrt(ofA * ofB);
}
