import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { preflightFile } from '@atelier/imaging/preflight/preflight_file.ts';
import { expect, test } from 'vitest';
import { type PrintRequest, runPrint } from '../../src/core/workers/run_print.ts';
import { pdfx4Problems } from './pdfx4_rules.ts';

/** Whole sheets with the profiles that come with the service, judged from their bytes. */

const FOLDER = mkdtempSync(join(tmpdir(), 'atelier-sheets-'));
const path = fileURLToPath(
  new URL('../../src/features/print/profiles/shipped/coated_fogra39.icc', import.meta.url),
);
const request = (more: Partial<PrintRequest> = {}): PrintRequest => ({
  path: join(FOLDER, randomUUID()),
  deadlineMs: 60_000,
  bytes: ART,
  trimMm: { width: 60, height: 40 },
  bleedMm: 3,
  dpi: 150,
  fit: 'cover',
  orientation: 'auto',
  hasMarks: true,
  format: 'pdf',
  press: { name: 'coated_fogra39', path, registered: 'FOGRA39' },
  rendering: { intent: 'perceptual', blackPointCompensation: false },
  software: 'Atelier',
  title: 'A (small) sheet \\ ünd so',
  createdAt: '2026-10-09T14:59:00Z',
  documentId: randomUUID(),
  ...more,
});

/** What the worker tells, and the file it wrote. */
async function printed(wanted: PrintRequest) {
  const told = await runPrint(wanted);
  return { ...told, bytes: readFileSync(wanted.path) };
}

/** Left half orange, right half dark blue. */
const ART = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#e08030' } })
  .composite([
    {
      input: { create: { width: 150, height: 200, channels: 3, background: '#203060' } },
      left: 150,
      top: 0,
    },
  ])
  .png()
  .toBuffer();

const inksOf = async (tiff: Uint8Array) => {
  const { data, info } = await sharp(tiff)
    .pipelineColourspace('cmyk')
    .toColourspace('cmyk')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return {
    at: (x: number, y: number) => [...data.subarray(4 * (y * info.width + x), 4 * (y * info.width + x) + 4)],
    info,
  };
};

test.each([
  [{}],
  [{ hasMarks: false }],
  [{ bleedMm: 0 }],
  [{ bleedMm: 10, trimMm: { width: 210, height: 297 }, dpi: 150 }],
  [{ fit: 'contain' as const }],
])('a PDF with %j conforms to PDF/X-4', async (more) => {
  const { bytes } = await printed(request(more));
  expect(pdfx4Problems(bytes)).toEqual([]);
});

test.each(['pdf', 'tiff'] as const)('a %s has no errors in our own preflight', async (format) => {
  const { bytes } = await printed(request({ format, dpi: 300 }));
  const { findings } = await preflightFile({ bytes, standard: 'claimed' });
  expect(findings.filter(({ severity, rule }) => severity === 'error' && !isOfThePicture(rule))).toEqual([]);
});

/** What is wrong with the picture that was sent is not the fault of the sheet: it has 127 dpi. */
const isOfThePicture = (rule: string) => /below_150_dpi$/.test(rule);

test('the PDF/X-4 checks detect violations', async () => {
  const { bytes } = await printed(request());
  const changed = (from: string, to: string) =>
    Buffer.from(Buffer.from(bytes).toString('latin1').replace(from, to.padEnd(from.length)), 'latin1');
  expect(pdfx4Problems(changed('/PrintScaling /None', ''))).toEqual([
    'broken: pages are not scaled when printed',
  ]);
  expect(pdfx4Problems(changed('PDF/X-4</pdfxid', 'PDF/X-3</pdfxid'))).toEqual(['broken: XMP says PDF/X-4']);
  expect(pdfx4Problems(changed('/S /GTS_PDFX', '/S /GTS_PDFA1')).length).toBeGreaterThan(0);
  expect(pdfx4Problems(changed('/TrimBox', '/CropBox')).length).toBeGreaterThan(0);
});

