import { existsSync, globSync, readFileSync } from 'node:fs';
import { correlation } from '@atelier/engines/analyst/planes.ts';
import { decodeRaster } from '@atelier/engines/picture/read_raster.ts';
import { sharp } from '@atelier/engines/picture/sharp.ts';
import { lumaOf } from '@atelier/engines/pixels/luma.ts';
import type { DeepRaster } from '@atelier/engines/pixels/raster.ts';
import {
  BLOCK_PX,
  blocksOf,
  errorOf,
  explain,
  rowFeatures,
} from '@atelier/engines/quality/expected_error.ts';
import type { Network } from '@atelier/engines/upscale/open_network.ts';
import { upscaleImage } from '@atelier/engines/upscale/upscale_image.ts';
import { fitRate } from './support/fit_rate.ts';
import { ranks } from './support/ranks.ts';
import { openByName } from './support/reference_networks.ts';

const IMAGES = new URL('../../shared/images/', import.meta.url);
const NETWORKS = {
  atelier_compact_x2: 2,
  span_x2: 2,
  atelier_compact_x4: 4,
  span_x4: 4,
  realesr_general_x4v3: 4,
  realesrgan_x4plus: 4,
  realesr_animevideov3: 4,
} as const;
/** Of the pictures that have no small one: the side of the middle that is taken. */
const CROP_PX = 384;

/** One square of the source: what is seen of it, and by how many levels the enlarged picture is off the truth there, in the mean. */
interface Square {
  readonly features: readonly number[];
  readonly error: number;
}

interface Seen {
  readonly network: string;
  readonly scale: number;
  readonly isHeldBack: boolean;
  readonly squares: readonly Square[];
}

/** Whether the map of invented detail tells the known error. FIT=1 also fits its weights on the half that is not held back. */
export async function run(): Promise<string> {
  if (!existsSync(IMAGES)) return 'invented_detail: skipped, ../shared/images is absent';
  const seen: Seen[] = [];
  for (const [name, scale] of Object.entries(NETWORKS)) {
    const network = await openByName(name);
    for (const [index, path] of pictures().entries()) {
      // Paintings and photographs are for fitting alone; of the sets people publish figures on every other one is held back.
      const isKnown = path.includes('/sr/');
      const squares = await squaresOf(path, network, scale);
      seen.push({ network: name, scale, isHeldBack: isKnown && index % 2 === 1, squares });
    }
    await network.close();
  }
  return [
    '## Where detail is made up',
    '',
    `Squares of ${BLOCK_PX} × ${BLOCK_PX} pixels of the source, on pictures not fitted on: what the map expects against the known mean error of luma. Pearson of the logarithms, Spearman; mean levels and percent above 8 levels, expected and known.`,
    '',
    '| network | squares | Pearson (log) | Spearman | mean | above 8 |',
    '|---|---|---|---|---|---|',
    ...Object.keys(NETWORKS).map((name) => rowOf(name, seen)),
    ...(process.env.FIT
      ? [
          '',
          `Fitted: ${weightsFor(seen)
            .map((value) => value.toFixed(3))
            .join(', ')}`,
        ]
      : []),
  ].join('\n');
}

const pictures = (): string[] => [
  ...globSync(`${IMAGES.pathname}sr/*/x4/HR/*.png`).sort(),
  ...globSync(`${IMAGES.pathname}photo/*.png`).sort(),
  ...globSync(`${IMAGES.pathname}artworks/*.jpg`)
    .sort()
    .filter((_, index) => index % 8 === 3),
];

async function squaresOf(path: string, network: Network, scale: number): Promise<Square[]> {
  const whole = sharp(readFileSync(path)).toColourspace('srgb').removeAlpha();
  const { width, height } = await whole.metadata();
  const [w, h] = [width, height].map((side) => Math.floor(Math.min(CROP_PX, side) / scale) * scale) as [
    number,
    number,
  ];
  const crop = { left: (width - w) >> 1, top: (height - h) >> 1, width: w, height: h };
  const truth = await whole.extract(crop).png().toBuffer();
  const smaller = { width: w / scale, height: h / scale, fit: 'fill', kernel: 'cubic' } as const;
  const small = await sharp(truth).resize(smaller).png().toBuffer();
  const { pieces } = await upscaleImage(small, network);
  const large = Buffer.concat(pieces);
  const [source, reduced, made, known] = await Promise.all(
    [small, await sharp(large).resize(smaller).png().toBuffer(), large, truth].map((png) =>
      decodeRaster(sharp(png).toColourspace('srgb').removeAlpha()),
    ),
  );
  const blocks = blocksOf(source!);
  return Array.from({ length: blocks.height }, (_, row) =>
    rowFeatures(source!, reduced!, row).map((features, column) => ({
      features,
      error: errorAt(made!, known!, { column, row, side: BLOCK_PX * scale }),
    })),
  ).flat();
}

function errorAt(
  one: DeepRaster,
  other: DeepRaster,
  { column, row, side }: { column: number; row: number; side: number },
) {
  const [right, bottom] = [Math.min(one.width, (column + 1) * side), Math.min(one.height, (row + 1) * side)];
  const luma = ({ data, width, channels }: DeepRaster, x: number, y: number) => {
    const at = (y * width + x) * channels;
    return channels < 3 ? data[at]! : lumaOf(data[at]!, data[at + 1]!, data[at + 2]!);
  };
  let [sum, count] = [0, 0];
  for (let y = row * side; y < bottom; y += 1)
    for (let x = column * side; x < right; x += 1, count += 1)
      sum += Math.abs(luma(one, x, y) - luma(other, x, y));
  return sum / count;
}

function rowOf(name: string, seen: readonly Seen[]): string {
  const held = seen.filter(({ network, isHeldBack }) => network === name && isHeldBack);
  const pairs = held.flatMap(({ squares, scale }) =>
    squares.map(({ features, error }) => [errorOf(features, scale), error] as const),
  );
  const [expected, known] = [pairs.map(([one]) => one), pairs.map(([, one]) => one)];
  const log = (levels: readonly number[]) => levels.map((level) => Math.log1p(level));
  const mean = (levels: readonly number[]) =>
    (levels.reduce((sum, level) => sum + level, 0) / levels.length).toFixed(1);
  const above = (levels: readonly number[]) =>
    Math.round((100 * levels.filter((level) => level > 8).length) / levels.length);
  return `| ${name} | ${pairs.length} | ${correlation(log(expected), log(known)).toFixed(2)} | ${correlation(ranks(expected), ranks(known)).toFixed(2)} | ${mean(expected)} / ${mean(known)} | ${above(expected)} / ${above(known)} % |`;
}

/** Every network counts the same, however many squares it has. */
function weightsFor(seen: readonly Seen[]): number[] {
  const taught = seen.filter(({ isHeldBack }) => !isHeldBack);
  const countOf = (name: string) =>
    taught.filter(({ network }) => network === name).reduce((sum, { squares }) => sum + squares.length, 0);
  return fitRate(
    taught.flatMap(({ network, scale, squares }) => {
      const weight = 1 / countOf(network);
      return squares.map(({ features, error }) => ({
        explained: explain(features, scale),
        value: error,
        weight,
      }));
    }),
  );
}
