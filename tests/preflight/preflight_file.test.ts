import { preflightFile } from '@atelier/imaging/preflight/preflight_file.ts';
import { RULES } from '@atelier/imaging/preflight/rules/rules.ts';
import { expect, test } from 'vitest';
import { type PdfParts, writePdf } from '../support/write_pdf.ts';
import { writeTiffParts } from '../support/write_tiff_parts.ts';
import { BROKEN_PDFS } from './broken_pdfs.ts';
import { BROKEN_TIFFS } from './broken_tiffs.ts';

const look = (bytes: Uint8Array, standard: 'claimed' | PdfParts['standard'] = 'claimed') =>
  preflightFile({ bytes, standard });

test.each(['pdfx1a', 'pdfx3', 'pdfx4'] as const)(
  'a clean %s has no errors and no warnings',
  async (standard) => {
    const report = await look(writePdf(standard));
    expect(report.findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
    expect(report.standard).toBe(standard);
  },
);

test('a clean CMYK TIFF has no errors', async () => {
  const { findings } = await look(writeTiffParts());
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
});

test.each(BROKEN_PDFS)(
  'a violation of $rule is reported with its remedy',
  async ({ rule, bytes, judgedBy, place }) => {
    const { findings } = await look(bytes(), judgedBy);
    const found = findings.find((one) => one.rule === rule);
    expect(found, findings.map((one) => one.rule).join(' ')).toBeDefined();
    expect(found).toMatchObject({ remedy: expect.stringMatching(/\.$/), ...place });
  },
);

test.each(BROKEN_TIFFS)('a violation of $rule in a TIFF is reported', async ({ rule, bytes }) => {
  const { findings } = await look(bytes());
  expect(findings.map((one) => one.rule)).toContain(rule);
});

test('every rule has a test file that violates it', () => {
  const broken = new Set([...BROKEN_PDFS, ...BROKEN_TIFFS].map(({ rule }) => rule));
  expect(RULES.map(({ id }) => id).filter((id) => !broken.has(id))).toEqual([]);
});
