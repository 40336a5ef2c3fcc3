import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sharp } from '@atelier/engines/picture/sharp.ts';
import { overlapOf } from '@atelier/engines/pixels/overlap_of.ts';
import type { DeepRaster } from '@atelier/engines/pixels/raster.ts';
import { codeMark } from '@atelier/engines/watermark/coded_mark.ts';
import { readParts } from '@atelier/engines/watermark/detect_parts.ts';
import type { Area } from '@atelier/engines/watermark/mark_area.ts';
import { markPixels } from '@atelier/engines/watermark/mark_pixels.ts';
import { sealMessage } from '@atelier/engines/watermark/message_class.ts';
import { encodePayload } from '@atelier/engines/watermark/payload_code.ts';
import { decode } from './support/random_mark.ts';

const PICTURES = Number(process.env.WATERMARK_PICTURES ?? 8);
const [WIDTH, HEIGHT] = [720, 540];

/** Where marked pictures lie on a page, in pixels; `parts` are shown at the size of their places. */
const PAGES: Record<string, { width: number; height: number; parts: Area[] }> = {
  'one at half its size on a page': {
    width: 1000,
    height: 1400,
    parts: [{ x: 300, y: 500, width: 500, height: 375 }],
  },
  'two side by side': {
    width: 1440,
    height: 540,
    parts: [0, 720].map((x) => ({ x, y: 0, width: 720, height: 540 })),
  },
  'two, one below the other, of two sizes': {
    width: 800,
    height: 960,
    parts: [
      { x: 0, y: 0, width: 800, height: 600 },
      { x: 160, y: 600, width: 480, height: 360 },
    ],
  },
  'four in a grid': {
    width: 1200,
    height: 900,
    parts: [0, 450].flatMap((y) => [0, 600].map((x) => ({ x, y, width: 600, height: 450 }))),
  },
};

/** Marks in parts of a picture, as JPEG 90: how many are read, and how far the place that is answered overlaps with the true one. */
export async function run(): Promise<string> {
  const folder = fileURLToPath(new URL('../../shared/images/', import.meta.url));
  if (!existsSync(folder)) return 'watermark_parts: skipped, ../shared/images is absent';
  const files = globSync(`${folder}{art,artworks,photo,train}/*.{png,jpg}`)
    .sort()
    .slice(0, 40 * PICTURES);
  const rows: string[] = [];
  let next = 0;
  for (const [name, page] of Object.entries(PAGES)) {
    const overlaps: number[] = [];
    let [there, payloads, wrong, micros] = [0, 0, 0, 0];
    for (let picture = 0; picture < PICTURES; picture++) {
      const ids = page.parts.map((_, at) => (0xabc000000000 + 1000 * picture + at).toString(16));
      const shown: DeepRaster[] = [];
      for (const id of ids) {
        shown.push(await marked(readFileSync(files[next % files.length]!), id));
        next += 7;
      }
      const whole = await compose(page, shown);
      const start = process.cpuUsage().user;
      const found = readParts(whole);
      micros += process.cpuUsage().user - start;
      there += ids.length;
      for (const { id, read, where } of found) {
        const part = page.parts[ids.indexOf(id ?? '')];
        if (!part) wrong += 1;
        else overlaps.push(overlapOf(part, where));
        if (part && read === 'payload') payloads += 1;
      }
    }
    overlaps.sort((a, b) => a - b);
    const middle = overlaps[overlaps.length >> 1] ?? 0;
    rows.push(
      `| ${name} | ${there} | ${overlaps.length} | ${payloads} | ${wrong} | ${middle.toFixed(2)} | ${(overlaps[0] ?? 0).toFixed(2)} | ${(micros / 1e6 / PICTURES).toFixed(1)} |`,
    );
  }
  return [
    '## Watermarks in parts of a picture',
    '',
    `${PICTURES} pictures of each kind. Overlap is the shared area over the joint one.`,
    '',
    '| kind | marks | read | with payload | other ids | overlap, median | least | s of processor |',
    '|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

async function marked(bytes: Uint8Array, id: string): Promise<DeepRaster> {
  const { width, height, data } = await decode(bytes, 2000);
  const plain = await sharp(data, { raw: { width, height, channels: 3 } })
    .resize(WIDTH, HEIGHT, { fit: 'cover' })
    .raw()
    .toBuffer();
  const { messageClass, bits } = sealMessage(encodePayload(`© Ada ${id}`))!;
  const raster = { width: WIDTH, height: HEIGHT, channels: 3 as const, data: plain };
  return markPixels(raster, codeMark({ id, messageClass }, bits), 0.5).raster;
}

async function compose(page: (typeof PAGES)[string], shown: readonly DeepRaster[]): Promise<DeepRaster> {
  const laid = await Promise.all(
    page.parts.map(async ({ x, y, width, height }, at) => ({
      input: await sharp(shown[at]!.data, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
        .resize(width, height)
        .png()
        .toBuffer(),
      left: x,
      top: y,
    })),
  );
  const { width, height } = page;
  return decode(
    await sharp({ create: { width, height, channels: 3, background: '#f4f1ea' } })
      .composite(laid)
      .jpeg({ quality: 90 })
      .toBuffer(),
  );
}
