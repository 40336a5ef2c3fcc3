import { existsSync, readFileSync } from 'node:fs';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { openPicture } from '../src/engines/picture/open_picture.ts';
import { sharp } from '../src/engines/picture/sharp.ts';
import { planTiles } from '../src/engines/upscale/plan_tiles.ts';
import { upscaleImage } from '../src/engines/upscale/upscale_image.ts';
import { median } from './support/load.ts';
import { graphOf, OFFICIAL, openByName } from './support/reference_networks.ts';

const SHARED = new URL('../../shared/', import.meta.url);
const ROUNDS = 3;
/** One tile, and several. */
const SIZES = [
  [256, 192],
  [1000, 700],
] as const;
/** Networks quick enough to be timed on the larger picture as well. */
const QUICK = new Set<string>(['realesr_animevideov3']);

/** The tile loop against bare calls of onnxruntime, and our graphs against those others wrote. */
export async function run(): Promise<string> {
  if (!existsSync(new URL('models/', SHARED))) return 'upscale: skipped, ../shared/models is absent';
  const rows: string[] = [];
  for (const name of OFFICIAL)
    for (const [width, height] of QUICK.has(name) ? SIZES : SIZES.slice(0, 1))
      rows.push(await compared(name, width, height));
  return [
    '## Upscaling',
    '',
    `A part of a photograph, decoded, enlarged and written as PNG, against bare onnxruntime calls on the reference graph: one call on the whole picture, and one for each tile with its surroundings (the same pixels we compute). Median of ${ROUNDS} alternating rounds. The aim is 0.95 of the bare calls on the same pixels, and at most one level of 255 from the bare call on the whole picture.`,
    '',
    '| network | picture | tiles | opening ms | ours s | bare, whole s | bare, same pixels s | same pixels ÷ ours | most levels apart |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

async function compared(name: string, width: number, height: number): Promise<string> {
  const started = performance.now();
  const network = await openByName(name);
  const openingMs = performance.now() - started;
  const bare = await InferenceSession.create(graphOf(name), {
    logSeverityLevel: 3,
    enableCpuMemArena: false,
  });
  const png = await piece(width, height);
  const samples = await openPicture(png).raw().toBuffer();
  const plane = { samples, width };
  const tiles = planTiles(width, height, network.rules).flat();
  const call = async ({
    left,
    top,
    ...sides
  }: {
    left: number;
    top: number;
    width: number;
    height: number;
  }) => {
    const input = new Tensor('float32', planesOf(plane, left, top, sides), [1, 3, sides.height, sides.width]);
    return (await bare.run({ input })).output!.data as Float32Array;
  };
  const whole = () => call({ left: 0, top: 0, width, height });
  const samePixels = async () => {
    for (const { seen } of tiles) await call(seen);
  };
  const [expected, enlarged] = [await whole(), await upscaleImage(png, network)];
  const apart = await levelsApart(expected, Buffer.concat(enlarged.pieces));
  const rounds: number[][] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push([
      await secondsOf(() => upscaleImage(png, network)),
      await secondsOf(whole),
      tiles.length > 1 ? await secondsOf(samePixels) : Number.NaN,
    ]);
  const [ours, once, same] = [0, 1, 2].map((at) => median(rounds.map((row) => row[at]!)));
  const ratio = median(rounds.map(([mine, one, tiled]) => (tiles.length > 1 ? tiled! : one!) / mine!));
  await Promise.all([network.close(), bare.release()]);
  return `| ${name} | ${width} × ${height} | ${tiles.length} | ${openingMs.toFixed(0)} | ${ours!.toFixed(2)} | ${once!.toFixed(2)} | ${(tiles.length > 1 ? same! : once!).toFixed(2)} | ${ratio.toFixed(2)} | ${apart} |`;
}

/** Larger than the photograph it is taken from, where need be. */
const piece = (width: number, height: number) =>
  sharp(readFileSync(new URL('images/photo/kodak_23.png', SHARED)))
    .resize(Math.max(width, 768), Math.max(height, 512), { fit: 'cover' })
    .extract({ left: 0, top: 0, width, height })
    .png()
    .toBuffer();

function planesOf(
  { samples, width }: { samples: Uint8Array; width: number },
  left: number,
  top: number,
  sides: { width: number; height: number },
): Float32Array {
  const size = sides.width * sides.height;
  return Float32Array.from({ length: 3 * size }, (_, at) => {
    const [y, x] = [Math.floor((at % size) / sides.width), at % sides.width];
    return samples[((top + y) * width + left + x) * 3 + Math.floor(at / size)]! / 255;
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
