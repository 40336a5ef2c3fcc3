import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { quietCall } from '../../../../tests/support/quiet_call.ts';
import { writePdf } from '../../../../tests/support/write_pdf.ts';
import { writeTiffParts } from '../../../../tests/support/write_tiff_parts.ts';
import { createLinks } from '../../../core/links/links.ts';
import { createFileObjects } from '../../../core/storage/objects/file_objects.ts';
import { createPixels } from '../../../core/workers/workers.ts';
import { createResults } from '../../assets/results/results.ts';
import type { CallContext } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import { createPressProfiles } from '../profiles/press_profiles.ts';
import { preflightFile } from './preflight_file.ts';
import { printReady } from './print_ready.ts';

const pixels = createPixels({ workers: 1, pixelsInFlightMax: 1e8, queueLengthMax: 1, deadlineMs: 60_000 });
afterAll(() => pixels.close());
const folder = await mkdtemp(join(tmpdir(), 'atelier-preflight-'));
const results = createResults({
  objects: createFileObjects(folder),
  links: createLinks({ publicUrl: 'https://here/', secret: 's'.repeat(32) }),
});

async function checked(bytes: Uint8Array, more: object = {}, call: Partial<CallContext> = {}) {
  const services = {
    pixels,
    results,
    images: { read: async () => bytes },
    pressProfiles: createPressProfiles({ folder: undefined }),
  } as unknown as Services;
  const answer = await preflightFile.run(
    preflightFile.input.parse({ file: 'upload:x', ...more }),
    services,
    quietCall(call),
  );
  return preflightFile.output.strict().parse(answer);
}

test('a clean PDF/X-4 passes the standard that it claims', async () => {
  const { passes, looked_at, counts } = await checked(writePdf('pdfx4'));
  expect(passes).toBe(true);
  expect(looked_at).toMatchObject({
    kind: 'pdf',
    version: 'PDF 1.6',
    claimed: 'PDF/X-4',
    judged_by: 'pdfx4',
    pages: 1,
  });
  expect(looked_at.trim_mm).toEqual({ width: 91.72, height: 56.44 });
  expect(counts.error).toBe(0);
});

test('a finding has a location and is marked in a downloadable drawing', async () => {
  const { passes, findings, drawings } = await checked(
    writePdf('pdfx4', { content: '5 5 290 190 re f 1 0 0 rg 50 50 60 60 re f' }),
  );
  expect(passes).toBe(false);
  const [found] = findings;
  expect(found).toMatchObject({ rule: 'rgb_without_profile', page: 1, mark: 1 });
  expect(found!.box_mm).toEqual({ left: 17.64, top: 31.75, width: 21.17, height: 21.17 });
  const kept = await results.open(drawings[0]!.result.replace('result:', ''));
  expect(Buffer.from(kept.bytes.subarray(1, 4)).toString()).toBe('PNG');
});

test('a standard other than the claimed one can be selected', async () => {
  const { looked_at, findings } = await checked(writePdf('pdfx4'), { standard: 'pdfx1a' });
  expect(looked_at.judged_by).toBe('pdfx1a');
  expect(findings.map(({ rule }) => rule)).toContain('version_too_new');
});

test('an RGB TIFF is reported and the next step repairs it', async () => {
  const answer = await checked(writeTiffParts({ color: [9, 9, 9], tags: { 262: { type: 3, values: [2] } } }));
  expect(answer.findings.map(({ rule }) => rule)).toContain('tiff_rgb');
  const next = preflightFile.next!(
    answer,
    { file: 'upload:x', standard: 'claimed', fix: false, outlines: false },
    {},
  );
  expect(next).toMatchObject([{ tool: 'preflight_file', params: { file: 'upload:x', fix: true } }]);
});

test('a clean file passes with a summary of one sentence', async () => {
  const { verdict, summary, gravest } = await checked(writePdf('pdfx4'));
  expect([verdict, gravest]).toEqual(['pass', []]);
  expect(summary).toBe('Nothing was found that keeps it from printing as meant.');
});

test.each([
  ['of a standard family is repaired', 'Helvetica', {}, { tool: 'preflight_file', params: { fix: true } }],
  [
    'that no repair replaces becomes pixels',
    'Symbol',
    { fix: true },
    { tool: 'print_ready', params: { image: 'upload:x', output_format: 'pdf', custom_width_mm: 91.72 } },
  ],
])('an error fails the check and comes with a ready-to-send call: a font %s', async (_, font, fix, call) => {
  const { verdict, summary, gravest } = await checked(
    writePdf('pdfx4', {
      content: '0 0 0 1 k 5 5 290 190 re f BT /F 20 Tf 60 60 Td (a) Tj ET',
      resources: `/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /${font} >> >>`,
    }),
    fix,
  );
  expect(verdict).toBe('fail');
  expect(summary).toMatch(/^It will not print as meant, or breaks its standard: 1 error\b.*First: /);
  expect(gravest[0]!.mend).toMatchObject(call);
  if (call.tool === 'print_ready') printReady.input.parse(gravest[0]!.mend!.params);
});

test('at most three distinct rules are listed as most severe', async () => {
  const { gravest } = await checked(writePdf('pdfx4'), { standard: 'pdfx1a' });
  const rules = gravest.map(({ rule }) => rule);
  expect(rules.length).toBeLessThanOrEqual(3);
  expect(new Set(rules).size).toBe(rules.length);
});

test('an aborted request stops the check', async () => {
  const signal = AbortSignal.abort();
  await expect(checked(writePdf('pdfx4'), {}, { signal })).rejects.toThrow();
});

test('with fix, an RGB card without bleed is returned without errors', async () => {
  const bytes = writePdf('none', { boxes: '', intents: '[]', content: '1 0 0 rg 0 0 300 200 re f' });
  const { summary, repaired, gravest } = await checked(bytes, { fix: true });
  expect(repaired).toMatchObject({ before: { verdict: 'warn' }, after: { verdict: 'pass', warning: 0 } });
  expect(summary).toMatch(/The repaired file has 0 errors and 0 warnings\.$/);
  const kept = await results.open(repaired!.file!.result.replace('result:', ''));
  expect((await checked(new Uint8Array(kept.bytes))).verdict).toBe('pass');
  expect(gravest.every(({ mend }) => mend === undefined)).toBe(true);
});

test('a repairable finding comes with the repair call', async () => {
  const bytes = writePdf('pdfx4', { boxes: '' });
  expect((await checked(bytes)).gravest[0]!.mend).toEqual({
    tool: 'preflight_file',
    params: { file: 'upload:x', fix: true },
    why: 'Text and vectors stay live',
  });
});

test('with fix, an RGB TIFF is returned as a CMYK TIFF without errors', async () => {
  const sent = writeTiffParts({ color: [200, 80, 20], tags: { 262: { type: 3, values: [2] } } });
  const { repaired } = await checked(sent, { fix: true });
  expect(repaired).toMatchObject({
    file: { content_type: 'image/tiff' },
    after: { error: 0, warning: 0, verdict: 'pass' },
  });
});
