import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sharp } from '@atelier/engines/picture/sharp.ts';
import type { DeepRaster } from '@atelier/engines/pixels/raster.ts';
import { PARTS_CHANCE, readParts } from '@atelier/engines/watermark/detect_parts.ts';
import { readWatermark } from '@atelier/engines/watermark/detect_watermark.ts';
import { CHANCE } from '@atelier/engines/watermark/find_mark.ts';
import { keyedRandom } from '@atelier/engines/watermark/keyed_random.ts';
import type { Sharp } from 'sharp';

const VIEWS = Number(process.env.WATERMARK_VIEWS ?? 100);
const FIRST = Number(process.env.WATERMARK_FIRST ?? 0);
/** Whether marks in parts of the views are looked for instead. */
const PARTS = process.env.WATERMARK_PARTS === '1';

/**
 * Whole detections, search included, of pictures that hold no mark: cuts of real pictures, each by another seed mirrored,
 * turned, resized, compressed or with noise. WATERMARK_VIEWS says how many (10,000 take some hours), WATERMARK_FIRST
 * the seed to begin with, so that a long run can be done in parts. WATERMARK_PARTS=1 looks for marks in parts of the views.
 */
export async function run(): Promise<string> {
  const folder = fileURLToPath(new URL('../../shared/images/', import.meta.url));
  if (!existsSync(folder)) return 'watermark_unmarked: skipped, ../shared/images is absent';
  const files = globSync(`${folder}{art,artworks,anime,photo,train}/*.{png,jpg}`).sort();
  const read = { payload: 0, id: 0 };
  const start = process.cpuUsage().user;
  for (let seed = FIRST; seed < FIRST + VIEWS; seed++) {
    const view = await viewOf(readFileSync(files[seed % files.length]!), seed);
    const found = PARTS ? readParts(view)[0]?.read : readWatermark(view).read;
    if (found) read[found] += 1;
    if ((seed + 1) % 50 === 0) console.error(`${seed + 1 - FIRST} views: ${JSON.stringify(read)}`);
  }
  const chance = PARTS ? PARTS_CHANCE : CHANCE;
  const seconds = (process.cpuUsage().user - start) / 1e6 / VIEWS;
  return [
    PARTS ? '## Watermarks: parts of pictures without one' : '## Watermarks: pictures without one',
    '',
    `${VIEWS} unmarked views of ${files.length} pictures (views ${FIRST} to ${FIRST + VIEWS - 1}): ${read.payload} payloads and ${read.id} ids read. By the lengths of the checksums, ${(VIEWS * chance.payload).toExponential(1)} and ${(VIEWS * chance.id).toExponential(1)} were to be expected at most. ${seconds.toFixed(2)} s of processor time a view.`,
  ].join('\n');
}

async function viewOf(bytes: Uint8Array, seed: number): Promise<DeepRaster> {
  const next = keyedRandom(seed);
  const chance = () => next() / 2 ** 32;
  const { width, height } = await sharp(bytes).metadata();
  const share = 0.45 + 0.55 * chance();
  const [wide, high] = [Math.floor(width * share), Math.floor(height * (share - 0.1 * chance()))];
  const left = Math.floor((width - wide) * chance());
  const top = Math.floor((height - high) * chance());
  let view = sharp(bytes)
    .removeAlpha()
    .toColourspace('srgb')
    .extract({ left, top, width: wide, height: high });
  if (next() & 1) view = view.flop();
  if (next() & 1) view = (await decoded(view)).rotate(10 * chance() - 5);
  view = (await decoded(view)).resize(Math.round(wide * (0.6 + chance())));
  if (next() & 1) view = sharp(await view.jpeg({ quality: 40 + (next() % 55) }).toBuffer());
  const { data, info } = await view.raw().toBuffer({ resolveWithObject: true });
  const noise = next() & 1 ? 8 * chance() : 0;
  const samples = new Uint8ClampedArray(data);
  if (noise > 0)
    for (let at = 0; at < samples.length; at++) samples[at]! += noise * (chance() + chance() - 1);
  return { width: info.width, height: info.height, channels: 3, data: new Uint8Array(samples) };
}

/** What was asked for so far, done: sharp orders the steps of one chain by itself. */
async function decoded(view: Sharp): Promise<Sharp> {
  const { data, info } = await view.raw().toBuffer({ resolveWithObject: true });
  return sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
}
