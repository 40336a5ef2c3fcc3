import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { decodeRaster } from '@atelier/engines/picture/read_raster.ts';
import { sharp } from '@atelier/engines/picture/sharp.ts';
import { enlarge } from '@atelier/engines/resize/enlarge.ts';
import { conditionOf } from '@atelier/engines/upscale/condition.ts';
import { upscaleImage } from '@atelier/engines/upscale/upscale_image.ts';
import { bundledPair } from '../src/services/models/bundled.ts';
import { runUpscale } from '../src/workers/run_upscale.ts';
import { lumaPsnr } from '../tests/support/luma_psnr.ts';
import { openByName } from './support/reference_networks.ts';

const IMAGES = new URL('../../shared/images/', import.meta.url);
/** None of these pictures was trained on. */
const SETS = {
  Set5: ['sr/set5/x4/HR/*.png'],
  'Set14 (5)': ['sr/set14/x4/HR/*.png'],
  'BSD100 (3), Urban100 (2)': ['sr/bsd100/x4/HR/*.png', 'sr/urban100/x4/HR/*.png'],
  'Kodak (3)': ['photo/kodak_*.png'],
} as const;
/** How the small picture is made from the large one. */
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

/** What the networks that come with the project, and those for clean pictures, are worth, through the service's own engine. */
export async function run(): Promise<string> {
  if (!existsSync(IMAGES)) return 'upscale_quality: skipped, ../shared/images is absent';
  const rows: string[] = [];
  for (const scale of [2, 4] as const)
    for (const [kind, spoiling] of Object.entries(SPOILINGS))
      for (const [set, patterns] of Object.entries(SETS)) {
        const pairs = await Promise.all(pathsOf(patterns).map((path) => pairOf(path, scale, spoiling)));
        rows.push(`| ×${scale} | ${kind} | ${set} | ${await compared(pairs, scale)} |`);
      }
  return [
    '## Quality of networks that come with the project, and of SPAN',
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

async function compared(pairs: readonly Pair[], scale: 2 | 4): Promise<string> {
  const { clean, spoiled } = bundledPair(scale, 'cpu');
  const span = await openByName(`span_x${scale}`);
  const gains: number[][] = [];
  for (const { small, large } of pairs) {
    const dB = (bytes: Uint8Array) => lumaPsnr(bytes, large, scale);
    const lanczos = await dB(await byLanczos(small, scale));
    const byClean = await dB((await runUpscale({ bytes: small, model: clean })).bytes);
    const bySpoiled = await dB((await runUpscale({ bytes: small, model: spoiled })).bytes);
    const isSpoiled = (await conditionOf(small)).kind === 'spoiled';
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
  const { data, ...raw } = enlarge(picture, size);
  return sharp(data, { raw }).png().toBuffer();
}

/** @returns PNG or, where it is to be one, JPEG for the small picture; clean ones as they come with the set */
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

/** Numbers of mean 0 and deviation 1, the same in every run (xorshift32, Box and Muller). */
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