test('the PDF has the same inks as the TIFF', async () => {
  const [pdf, tiff] = [await printed(request()), await printed(request({ format: 'tiff', hasMarks: false }))];
  expect(pdf.inks).toEqual(tiff.inks);
  expect(pdf.plan).toEqual(tiff.plan);
});

test('a TIFF is CMYK with exact size, resolution and profile', async () => {
  const { bytes, profile } = await printed(
    request({ format: 'tiff', trimMm: { width: 210, height: 297 }, dpi: 300, orientation: 'portrait' }),
  );
  const { width, height, space, channels, density, icc } = await sharp(bytes).metadata();
  expect({ width, height, space, channels, density }).toEqual({
    width: 2551,
    height: 3579,
    space: 'cmyk',
    channels: 4,
    density: 300,
  });
  expect(icc!.subarray(12, 20).toString()).toBe('prtrCMYK');
  expect(profile).toBe('Coated FOGRA39 (300%)');
});

test('the bleed continues the image on every side without bare paper', async () => {
  const { bytes, plan } = await printed(request({ format: 'tiff', hasMarks: false }));
  const { at, info } = await inksOf(bytes);
  expect(plan.trimAt).toEqual({ x: 18, y: 18 });
  const [orange, blue] = [at(60, 100), at(300, 100)];
  for (const place of [
    [0, 0],
    [0, 100],
    [5, info.height - 1],
  ] as [number, number][])
    expect(at(...place)).toEqual(orange);
  for (const place of [
    [info.width - 1, 0],
    [info.width - 1, 100],
  ] as [number, number][])
    expect(at(...place)).toEqual(blue);
});

test('TIFF crop marks lie in the bleed, align with the trim and stay visible', async () => {
  const { bytes } = await printed(request({ format: 'tiff' }));
  const { at, info } = await inksOf(bytes);
  expect(at(2, 18)).toEqual([255, 255, 255, 255]);
  expect(at(18, 2)).toEqual([255, 255, 255, 255]);
  expect(at(info.width - 3, 18)).not.toEqual(at(info.width - 3, 100));
  expect(at(17, 18)).toEqual(at(60, 100));
});

test('an image wider than the trim supplies its own bleed', async () => {
  const { plan } = await printed(request({ format: 'tiff', trimMm: { width: 40, height: 40 } }));
  expect(plan.pictureBleedMm.x).toBe(3);
  expect(plan.pictureBleedMm.y).toBeCloseTo(0, 9);
  expect(plan.keptShare).toBeCloseTo(2 / 3, 2);
});

test('the sheet follows the image orientation and reports the effective resolution', async () => {
  const { plan } = await printed(request({ trimMm: { width: 40, height: 60 } }));
  expect(plan.trimMm).toEqual({ width: 60, height: 40 });
  expect(plan.effectiveDpi).toBeCloseTo(127, 0);
});

test('the reported ink of black stays within the press limit', async () => {
  const black = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#000000' } })
    .png()
    .toBuffer();
  const { inks } = await printed(request({ bytes: black }));
  expect(inks.inkMaxPercent).toBeLessThanOrEqual(302);
  expect(inks.inkMaxPercent).toBeGreaterThan(280);
});

test('out-of-gamut colours are counted', async () => {
  const green = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#00ff00' } })
    .png()
    .toBuffer();
  expect((await printed(request({ bytes: green }))).inks.outOfGamutShare).toBe(1);
  expect((await printed(request())).inks.outOfGamutShare).toBeLessThan(0.01);
});

test('the colour difference between inks and image is reported', async () => {
  const green = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#00ff00' } })
    .png()
    .toBuffer();
  const [near, far] = [
    (await printed(request())).quality!,
    (await printed(request({ bytes: green }))).quality!,
  ];
  expect(near).toMatchObject({ compared_at: 'result_size' });
  expect(near.delta_e00_mean).toBeLessThan(8);
  expect(far.delta_e00_mean).toBeGreaterThan(15);
});

