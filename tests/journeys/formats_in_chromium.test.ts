import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { FORMAT_TRAITS, OUTPUT_FORMATS } from '@atelier/imaging/encoders/formats.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, type Page, startChromium } from '../support/chromium.ts';
import { openTestApp, type TestApp } from '../support/open_test_app.ts';
import { needs } from '../support/test_requirements.ts';
import { type Rgba, writeBmp } from '../support/write_bmp.ts';

/** Files in the variants of their formats, read and written here and by others. */

const [WIDTH, HEIGHT] = [96, 64];
/** Soft shapes, so that a pixel or half of one is a difference, and chroma at half the size is none. */
const sampleAt = (x: number, y: number, channel: number): number =>
  Math.round(128 + 90 * Math.sin(x / 15 + 2 * channel) * Math.cos(y / 11 - channel));
const samples = (channels: number) =>
  Uint8Array.from({ length: WIDTH * HEIGHT * channels }, (_, at) => {
    const [pixel, channel] = [Math.floor(at / channels), at % channels];
    const [x, y] = [pixel % WIDTH, Math.floor(pixel / WIDTH)];
    return channel === 3 ? (x < 60 ? 255 : 120) : sampleAt(x, y, channel);
  });
const picture = (channels: 3 | 4 = 3) =>
  sharp(samples(channels), { raw: { width: WIDTH, height: HEIGHT, channels } });
const bmpRows: Rgba[][] = Array.from({ length: HEIGHT }, (_, y) =>
  Array.from(
    { length: WIDTH },
    (__, x) => [sampleAt(x, y, 0), sampleAt(x, y, 1), sampleAt(x, y, 2), 255] as const,
  ),
);
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><rect width="96" height="64" fill="#eee"/><rect width="60" height="64" fill="#3a7"/><circle cx="70" cy="30" r="20" fill="#639"/></svg>`;

/** Name, file, and the levels a decoder may differ by: enlarged chroma is rounded in several ways. */
async function inputs(): Promise<[name: string, file: Buffer, levels: number][]> {
  const grey = () => picture().toColourspace('b-w');
  return [
    ['PNG', await picture().png().toBuffer(), 0],
    ['PNG, interlaced', await picture().png({ progressive: true }).toBuffer(), 0],
    ['PNG with opacity', await picture(4).png().toBuffer(), 2],
    ['PNG with a palette', await picture().png({ palette: true, colours: 200 }).toBuffer(), 0],
    ['PNG with 4 bits', await picture().png({ palette: true, colours: 16 }).toBuffer(), 0],
    ['PNG of grey', await grey().png().toBuffer(), 0],
    ['PNG of 16 bits', await picture().toColourspace('rgb16').png().toBuffer(), 1],
    ['JPEG', await picture().jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer(), 2],
    ['JPEG, chroma at half', await picture().jpeg({ quality: 95 }).toBuffer(), 6],
    ['JPEG, progressive', await picture().jpeg({ quality: 95, progressive: true }).toBuffer(), 6],
    ['JPEG of grey', await grey().jpeg({ quality: 95 }).toBuffer(), 1],
    ...(await Promise.all(
      [3, 6, 8].map(
        async (orientation): Promise<[string, Buffer, number]> => [
          `JPEG with orientation ${orientation}`,
          await picture()
            .withMetadata({ orientation })
            .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
            .toBuffer(),
          2,
        ],
      ),
    )),
    ['WebP', await picture().webp({ quality: 95 }).toBuffer(), 8],
    ['WebP without loss', await picture().webp({ lossless: true }).toBuffer(), 0],
    ['WebP with opacity', await picture(4).webp({ lossless: true }).toBuffer(), 4],
    ['AVIF', await picture().avif({ quality: 90, chromaSubsampling: '4:4:4' }).toBuffer(), 3],
    ['AVIF, chroma at half', await picture().avif({ quality: 90, chromaSubsampling: '4:2:0' }).toBuffer(), 8],
    ['AVIF with opacity', await picture(4).avif({ quality: 90, chromaSubsampling: '4:4:4' }).toBuffer(), 4],
    ['GIF', await picture().gif().toBuffer(), 0],
    ['BMP of 24 bits', Buffer.from(writeBmp({ bits: 24, rows: bmpRows })), 0],
    ['BMP from the top', Buffer.from(writeBmp({ bits: 24, rows: bmpRows, isTopDown: true })), 0],
    ['SVG, with edges between pixels', Buffer.from(SVG), 40],
  ];
}

interface Shown {
  readonly width: number;
  readonly height: number;
  readonly rgba: readonly number[];
}

/** As a browser shows it: every third pixel of every third row. */
const STEP = 3;
async function shownBy(page: Page, file: Buffer, type = ''): Promise<Shown> {
  return page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${file.toString('base64')}'), (one) => one.charCodeAt(0));
    const image = new Image();
    image.src = URL.createObjectURL(new Blob([bytes], { type: '${type}' }));
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    const rgba = [];
    for (let y = 1; y < height; y += ${STEP})
      for (let x = 1; x < width; x += ${STEP}) rgba.push(...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 4));
    return { width, height, rgba };
  })()`);
}

