import { spawn } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decodeRaster, readRaster } from '@atelier/imaging/codecs/read_raster.ts';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import type { DeepRaster } from '@atelier/imaging/pixels/raster.ts';
import { resample } from '@atelier/imaging/resample/resample.ts';
import { assessCondition } from '@atelier/imaging/upscale/condition.ts';
import { planTiles, type Tile } from '@atelier/imaging/upscale/plan_tiles.ts';
import { upscaleImage } from '@atelier/imaging/upscale/upscale_image.ts';
import { upscaleTiles } from '@atelier/imaging/upscale/upscale_tiles.ts';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { runUpscale } from '../src/core/workers/run_upscale.ts';
import { bundledPair } from '../src/features/models/bundled.ts';
import { lumaPsnr } from '../tests/support/luma_psnr.ts';
import { median } from './support/load.ts';
import { graphOf, OFFICIAL, openByName } from './support/reference_networks.ts';

/** Measures speed, quality and memory of upscaling with networks. */
export async function run(): Promise<string> {
  if (!existsSync(new URL('models/', SHARED))) return 'upscale: skipped, ../shared/models is absent';
  return [await speed(), await quality(), await memory()].join('\n\n');
}

const SHARED = new URL('../../shared/', import.meta.url);
/** Limits of the number of rounds and of their time. */
const ROUNDS = { fewest: 3, most: 15, seconds: 15 };
/** One tile, and two; only one if a round of two would take minutes. */
const SIZES = {
  realesr_animevideov3: [
    [256, 192],
    [1000, 700],
  ],
  realesr_general_x4v3: [[256, 192]],
  realesrgan_x4plus_anime: [
    [256, 192],
    [560, 400],
  ],
  realesrgan_x4plus: [[256, 192]],
} as const satisfies Record<(typeof OFFICIAL)[number], readonly (readonly [number, number])[]>;

/**
 * Compares the tile loop with bare calls of onnxruntime, and this project's graphs with the published ones.
 */
