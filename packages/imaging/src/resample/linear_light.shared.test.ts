import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needs } from '../../../../tests/support/test_requirements.ts';
import { sharp } from '../codecs/sharp.ts';
import { lanczosWeight } from '../pixels/lanczos.ts';
import type { Raster } from '../pixels/raster.ts';
import { LINEAR, linearToSrgb } from '../pixels/srgb_transfer.ts';
import { resizeImage } from '../resize/resize_image.ts';

const IMAGES = new URL('../../../../../shared/images/', import.meta.url);
/** Photographs and paintings that have no prepared small copy. */
const SETS: readonly (readonly [folder: string, count: number])[] = [
  ['photo/', 5],
  ['sr/urban100/x4/HR/', 9],
  ['sr/set14/x4/HR/', 9],
  ['sr/bsd100/x4/HR/', 9],
  ['sr/set5/x2/HR/', 5],
  ['train/', 12],
];
/** Side of the centre crop of each image: 100 or 50 pixels remain after reduction. */
const CUT_PX = 430;

/** Lanczos weights by definition; samples beyond the edge are ignored. */
function weightsOf(side: number, count: number): [place: number, weight: number][][] {
  const scale = side / count;
  return Array.from({ length: count }, (_, at) => {
    const centre = (at + 0.5) * scale - 0.5;
    const [first, last] = [
      Math.max(0, Math.ceil(centre - 3 * scale)),
      Math.min(side - 1, centre + 3 * scale),
    ];
    const taps: [number, number][] = [];
    for (let place = first; place <= last; place += 1)
      taps.push([place, lanczosWeight((place - centre) / scale)]);
    const sum = taps.reduce((total, [, weight]) => total + weight, 0);
    return taps.map(([place, weight]) => [place, weight / sum]);
  });
}

/** Rounded samples of three channels, averaged in linear light with double precision. */
function reference({ width, height, data }: Raster, toWidth: number, toHeight: number): Float64Array {
  const wide = new Float64Array(toWidth * height * 3);
  const across = weightsOf(width, toWidth);
  for (let y = 0, at = 0; y < height; y += 1)
    for (const taps of across)
      for (let color = 0; color < 3; color += 1, at += 1)
        for (const [x, weight] of taps) wide[at]! += weight * LINEAR[data[(y * width + x) * 3 + color]!]!;
  const small = new Float64Array(toWidth * toHeight * 3);
  for (const [row, taps] of weightsOf(height, toHeight).entries())
    for (const [y, weight] of taps)
      for (let at = 0; at < toWidth * 3; at += 1)
        small[row * toWidth * 3 + at]! += weight * wide[y * toWidth * 3 + at]!;
  return small.map((light) => Math.round(linearToSrgb(light)));
}

/** Ignores the outermost pixels, where the reference differs at the edge. */
function psnr(one: ArrayLike<number>, other: ArrayLike<number>, width: number, height: number): number {
  let [sum, count] = [0, 0];
  for (let at = 0; at < one.length; at += 1) {
    const [x, y] = [Math.floor(at / 3) % width, Math.floor(at / 3 / width)];
    if (x < 3 || y < 3 || x >= width - 3 || y >= height - 3) continue;
    sum += (one[at]! - other[at]!) ** 2;
    count += 1;
  }
  return 10 * Math.log10((255 ** 2 * count) / Math.max(sum, 1));
}

async function middleOf(image: ReturnType<typeof sharp>) {
  const { width, height } = await image.metadata();
  const cut = { width: Math.min(width, CUT_PX), height: Math.min(height, CUT_PX) };
  return { ...cut, left: Math.floor((width - cut.width) / 2), top: Math.floor((height - cut.height) / 2) };
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

test.each([
  ['png', 4.3, 60],
  ['jpeg', 4.3, 44.9],
  ['webp', 4.3, 44.9],
  ['jpeg', 8.6, 46],
] as const)(
  'photographs from %s reduced %d times meet the documented precision',
  needs('../shared'),
  async (format, shrink, least) => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-light-'));
    const fileOf = (bytes: Uint8Array) => {
      writeFileSync(join(folder, 'image'), bytes);
      return join(folder, 'image');
    };
    const found: number[] = [];
    for (const [set, count] of SETS)
      for (const file of readdirSync(new URL(set, IMAGES))
        .filter((name) => /\.(png|jpg)$/.test(name))
        .slice(0, count)) {
        const image = sharp(readFileSync(new URL(set + file, IMAGES)));
        const cut = await middleOf(image);
        const bytes = await image
          .extract(cut)
          .removeAlpha()
          .toColourspace('srgb')
          .toFormat(format, { quality: 90 })
          .toBuffer();
        const { data, info } = await sharp(bytes)
          .toColourspace('srgb')
          .raw()
          .toBuffer({ resolveWithObject: true });
        const [width, height] = [Math.round(info.width / shrink), Math.round(info.height / shrink)];
        const wanted = { width, height, mode: 'stretch', format: 'png', quality: 90 } as const;
        const small = await resizeImage({ bytes, ...wanted, fileOf });
        const truth = reference({ width: info.width, height: info.height, channels: 3, data }, width, height);
        found.push(psnr(await sharp(small.bytes).raw().toBuffer(), truth, width, height));
      }
    rmSync(folder, { recursive: true });
    expect(found.length).toBeGreaterThanOrEqual(30);
    expect(median(found)).toBeGreaterThan(least);
  },
);
