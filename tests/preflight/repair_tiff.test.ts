import { fileURLToPath } from 'node:url';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { expect, test } from 'vitest';
import { runPreflight } from '../../src/core/workers/run_preflight.ts';
import { short, writeTiffParts } from '../support/write_tiff_parts.ts';
import { BROKEN_TIFFS } from './broken_tiffs.ts';

const PROFILE = new URL('../../src/features/print/profiles/shipped/coated_fogra39.icc', import.meta.url);
const press = { name: 'coated_fogra39', path: fileURLToPath(PROFILE), registered: 'FOGRA39' };
const fixed = (bytes: Uint8Array) => runPreflight({ bytes, standard: 'claimed', repairFor: press });

const MENDED = [
  ...['tiff_rgb', 'tiff_other_colors', 'tiff_profile_missing', 'tiff_profile_wrong'],
  ...['tiff_resolution_missing', 'tiff_layers', 'tiff_16_bit', 'tiff_turned', 'tiff_big'],
  ...['tiff_total_ink', 'tiff_much_ink'],
];

test.each(BROKEN_TIFFS.filter(({ rule }) => MENDED.includes(rule)))(
  'a TIFF repair fixes $rule and introduces no other violation',
  async ({ rule, bytes }) => {
    const { findings, repair } = await fixed(bytes());
    const before = new Set(findings.map((finding) => finding.rule));
    const after = repair!.after!.findings.map((finding) => finding.rule);
    expect([after.includes(rule), after.filter((one) => !before.has(one))]).toEqual([false, []]);
    expect(repair!.changes.length).toBeGreaterThan(0);
  },
);

test.each([
  ['tiff_pages_many', /2 images.*Send each separately/],
  ['tiff_spot_channels', /may be spot colours/],
  ['tiff_other_inks', /may be spot colours/],
  ['tiff_line_art_below_550_dpi', /line art/],
  ['tiff_cut_off', /cannot be read/],
])('a TIFF that violates %s is left unchanged with a reason', async (rule, why) => {
  const { bytes } = BROKEN_TIFFS.find((one) => one.rule === rule)!;
  const { repair } = await fixed(bytes());
  expect([repair!.bytes, repair!.left.join(' ')]).toEqual([undefined, expect.stringMatching(why)]);
});

test('transparency is flattened on white and neutral colours use only black ink', async () => {
  const clear = await sharp({
    create: { width: 40, height: 20, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0.5 } },
  })
    .tiff({ compression: 'lzw' })
    .withMetadata({ density: 300 })
    .toBuffer();
  const { repair } = await fixed(clear);
  const { data, info } = await sharp(repair!.bytes!)
    .pipelineColourspace('cmyk')
    .toColourspace('cmyk')
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect([info.channels, info.width, info.height, ...data.subarray(0, 3)]).toEqual([4, 40, 20, 0, 0, 0]);
  expect(data[3]).toBeGreaterThan(80);
  expect(data[3]).toBeLessThan(200);
  expect(repair!.changes.join(' ')).toContain('flattened onto white');
});

test('a missing resolution is written and reported with the resulting size', async () => {
  const { repair } = await fixed(writeTiffParts({ tags: { 282: undefined, 262: short(5) } }));
  expect(repair!.changes.join(' ')).toMatch(/300 dpi was set, which makes it \d+ × \d+ mm/);
});