async function speed(): Promise<string> {
  const rows: string[] = [];
  for (const name of OFFICIAL)
    for (const [width, height] of SIZES[name]) rows.push(await speedRow(name, width, height));
  return [
    '## Upscaling, compared with bare calls of the runtime',
    '',
    'A crop of a photograph. "Loop" goes from decoded pixels to decoded pixels: input planes, network, output samples. "Bare" calls onnxruntime on the reference graph with the same session options and planes made beforehand: once for each tile with its margin (what the loop computes), and once for the whole image (no margins, but memory grows with the image). Rounds alternate; medians. Target: 0.95. "File to file" adds decoding and writing PNG.',
    '',
    '| network | picture | tiles | opening ms | file to file s | loop s | bare tiles s | bare whole s | bare tiles ÷ loop | bare whole ÷ loop | most levels apart |',
    '|---|---|---|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

async function speedRow(name: string, width: number, height: number): Promise<string> {
  const started = performance.now();
  const network = await openByName(name);
  const openingMs = performance.now() - started;
  const bare = await InferenceSession.create(graphOf(name), {
    logSeverityLevel: 3,
    enableCpuMemArena: false,
  });
  const png = await piece(width, height);
  const raster = await readRaster(png);
  const tiles = planTiles(width, height, network.rules).flat();
  const feedOf = (input: Tile['input']) => ({
    input: new Tensor('float32', planesOf(raster, input), [1, 3, input.height, input.width]),
  });
  const wholeFeed = feedOf({ left: 0, top: 0, width, height });
  const tileFeeds = tiles.map(({ input }) => feedOf(input));
  const whole = async () => (await bare.run(wholeFeed)).output!.data as Float32Array;
  const ways = [
    () => upscaleTiles(raster, network, async () => {}),
    whole,
    async () => {
      for (const feed of tileFeeds) await bare.run(feed);
    },
    () => upscaleImage(png, network),
  ].filter((_, way) => way !== 2 || tiles.length > 1);
  const apart = await levelsApart(await whole(), Buffer.concat((await upscaleImage(png, network)).pieces));
  const rounds = await alternately(ways);
  const [loop, once, ...others] = ways.map((_, way) => median(rounds.map((round) => round[way]!)));
  const [same, file] = tiles.length > 1 ? others : [once, ...others];
  const ratio = (way: number) => median(rounds.map((round) => round[way]! / round[0]!)).toFixed(2);
  await Promise.all([network.close(), bare.release()]);
  const seconds = [file, loop, same, once].map((one) => one!.toFixed(2));
  return `| ${[name, `${width} × ${height}`, tiles.length, openingMs.toFixed(0), ...seconds, ratio(tiles.length > 1 ? 2 : 1), ratio(1), apart].join(' | ')} |`;
}

/** Seconds of each method in each round. */
async function alternately(ways: readonly (() => Promise<unknown>)[]): Promise<number[][]> {
  const rounds: number[][] = [];
  const started = performance.now();
  const isLate = () => performance.now() - started > ROUNDS.seconds * 1000;
  while (rounds.length < ROUNDS.fewest || (rounds.length < ROUNDS.most && !isLate())) {
    const round: number[] = [];
    for (const way of ways) round.push(await secondsOf(way));
    rounds.push(round);
  }
  return rounds;
}

/** May be larger than the photograph it is taken from. */
const piece = (width: number, height: number) =>
  sharp(readFileSync(new URL('images/photo/kodak_23.png', SHARED)))
    .resize(Math.max(width, 768), Math.max(height, 512), { fit: 'cover' })
    .extract({ left: 0, top: 0, width, height })
    .png()
    .toBuffer();

/** Planes of a part of an image, from 0 to 1. */
function planesOf({ data: samples, width, channels }: DeepRaster, input: Tile['input']): Float32Array {
  const size = input.width * input.height;
  return Float32Array.from({ length: 3 * size }, (_, at) => {
    const [y, x] = [Math.floor((at % size) / input.width), at % input.width];
    return samples[((input.top + y) * width + input.left + x) * channels + Math.floor(at / size)]! / 255;
  });
}

async function levelsApart(expected: Float32Array, png: Uint8Array): Promise<number> {
  const made = await sharp(png).raw().toBuffer();
  const plane = expected.length / 3;
  return expected.reduce((most, value, at) => {
    const level = Math.round(Math.min(1, Math.max(0, value)) * 255);
    return Math.max(most, Math.abs(level - made[(at % plane) * 3 + Math.floor(at / plane)]!));
  }, 0);
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

const IMAGES = new URL('images/', SHARED);
/** None of these images was used in training. */
const SETS = {
  Set5: ['sr/set5/x4/HR/*.png'],
  'Set14 (5)': ['sr/set14/x4/HR/*.png'],
  'BSD100 (3), Urban100 (2)': ['sr/bsd100/x4/HR/*.png', 'sr/urban100/x4/HR/*.png'],
  'Kodak (3)': ['photo/kodak_*.png'],
} as const;
/** Degradations that make the small image from the large one. */
const SPOILINGS = {
  clean: {},
  'JPEG 90': { jpeg: 90 },
  'JPEG 80': { jpeg: 80 },
  'noise 4': { noise: 4 },
  spoiled: { blur: 1.2, noise: 6, jpeg: 60 },
} as const satisfies Record<string, Spoiling>;

interface Spoiling {
  readonly blur?: number;
  readonly noise?: number;
  readonly jpeg?: number;
}

interface Pair {
  readonly small: Buffer;
  readonly large: Buffer;
}

/** Measures PSNR of the bundled networks and of SPAN against Lanczos, through the service's own engine. */
async function quality(): Promise<string> {
  const rows: string[] = [];
  for (const scale of [2, 4] as const)
    for (const [kind, spoiling] of Object.entries(SPOILINGS))
      for (const [set, patterns] of Object.entries(SETS)) {
        const pairs = await Promise.all(pathsOf(patterns).map((path) => pairOf(path, scale, spoiling)));
        rows.push(`| ×${scale} | ${kind} | ${set} | ${await qualityRow(pairs, scale)} |`);
      }
  return [
    '## Quality of the bundled networks and of SPAN',
    '',
    'PSNR of the luma (BT.601, a border of `scale` pixels left out) in dB, means over each set; networks as gain over Lanczos-3. Clean: reduced by a bicubic filter. Spoiled: blurred by 1.2, reduced, noise of 6 levels, JPEG of quality 60. "chosen" is what a call gets; beside it how many pictures got the network for spoiled ones. The aim is 2.2 dB at ×2 and 1.8 dB at ×4 on clean, 0.5 dB on spoiled pictures. SPAN runs first for clean pictures where it is installed.',
    '',
    '| | pictures | set | Lanczos | for clean | for spoiled | chosen | spoiled chosen | SPAN |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

const pathsOf = (patterns: readonly string[]): string[] =>
  patterns.flatMap((pattern) => globSync(pattern, { cwd: IMAGES }).sort());

async function qualityRow(pairs: readonly Pair[], scale: 2 | 4): Promise<string> {
  const { clean, spoiled } = bundledPair(scale, 'cpu');
  const span = await openByName(`span_x${scale}`);
  const gains: number[][] = [];
  for (const { small, large } of pairs) {
    const dB = (bytes: Uint8Array) => lumaPsnr(bytes, large, scale);
    const lanczos = await dB(await byLanczos(small, scale));
    const byClean = await dB((await runUpscale({ bytes: small, model: clean })).bytes);
    const bySpoiled = await dB((await runUpscale({ bytes: small, model: spoiled })).bytes);
    const isSpoiled = (await assessCondition(small)).kind === 'spoiled';
    const chosen = isSpoiled ? bySpoiled : byClean;
    const bySpan = await dB(Buffer.concat((await upscaleImage(small, span)).pieces));
    const apart = [byClean, bySpoiled, chosen, bySpan].map((one) => one - lanczos);
    gains.push([lanczos, ...apart, Number(isSpoiled)]);
  }
  await span.close();
  const mean = (column: number) => gains.reduce((sum, row) => sum + row[column]!, 0) / gains.length;
  const gain = (column: number) => `${mean(column) < 0 ? '−' : '+'}${Math.abs(mean(column)).toFixed(2)}`;
  const count = gains.filter((row) => row[5]).length;
  const parts = [mean(0).toFixed(2), gain(1), gain(2), gain(3), `${count} of ${gains.length}`, gain(4)];
  return parts.join(' | ');
}

async function byLanczos(bytes: Uint8Array, scale: number): Promise<Buffer> {
  const picture = await decodeRaster(sharp(bytes).toColourspace('srgb').removeAlpha());
  const size = { width: picture.width * scale, height: picture.height * scale };
  const { data, ...raw } = resample(picture, { ...size, light: 'gamma' });
  return sharp(data, { raw }).png().toBuffer();
}

/** @returns PNG, or JPEG if the degradation includes it, for the small image; clean ones from the data set */
async function pairOf(path: string, scale: 2 | 4, { blur, noise, jpeg }: Spoiling): Promise<Pair> {
  const own = path.replace('/x4/', `/x${scale}/`);
  const source = sharp(
    readFileSync(new URL(existsSync(new URL(own, IMAGES)) ? own : path, IMAGES)),
  ).removeAlpha();
  const { width, height } = await source.metadata();
  const [columns, rows] = [Math.floor(width / scale), Math.floor(height / scale)];
  const large = await source
    .toColourspace('srgb')
    .extract({ left: 0, top: 0, width: columns * scale, height: rows * scale })
    .png()
    .toBuffer();
  const given = new URL(own.replace('/HR/', '/LR/'), IMAGES);
  if (!blur && !noise && !jpeg && own.includes('/HR/') && existsSync(given))
    return { small: readFileSync(given), large };
  const soft = blur ? await sharp(large).blur(blur).png().toBuffer() : large;
  const { data, info } = await sharp(soft)
    .resize(columns, rows, { kernel: 'cubic', fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const next = gaussian(basename(path).length);
  if (noise) for (let at = 0; at < data.length; at += 1) data[at] = clamp(data[at]! + noise * next());
  const small = sharp(data, { raw: { width: columns, height: rows, channels: info.channels } });
  return { small: await (jpeg ? small.jpeg({ quality: jpeg }) : small.png()).toBuffer(), large };
}

const clamp = (value: number): number => Math.max(0, Math.min(255, Math.round(value)));

/** Numbers with mean 0 and standard deviation 1, the same in every run (xorshift32, Box and Muller). */
function gaussian(seed: number): () => number {
  let state = seed * 0x9e37_79b9;
  const even = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return ((state >>> 0) + 1) / 4_294_967_297;
  };
  return () => Math.sqrt(-2 * Math.log(even())) * Math.cos(2 * Math.PI * even());
}

const RUNS = [
  ['atelier_compact_x2', 6000, 4000, 'to 96 million pixels'],
  ['realesrgan_x4plus', 448, 448, 'its largest tile'],
  ['realesrgan_x4plus_anime', 448, 448, 'its largest tile'],
  ['realesr_animevideov3', 6000, 4000, 'to 384 million pixels'],
] as const;

/**
 * Measures the peak memory of a process that upscales one image (VmHWM, Linux only). The last row takes five
 * minutes of two idle cores, and makes more pixels than the service allows (100 million).
 */
async function memory(): Promise<string> {
  if (process.platform !== 'linux') return 'upscale, memory: skipped, needs Linux';
  const lines: string[] = [];
  for (const [name, width, height, about] of RUNS) {
    const { seconds, peakMB } = await enlargedApart(name, width, height);
    lines.push(`| ${name} | ${width} × ${height} | ${about} | ${seconds.toFixed(0)} | ${peakMB} |`);
  }
  return [
    '## Memory of upscaling',
    '',
    'A separate process upscales a JPEG and writes PNG. Target: less than 1,500 MB at 6000 × 4000.',
    '',
    '| network | picture | | s | peak MB of the process |',
    '|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

async function enlargedApart(
  name: string,
  width: number,
  height: number,
): Promise<{ seconds: number; peakMB: number }> {
  const main = fileURLToPath(new URL('peers/upscale_process.ts', import.meta.url));
  const start = performance.now();
  const child = spawn(process.execPath, [main, name, String(width), String(height)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '2' },
  });
  let told = '';
  child.stdout.on('data', (text) => {
    told += text;
  });
  await new Promise((ended) => child.on('exit', ended));
  return { seconds: (performance.now() - start) / 1000, peakMB: Number(told.trim()) };
}
