import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { DECODER_RESOURCES as resources } from '../../../../tests/support/decoder_resources.ts';
import { sharp } from '../codecs/sharp.ts';
import { SVG_PIXELS_MAX } from './limits.ts';
import { decodeSvg } from './svg.ts';

const svg = (inside: string, size = 'width="20" height="10"') =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${inside}</svg>`);
const HALF = '<rect width="10" height="10" fill="#f00" fill-opacity="0.5"/>';

test('an SVG is rendered at its intrinsic size with unpremultiplied colours', async () => {
  const picture = await decodeSvg(svg(HALF), { resources });
  expect(picture).toMatchObject({ width: 20, height: 10, channels: 4, warnings: [] });
  expect([...picture.data.slice(0, 4)]).toEqual([255, 0, 0, 128]);
  expect([...picture.data.slice(76, 80)]).toEqual([0, 0, 0, 0]);
});

test.each([
  ['width="1in" height="12.7mm"', undefined, [96, 48]],
  ['viewBox="0 0 30 40"', undefined, [30, 40]],
  ['width="20" height="10"', 288, [60, 30]],
] as const)('%s at %s dpi has %j pixels', async (size, dpi, [width, height]) => {
  expect(await decodeSvg(svg('', size), { dpi, resources })).toMatchObject({ width, height });
});

test('compressed and UTF-16 SVGs are decoded', async () => {
  const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(svg(HALF).toString(), 'utf16le')]);
  const plain = await decodeSvg(svg(HALF), { resources });
  expect(await decodeSvg(gzipSync(svg(HALF)), { resources })).toEqual(plain);
  expect(await decodeSvg(wide, { resources })).toEqual(plain);
});

test('text in an unknown font uses a bundled font and adds a warning', async () => {
  const bytes = svg('<text x="2" y="9" font-family="Unknown" font-size="10">ab</text>');
  const [written, without] = [
    await decodeSvg(bytes, { resources }),
    await decodeSvg(bytes, { resources: { ...resources, readFonts: () => [] } }),
  ];
  expect(written.data.some((sample) => sample > 0)).toBe(true);
  expect(without.data.some((sample) => sample > 0)).toBe(false);
  expect(written.warnings[0]).toMatch(/^Text in the SVG was set in a font of this server/);
});

test('external resources are not loaded and are reported', async () => {
  const link = await decodeSvg(svg('<image href="http://127.0.0.1/a.png" width="4" height="4"/>'), {
    resources,
  });
  const file = await decodeSvg(svg('<image href="/etc/hostname" width="4" height="4"/>'), { resources });
  expect(link.warnings[0]).toMatch(/^Images that the SVG links to were left out/);
  expect(file.data.every((sample) => sample === 0)).toBe(true);
});

test('an embedded image is rendered, and an oversized one is rejected before decoding', async () => {
  const png = await sharp({ create: { width: 2, height: 2, channels: 3, background: '#00f' } })
    .png()
    .toBuffer();
  const image = (bytes: Buffer) =>
    svg(`<image href="data:image/png;base64,${bytes.toString('base64')}" width="20" height="10"/>`);
  expect([...(await decodeSvg(image(png), { resources })).data.slice(440, 444)]).toEqual([0, 0, 255, 255]);
  const large = Buffer.from(png);
  large.writeUInt32BE(6000, 16);
  large.writeUInt32BE(6000, 20);
  await expect(decodeSvg(image(large), { resources })).rejects.toThrow('at most 200 of 12 million pixels');
});

const NESTED = Array.from(
  { length: 12 },
  (_, level) => `<g id="a${level + 1}">${`<use href="#a${level}"/>`.repeat(10)}</g>`,
);
test.each([
  ['a side beyond the bound', svg('', 'width="100000" height="100000"'), 'image_too_large'],
  ['groups inside groups', svg('<g>'.repeat(20_000) + '</g>'.repeat(20_000)), 'undecodable_image'],
  ['copies of copies', svg(`<g id="a0">${HALF}</g>${NESTED.join('')}`), 'undecodable_image'],
  ['a file that ends early', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><g'), 'undecodable_image'],
  ['text beyond the bound', gzipSync(Buffer.alloc(9 * 1024 * 1024, ' ')), 'image_too_large'],
])('%s is rejected, and the next SVG is rendered', async (_, bytes, code) => {
  await expect(decodeSvg(bytes, { resources })).rejects.toMatchObject({ code });
  expect((await decodeSvg(svg(HALF), { resources })).width).toBe(20);
});

test.each([
  ['rebeccapurple', [102, 51, 153, 255]],
  ['rgb(255 0 0 / 60%)', [255, 0, 0, 153]],
  ['hwb(120 0% 0%)', [0, 255, 0, 255]],
  ['oklch(0.7 0.1 200)', [64, 177, 183, 255]],
  ['rgb(1, 2, 3)', [1, 2, 3, 255]],
])('%s is parsed as a colour', async (color, sample) => {
  const { data, warnings } = await decodeSvg(
    svg(`<rect width="20" height="10" style="stroke:none; fill: ${color}"/>`),
    { resources },
  );
  expect([...data.subarray(0, 4)]).toEqual(sample);
  expect(warnings).toEqual([]);
});

test('an unsupported colour is reported', async () => {
  const { warnings } = await decodeSvg(svg('<rect width="20" height="10" fill="color(display-p3 1 0 0)"/>'), {
    resources,
  });
  expect(warnings).toEqual([expect.stringContaining('A colour color(…) of the SVG')]);
});

test.each([
  [
    { width: 400, height: 100 },
    { width: 400, height: 200 },
  ],
  [
    { width: 4, height: 4 },
    { width: 20, height: 10 },
  ],
])('an SVG rendered for %j covers that size and is at least its intrinsic size', async (drawnFor, size) => {
  expect(await decodeSvg(svg(HALF), { resources, drawnFor })).toMatchObject(size);
});

test('rendering for an oversized target stays within the pixel limit', async () => {
  const { width, height } = await decodeSvg(svg(HALF), {
    resources,
    drawnFor: { width: 8000, height: 8000 },
  });
  expect([width * height <= SVG_PIXELS_MAX, width > 4000]).toEqual([true, true]);
});
