import { expect, test } from 'vitest';
import { DECODER_RESOURCES as resources } from '../../../../tests/support/decoder_resources.ts';
import { type PdfParts, writePdf } from '../../../../tests/support/write_pdf.ts';
import { decodePdf } from './pdf.ts';
import type { DecodedPicture } from './types.ts';

/** A page of 1 × 0.5 inches, the left half red. */
const SMALL: Partial<PdfParts> = {
  mediaBox: '/MediaBox [0 0 72 36]',
  boxes: '',
  intents: '[]',
  content: '1 0 0 rg 0 0 36 36 re f',
};
const pdf = (change: Partial<PdfParts> = {}) => writePdf('none', { ...SMALL, ...change });
const pixel = ({ width, data }: DecodedPicture, x: number, y: number) => [
  ...data.slice(3 * (y * width + x), 3 * (y * width + x) + 3),
];
const RED = [255, 0, 0];
const WHITE = [255, 255, 255];

test('the first page is rendered on white at 150 dpi', async () => {
  const picture = await decodePdf(pdf(), { resources });
  expect(picture).toMatchObject({ width: 150, height: 75, channels: 3, pages: undefined, warnings: [] });
  expect([pixel(picture, 10, 10), pixel(picture, 140, 70)]).toEqual([RED, WHITE]);
});

test('a requested resolution is used within limits', async () => {
  expect(await decodePdf(pdf(), { dpi: 300, resources })).toMatchObject({ width: 300, height: 150 });
  await expect(decodePdf(pdf(), { dpi: 5000, resources })).rejects.toThrow('10 to 1200 dpi, not 5000');
});

test('page rotation and UserUnit are applied', async () => {
  expect(await decodePdf(pdf({ page: '/Rotate 90' }), { resources })).toMatchObject({
    width: 75,
    height: 150,
  });
  expect(await decodePdf(pdf({ page: '/UserUnit 2' }), { resources })).toMatchObject({
    width: 300,
    height: 150,
  });
});

test('a page too large for 150 dpi is rendered smaller, or rejected if dpi was requested', async () => {
  // 30 × 30 inches are 20 million pixels at 150 dpi, 60 × 60 are 81 million.
  const large = pdf({ mediaBox: '/MediaBox [0 0 4320 4320]' });
  await expect(decodePdf(large, { dpi: 150, resources })).rejects.toThrow(
    '9000 × 9000 pixels; at most 40 million',
  );
  const huge = pdf({ mediaBox: '/MediaBox [0 0 14400 14400]', page: '/UserUnit 1000' });
  await expect(decodePdf(huge, { resources })).rejects.toThrow('at most 40 million');
});

test('the requested page is rendered, and a missing page is rejected', async () => {
  const second = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 36 36] >>';
  const bytes = pdf({ objects: [second], morePages: '20 0 R' });
  const whole = Buffer.from(bytes.toString().replace('/Count 1', '/Count 2'), 'latin1');
  expect(await decodePdf(whole, { page: 2, resources })).toMatchObject({ width: 75, height: 75, pages: 2 });
  await expect(decodePdf(whole, { page: 3, resources })).rejects.toThrow('Send a number from 1 to 2');
});

test('a password-protected PDF is rejected with a fix', async () => {
  const zeros = `<${'00'.repeat(32)}>`;
  const encrypt = `/Encrypt << /Filter /Standard /V 1 /R 2 /O ${zeros} /U ${zeros} /P -4 >>`;
  const id = '/ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]';
  await expect(decodePdf(pdf({ trailer: `${id} ${encrypt}` }), { resources })).rejects.toMatchObject({
    code: 'unsupported_image',
    message: 'The PDF is protected by a password. Save it without one and send it again.',
  });
});

test('a PDF header without a document is rejected', async () => {
  await expect(decodePdf(Buffer.from('%PDF-1.4\nnothing'), { resources })).rejects.toMatchObject({
    code: 'undecodable_image',
  });
});

test('the PDF library leaves no process error listeners behind', async () => {
  const before = process.listenerCount('uncaughtException') + process.listenerCount('unhandledRejection');
  await decodePdf(pdf(), { resources });
  const after = process.listenerCount('uncaughtException') + process.listenerCount('unhandledRejection');
  expect(after).toBe(before);
});
