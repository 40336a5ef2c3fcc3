import { existsSync, readFileSync } from 'node:fs';
import { openPicture } from '@atelier/engines/picture/open_picture.ts';
import { sharp } from '@atelier/engines/picture/sharp.ts';
import { pixelsSeen } from '@atelier/engines/upscale/effort.ts';
import type { Network } from '@atelier/engines/upscale/open_network.ts';
import { planTiles } from '@atelier/engines/upscale/plan_tiles.ts';
import { upscaleImage } from '@atelier/engines/upscale/upscale_image.ts';
import { BUNDLED } from '../src/services/models/bundled.ts';
import { FAITHFUL, OFFICIAL, openByName } from './support/reference_networks.ts';

const IMAGES = new URL('../../shared/images/', import.meta.url);
const PICTURES = [
  'photo/kodak_03.png',
  'photo/kodak_15.png',
  'photo/kodak_23.png',
  'photo/pexels_woman.png',
  'art/starry_night.jpg',
  'anime/pepper_2015.jpg',
];
/** Enough for two tiles with their surroundings; the service takes larger ones, with no more seams. */
const PIECE = { width: 288, height: 160 };

/** Pictures cut into tiles against the same pictures at once, in levels of 255. */
export async function run(): Promise<string> {
  if (!existsSync(IMAGES)) return 'upscale_seams: skipped, ../shared/images is absent';
  const rows: string[] = [];
  for (const name of [...Object.keys(BUNDLED), ...OFFICIAL, ...FAITHFUL]) rows.push(await seamsOf(name));
  return [
    '## Seams of upscaling',
    '',
    `The middle ${PIECE.width} × ${PIECE.height} pixels of ${PICTURES.length} pictures in two tiles or more, against the whole at once. The aim is at most one level of 255 anywhere.`,
    '',
    '| network | pixels around a tile | tiles | most levels apart, by picture | samples that differ |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

async function seamsOf(name: string): Promise<string> {
  const whole = await openByName(name);
  const rules = { ...whole.rules, pixelsMax: Math.floor(0.85 * pixelsSeen(PIECE, whole.rules)) };
  const tiles = planTiles(PIECE.width, PIECE.height, rules).flat().length;
  const found: { most: number; share: number }[] = [];
  for (const picture of PICTURES) {
    const png = await middleOf(picture);
    found.push(levelsApart(await samplesOf(png, whole), await samplesOf(png, { ...whole, rules })));
  }
  await whole.close();
  const share = found.reduce((sum, one) => sum + one.share, 0) / found.length;
  return `| ${name} | ${rules.contextPx} | ${tiles} | ${found.map(({ most }) => most).join(', ')} | ${(100 * share).toFixed(3)} % |`;
}

async function middleOf(name: string): Promise<Buffer> {
  const picture = sharp(readFileSync(new URL(name, IMAGES))).removeAlpha();
  const { width, height } = await picture.metadata();
  const [left, top] = [(width - PIECE.width) >> 1, (height - PIECE.height) >> 1];
  return picture
    .extract({ left, top, ...PIECE })
    .toColourspace('srgb')
    .png()
    .toBuffer();
}

async function samplesOf(png: Uint8Array, network: Network): Promise<Buffer> {
  const { pieces } = await upscaleImage(png, network);
  return openPicture(Buffer.concat(pieces)).raw().toBuffer();
}

function levelsApart(one: Uint8Array, other: Uint8Array): { most: number; share: number } {
  let [most, differing] = [0, 0];
  for (let at = 0; at < one.length; at += 1) {
    const apart = Math.abs(one[at]! - other[at]!);
    most = Math.max(most, apart);
    if (apart > 0) differing += 1;
  }
  return { most, share: differing / one.length };
}
