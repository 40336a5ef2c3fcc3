import { deflateSync } from 'node:zlib';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { ADOBE_RGB, type ColorCoding, codingOf } from '@atelier/imaging/color/color_coding.ts';
import { writeProfile } from '@atelier/imaging/color/write_profile.ts';
import { withProfile } from '@atelier/imaging/metadata/containers/color_profile.ts';
import { pngChunk } from '@atelier/imaging/pixels/png_chunks.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, type Page, startChromium } from '../support/chromium.ts';
import { openTestApp, type TestApp } from '../support/open_test_app.ts';
import { needs } from '../support/test_requirements.ts';

/** Files that say in odd ways what their colours are, converted to sRGB here and shown by Chromium. */

const SIDE = 16;
/** A row of squares: light, dark, saturated and grey, none at an end where clipping would hide a difference. */
const COLORS = [
  [200, 100, 50],
  [60, 120, 200],
  [90, 170, 80],
  [128, 128, 128],
  [30, 40, 24],
  [230, 220, 200],
  [150, 60, 130],
  [180, 180, 40],
] as const;
const GREYS = [20, 60, 90, 128, 160, 190, 220, 245];
const WIDTH = SIDE * COLORS.length;

type Pixel = readonly number[];
/** Samples of the squares, of any number of channels and 8 or 16 bits, big-endian. */
function rowsOf(pixels: readonly Pixel[], bits: 8 | 16): Buffer {
  const row = pixels.flatMap((pixel) =>
    Array.from({ length: SIDE }, () =>
      pixel.flatMap((value) => (bits === 8 ? [value] : [value, (value * 7) % 256])),
    ).flat(),
  );
  return Buffer.from(Array.from({ length: SIDE }, () => [0, ...row]).flat());
}

interface PngParts {
  readonly pixels?: readonly Pixel[];
  readonly bits?: 8 | 16;
  readonly type?: number;
  readonly palette?: boolean;
}

