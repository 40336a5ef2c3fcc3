import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { openPicture } from '@atelier/engines/picture/open_picture.ts';
import { decodeRaster } from '@atelier/engines/picture/read_raster.ts';
import type { Raster } from '@atelier/engines/pixels/raster.ts';
import { compareRasters } from '@atelier/engines/quality/compare_rasters.ts';
import type { Sameness } from '@atelier/engines/quality/compare_tiles.ts';
import { compareWhole } from '@atelier/engines/quality/compare_whole.ts';
import { savingLoss } from '@atelier/engines/quality/saving_loss.ts';
import { type ResizeRequest, resizeImage } from '@atelier/engines/resize/resize_image.ts';
import sharp, { type Sharp } from 'sharp';
import { median } from './support/load.ts';
import { photo } from './support/photo.ts';

const PICTURES = new URL('../../shared/images/artworks/', import.meta.url);
const TAKEN = 30;
/** They are reduced to fit a square of so many pixels. */
const SIDE = 800;
const SAVED = {
  'JPEG, quality 80': (pixels: Sharp) => pixels.jpeg({ quality: 80, optimizeCoding: false }),
  'WebP, quality 80': (pixels: Sharp) => pixels.webp({ quality: 80, effort: 2 }),
};
const FIGURES = ['psnr_db', 'ssim', 'delta_e00_mean', 'delta_e00_p95'] as const;

/** What it costs to tell the quality of a resized picture, and how far what tiles tell is from the whole. */
export async function run(): Promise<string> {
  return ['## Quality in answers', '', await costs(), '', await samples()].join('\n');
}

const ASKED = [
  [500, 'jpeg', 60],
  [500, 'webp', 40],
  [500, 'png', 30],
  [1500, 'jpeg', 20],
  [1500, 'webp', 10],
  [2000, 'jpeg', 20],
  [3000, 'jpeg', 5],
] as const;

/** Processor time with and without, in turns, of a picture that costs what a photograph costs. */
async function costs(): Promise<string> {
  const bytes = await photo(2000, 1333);
  const rows: string[] = [];
  for (const [side, format, rounds] of ASKED) {
    const request = { bytes, width: side, height: side, mode: 'contain', format, quality: 80 } as const;
    const ratios: number[] = [];
    await timed(request);
    await timed({ ...request, isMeasured: true });
    for (let round = 0; round < rounds; round += 1) {
      const bare = await timed(request);
      ratios.push((await timed({ ...request, isMeasured: true })) / bare);
    }
    rows.push(`| ${side} | ${format} | ${median(ratios).toFixed(2)} |`);
  }
  return [
    '2000 × 1333 JPEG resized to fit a square, quality 80: processor time with the quality measured, for one without, median of turns.',
    '',
    '| Side | Format | With ÷ without |',
    '|---|---|---|',
    ...rows,
  ].join('\n');
}

async function timed(request: ResizeRequest): Promise<number> {
  const before = process.cpuUsage();
  await resizeImage(request);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

async function samples(): Promise<string> {
  if (!existsSync(PICTURES)) return 'Samples: skipped, ../shared/images is absent.';
  const rasters = await Promise.all(
    readdirSync(PICTURES)
      .filter((file) => file.endsWith('.jpg'))
      .slice(0, TAKEN)
      .map((file) => openPicture(readFileSync(new URL(file, PICTURES))))
      .map((picture) => decodeRaster(picture.resize(SIDE, SIDE, { fit: 'inside' }).toColourspace('srgb'))),
  );
  const rows: string[] = [];
  for (const [name, save] of Object.entries(SAVED)) {
    const found: { few: Sameness; many: Sameness; whole: Sameness }[] = [];
    for (const raster of rasters) {
      const saved = await saveWhole(raster, save);
      found.push({
        few: await savingLoss(raster, save),
        many: compareRasters(raster, saved),
        whole: compareWhole(raster, saved),
      });
    }
    for (const tiles of ['few', 'many'] as const)
      rows.push(
        `| ${name} | ${tiles === 'few' ? 48 : 1024} | ${FIGURES.map((figure) => apart(found.map((one) => Math.abs(one[tiles][figure]! - one.whole[figure]!)))).join(' | ')} |`,
      );
  }
  return [
    `How far figures from tiles are from those of every pixel and window, on ${rasters.length} paintings and prints of at most ${SIDE} pixels a side: median and largest.`,
    '',
    '| Saved as | Tiles | PSNR, dB | SSIM | Mean ΔE00 | p95 of ΔE00 |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

async function saveWhole({ data, ...raw }: Raster, save: (pixels: Sharp) => Sharp): Promise<Raster> {
  const bytes = await save(sharp(data, { raw })).toBuffer();
  return decodeRaster(openPicture(bytes).toColourspace('srgb'));
}

const apart = (differences: number[]): string =>
  `${median(differences).toFixed(3)}, ${Math.max(...differences).toFixed(3)}`;