test('margins of a contained image do not count as its colours', async () => {
  const tall = await sharp({ create: { width: 40, height: 60, channels: 3, background: '#808080' } })
    .png()
    .toBuffer();
  const wish = { bytes: tall, orientation: 'landscape' } as const;
  const [fitted, filled] = [
    await printed(request({ ...wish, fit: 'contain' })),
    await printed(request({ ...wish, fit: 'cover' })),
  ];
  expect(fitted.quality!.delta_e00_p95).toBe(filled.quality!.delta_e00_p95);
});

test('hairlines are detected and lines twelve times as wide are not', async () => {
  const lines = (step: number) =>
    sharp(
      Buffer.from(
        Uint8Array.from({ length: 472 * 708 }, (_, at) => ((at % 708) % (4 * step) < step ? 0 : 255)),
      ),
      {
        raw: { width: 708, height: 472, channels: 1 },
      },
    )
      .png()
      .toBuffer();
  const share = async (step: number) =>
    (await printed(request({ bytes: await lines(step), dpi: 300, format: 'tiff', hasMarks: false }))).inks
      .thinShare;
  expect(await share(1)).toBeGreaterThan(0.1);
  expect(await share(12)).toBeLessThan(0.001);
});

test('a CMYK image without a profile or with the press profile keeps its inks', async () => {
  const tiff = (await printed(request({ format: 'tiff', hasMarks: false, bleedMm: 0 }))).bytes;
  const again = await printed(request({ bytes: tiff, format: 'tiff', hasMarks: false, bleedMm: 0 }));
  expect((await inksOf(again.bytes)).at(60, 100)).toEqual((await inksOf(tiff)).at(60, 100));
  expect(again.notes[0]).toContain('unchanged');
});

test('a CMYK image with another profile is converted', async () => {
  const other = await sharp(ART).withIccProfile('cmyk').tiff().toBuffer();
  const { notes, bytes } = await printed(request({ bytes: other, format: 'tiff', hasMarks: false }));
  expect(notes[0]).toContain('converted from Chemical proof');
  const [from, to] = [(await inksOf(other)).at(40, 60), (await inksOf(bytes)).at(60, 100)];
  expect(to).not.toEqual(from);
});

test.each([
  [{ width: 1, height: 1 }, 'at least 8'],
  [{ width: 400, height: 20 }, 'contain'],
])('artwork of %j is rejected with a reason before decoding', async ({ width, height }, words) => {
  const bytes = await sharp({ create: { width, height, channels: 3, background: '#123456' } })
    .png()
    .toBuffer();
  await expect(printed(request({ bytes }))).rejects.toMatchObject({
    code: 'unsuitable_image',
    message: expect.stringContaining(words),
    details: { errors: [{ field: 'image' }] },
  });
});

test('with contain the whole image is placed on paper margins', async () => {
  const { bytes, plan } = await printed(
    request({ format: 'tiff', fit: 'contain', trimMm: { width: 60, height: 60 }, hasMarks: false }),
  );
  const { at } = await inksOf(bytes);
  expect(plan.keptShare).toBe(1);
  expect(at(100, 2)).toEqual([0, 0, 0, 0]);
  expect(at(100, 200)).not.toEqual([0, 0, 0, 0]);
});

test('a sheet that would exceed the deadline is rejected early with a remedy', async () => {
  const poster = { trimMm: { width: 914.4, height: 609.6 }, dpi: 300 };
  const refused = printed(request({ ...poster, deadlineMs: 1000, jobDeadlineMs: 1e9 }));
  await expect(refused).rejects.toMatchObject({
    code: 'image_too_large',
    message: expect.stringMatching(/time limit of the call is 1 s.*dpi 150.*"async": true/),
    details: { errors: [{ field: 'dpi' }], members: { as_job: true } },
  });
});