function differenceOf(one: Shown, other: Shown): number {
  if (one.width !== other.width || one.height !== other.height) return Number.POSITIVE_INFINITY;
  return Math.max(...one.rgba.map((value, at) => Math.abs(value - other.rgba[at]!)));
}

describe('formats', needs('Chromium'), () => {
  let app: TestApp;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    app = await openTestApp();
    browser = await startChromium();
    page = await browser.open({ width: 200, height: 200 });
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });
  const convert = async (file: Buffer, more: object): Promise<Buffer> => {
    const { body } = await app.post('/api/tools/convert_image', { image: file.toString('base64'), ...more });
    expect(body.detail).toBeUndefined();
    return Buffer.from(body.image_b64, 'base64');
  };

  test('are decoded as in Chromium', async () => {
    const wrong: string[] = [];
    for (const [name, file, levels] of await inputs()) {
      const shown = await shownBy(page, file, name.startsWith('SVG') ? 'image/svg+xml' : '');
      const difference = differenceOf(await shownBy(page, await convert(file, { format: 'png' })), shown);
      if (difference > levels) wrong.push(`${name}: ${difference} levels`);
    }
    expect(wrong).toEqual([]);
  });

  test.each(OUTPUT_FORMATS.filter((format) => format !== 'pdf' && format !== 'tiff'))(
    'a %s opens in Chromium with the same colours',
    async (format) => {
      const file = await picture().png().toBuffer();
      const made = await shownBy(page, await convert(file, { format, quality: 100 }));
      const { isReduced } = FORMAT_TRAITS[format];
      if (isReduced) expect([made.width, made.height]).toEqual([64, 64]);
      else {
        const levels = format === 'gif' ? 40 : format === 'webp' ? 12 : 4;
        expect(differenceOf(made, await shownBy(page, file))).toBeLessThanOrEqual(levels);
      }
    },
  );

  test('ExifTool counts the same pages and frames as the input', needs('ExifTool'), async () => {
    const tall = { width: WIDTH, height: HEIGHT, channels: 3, pageHeight: HEIGHT / 4 } as const;
    const frames = await sharp(samples(3), { raw: tall })
      .gif({ delay: [100, 200, 300, 400] })
      .toBuffer();
    const folder = mkdtempSync(join(tmpdir(), 'atelier-formats-'));
    const tagsOf = (name: string, file: Buffer): Record<string, unknown> => {
      writeFileSync(join(folder, name), file);
      const { stdout } = spawnSync('exiftool', ['-j', join(folder, name)], { encoding: 'utf8' });
      return JSON.parse(stdout)[0];
    };
    const pages = await convert(frames, { format: 'tiff', pages: 'all' });
    expect(tagsOf('pages.tif', pages)).toMatchObject({ FileType: 'TIFF', PageCount: 4 });
    expect(tagsOf('pages.pdf', await convert(pages, { format: 'pdf' }))).toMatchObject({ PageCount: 4 });
    expect(tagsOf('frames.gif', await convert(frames, { format: 'gif' }))).toMatchObject({ FrameCount: 4 });
    expect(tagsOf('frames.png', await convert(frames, { format: 'apng' }))).toMatchObject({
      AnimationFrames: 4,
    });
    rmSync(folder, { recursive: true });
  });
});