/** A PNG with chunks about its colours. */
function png(
  chunks: readonly Buffer[],
  { pixels = COLORS, bits = 8, type = 2, palette }: PngParts = {},
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(SIDE, 4);
  header.set([bits, palette ? 3 : type], 8);
  const indices = pixels.map((_, index) => [index]);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    ...chunks,
    ...(palette ? [pngChunk('PLTE', Buffer.from(pixels.flat() as number[]))] : []),
    pngChunk('IDAT', deflateSync(rowsOf(palette ? indices : pixels, bits))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

const numbers = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(Math.round(value), 4 * index);
  return bytes;
};
const gama = (exponent: number) => pngChunk('gAMA', numbers(100_000 / exponent));
const chrm = (...corners: number[]) => pngChunk('cHRM', numbers(...corners.map((value) => value * 100_000)));
const cicp = (primaries: number, transfer: number) =>
  pngChunk('cICP', Buffer.from([primaries, transfer, 0, 1]));
const iccp = (profile: Buffer) =>
  pngChunk('iCCP', Buffer.concat([Buffer.from('x\0\0'), deflateSync(profile)]));
const SRGB_CHUNK = pngChunk('sRGB', Buffer.from([0]));
const D65 = [0.3127, 0.329] as const;
const ADOBE_CHRM = chrm(...D65, 0.64, 0.33, 0.21, 0.71, 0.15, 0.06);
const P3_CHRM = chrm(...D65, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06);
const D50_CHRM = chrm(0.3457, 0.3585, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06);

const PROPHOTO: ColorCoding = {
  name: 'ProPhoto',
  primaries: {
    red: [0.7347, 0.2653],
    green: [0.1596, 0.8404],
    blue: [0.0366, 0.0001],
    white: [0.3457, 0.3585],
  },
  transfer: { gamma: 1.8 },
};
const withCurve = (coding: ColorCoding, transfer: ColorCoding['transfer']): ColorCoding => ({
  ...coding,
  name: `${coding.name} ${JSON.stringify(transfer)}`,
  transfer,
});
const P3 = codingOf(12, 13)!;
const BT2020 = codingOf(9, 13)!;
const SWAPPED: ColorCoding = {
  ...P3,
  name: 'red and blue exchanged',
  primaries: { ...P3.primaries, red: P3.primaries.blue, blue: P3.primaries.red },
};
const PROFILES: Readonly<Record<string, Buffer>> = Object.fromEntries(
  [P3, ADOBE_RGB, BT2020, PROPHOTO, SWAPPED, withCurve(P3, 'linear'), withCurve(P3, { gamma: 1.8 })].map(
    (coding) => [coding.name, writeProfile(coding, 'rgb')],
  ),
);
const grey = { pixels: GREYS.map((value) => [value]), type: 0 };
const GREY_PROFILE = writeProfile({ ...P3, name: 'grey', transfer: { gamma: 1.8 } }, 'grey');

function pngs(): [string, Buffer][] {
  const files: [string, Buffer][] = [];
  for (const exponent of [1, 1.4, 1.8, 2.2, 2.6])
    for (const [name, chunks] of [
      ['', []],
      [', chromaticities of Adobe RGB', [ADOBE_CHRM]],
      [', of P3', [P3_CHRM]],
    ] as const)
      files.push([`PNG gamma ${exponent}${name}`, png([gama(exponent), ...chunks])]);
  for (const primaries of [1, 5, 9, 12])
    for (const transfer of [1, 4, 5, 6, 8, 13])
      files.push([`PNG cICP ${primaries}/${transfer}`, png([cicp(primaries, transfer)])]);
  for (const [name, profile] of Object.entries(PROFILES)) {
    files.push([`PNG iCCP ${name}`, png([iccp(profile)])]);
    files.push([`PNG of 16 bits, iCCP ${name}`, png([iccp(profile)], { bits: 16 })]);
  }
  const p3 = PROFILES[P3.name]!;
  files.push(
    ['PNG without a word', png([])],
    ['PNG sRGB against gAMA', png([SRGB_CHUNK, gama(1)])],
    ['PNG iCCP against gAMA', png([gama(1), iccp(p3)])],
    ['PNG iCCP against sRGB', png([SRGB_CHUNK, iccp(p3)])],
    ['PNG cICP against iCCP', png([cicp(1, 13), iccp(PROFILES[SWAPPED.name]!)])],
    ['PNG cICP against gAMA', png([cicp(12, 13), gama(1)])],
    ['PNG white of D50', png([gama(2.2), D50_CHRM])],
    ['PNG of 16 bits, linear', png([gama(1)], { bits: 16 })],
    ['PNG of 16 bits, cICP of P3', png([cicp(12, 13)], { bits: 16 })],
    ['PNG with a palette, linear', png([gama(1)], { palette: true })],
    ['PNG with a palette, iCCP of P3', png([iccp(p3)], { palette: true })],
    ['PNG of grey, linear', png([gama(1)], grey)],
    ['PNG of grey, its profile', png([iccp(GREY_PROFILE)], grey)],
  );
  return files;
}

async function others(): Promise<[string, Buffer][]> {
  const plain = sharp(png([]));
  const jpeg = await plain.clone().jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer();
  const webp = await plain.clone().webp({ lossless: true }).toBuffer();
  const size = { width: WIDTH, height: SIDE };
  return Object.entries(PROFILES).flatMap(([name, icc]) => [
    [`JPEG ${name}`, Buffer.from(withProfile(jpeg, 'jpeg', { icc, size })!)],
    [`WebP ${name}`, Buffer.from(withProfile(webp, 'webp', { icc, size })!)],
  ]);
}

/** More than 8 bits go by way of Display P3 in libvips. */
const levelsOf = (name: string): number => (name.includes('16 bits') ? 3 : 2);

/** The middle of each square. */
const MIDDLES = COLORS.map((_, index) => SIDE * index + SIDE / 2);

async function shownBy(page: Page, file: Buffer): Promise<number[]> {
  const base64 = file.toString('base64');
  return page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${base64}'), (one) => one.charCodeAt(0));
    const image = new Image();
    image.src = URL.createObjectURL(new Blob([bytes]));
    await image.decode();
    const canvas = new OffscreenCanvas(${WIDTH}, ${SIDE});
    const context = canvas.getContext('2d', { colorSpace: 'srgb' });
    context.imageSmoothingEnabled = false;
    context.drawImage(image, 0, 0, ${WIDTH}, ${SIDE});
    return ${JSON.stringify(MIDDLES)}.flatMap((x) => [...context.getImageData(x, ${SIDE / 2}, 1, 1).data].slice(0, 3));
  })()`);
}

describe('colours', needs('Chromium'), () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    app = await openTestApp();
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  test.each([
    ['srgb', 'convert_image', {}],
    ['keep', 'convert_image', {}],
    ['keep', 'resize_image', { width: WIDTH / 2, height: SIDE / 2, mode: 'stretch' }],
  ] as const)(
    'of files with unusual colour encodings (%s, %s) match Chromium within 2 levels',
    async (color, tool, size) => {
      const page = await browser.open({ width: 200, height: 200 });
      const files = [...pngs(), ...(await others())];
      expect(files.length).toBeGreaterThanOrEqual(60);
      const wrong: string[] = [];
      for (const [name, file] of files) {
        const image = file.toString('base64');
        const { body } = await app.post(`/api/tools/${tool}`, { image, format: 'png', color, ...size });
        if (!body.image_b64) {
          wrong.push(`${name}: ${body.detail}`);
          continue;
        }
        const made = Buffer.from(body.image_b64, 'base64');
        const [found, shown] = [await shownBy(page, made), await shownBy(page, file)];
        const worst = Math.max(...found.map((value, at) => Math.abs(value - shown[at]!)));
        if (worst > levelsOf(name))
          wrong.push(`${name}: ${worst} levels, ${found.join(' ')} for ${shown.join(' ')}`);
      }
      expect(wrong).toEqual([]);
    },
  );
});
