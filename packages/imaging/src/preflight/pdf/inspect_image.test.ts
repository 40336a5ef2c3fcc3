import { expect, test } from 'vitest';
import { sharp } from '../../codecs/sharp.ts';
import { unlimitedBudget } from '../work_budget.ts';
import { CMYK } from './color_space.ts';
import { PdfDocument } from './document.ts';
import type { PdfImage } from './images.ts';
import { inspectImage } from './inspect_image.ts';
import { Name, PdfStream } from './values.ts';

/** A white CMYK JPEG as image editors store it: inverted, with an Adobe marker. */
const PAPER = await sharp({ create: { width: 32, height: 32, channels: 3, background: 'white' } })
  .toColourspace('cmyk')
  .jpeg({ quality: 95 })
  .toBuffer();

/** Without the APP14 segment (Adobe marker). */
const UNMARKED = (() => {
  const at = PAPER.indexOf(Buffer.from([0xff, 0xee]));
  return Buffer.concat([PAPER.subarray(0, at), PAPER.subarray(at + 2 + PAPER.readUInt16BE(at + 2))]);
})();

const DOCUMENT = new PdfDocument(
  Buffer.from('%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n'),
  unlimitedBudget(),
);

async function inkOf(jpeg: Uint8Array, isInverted: boolean): Promise<number> {
  const stream = new PdfStream(new Map([['Filter', new Name('DCTDecode')]]), jpeg);
  const image: PdfImage = {
    key: '',
    stream,
    width: 32,
    height: 32,
    bits: 8,
    isStencil: false,
    space: CMYK,
    filters: ['DCTDecode'],
    hasSoftMask: false,
    isInverted,
  };
  const inspection = await inspectImage(DOCUMENT, image);
  return inspection === 'too_much_work' ? Number.NaN : (inspection?.inkPercent ?? Number.NaN);
}

test.each([
  ['marked by Adobe', PAPER],
  ['without a marker', UNMARKED],
])('the polarity of a CMYK JPEG %s depends only on its Decode array', async (_name, jpeg) => {
  expect(await inkOf(jpeg, true)).toBeLessThan(4);
  expect(await inkOf(jpeg, false)).toBeGreaterThan(396);
});
