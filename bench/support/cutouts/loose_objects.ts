import { fileURLToPath } from 'node:url';
import type { Raster } from '@atelier/imaging/pixels/raster.ts';
import { estimateForeground } from '@atelier/imaging/segmentation/estimate_foreground.ts';
import sharp from 'sharp';

export const SHARED_IMAGES = fileURLToPath(new URL('../../../../shared/images/', import.meta.url));

/** An object without its background: red, green, blue and opacity, interleaved. */
export interface LooseObject {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

interface Crop {
  /** Shares of width and height. */
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

interface Source {
  readonly file: string;
  /**
   * Source of the opacity: the file itself, a second file, or none: then everything except paper is the
   * object.
   */
  readonly opacity: 'own' | 'paper' | { readonly file: string };
  readonly crop?: Crop;
}

const matted = (name: string, type = 'png'): Source => ({
  file: `matting/${name}_image.${type}`,
  opacity: { file: `matting/${name}_alpha.png` },
});

const SOURCES = {
  trolls: matted('GT04'),
  doll: matted('GT08'),
  plant: matted('GT13'),
  witch: matted('GT18'),
  car: matted('davis_car', 'jpg'),
  drawn_witch: { file: 'anime/pepper_broom_rgba.png', opacity: 'own' },
  tree: { file: 'special/tree_alpha_16bit.png', opacity: 'own' },
  /** Two crops of one group, so that no person is in both halves. */
  girls: {
    file: 'special/children-alpha.png',
    opacity: 'own',
    crop: { left: 0, top: 0, right: 0.385, bottom: 1 },
  },
  girl_in_red: {
    file: 'special/children-alpha.png',
    opacity: 'own',
    crop: { left: 0.68, top: 0, right: 1, bottom: 1 },
  },
  honeysuckle: {
    file: 'train/pd-botanical-plate.jpg',
    opacity: 'paper',
    crop: { left: 0.02, top: 0.03, right: 0.98, bottom: 0.69 },
  },
} as const satisfies Record<string, Source>;

export type ObjectName = keyof typeof SOURCES;

const made = new Map<ObjectName, LooseObject>();

/** An object in its own colours, without colour from the background, cropped to its visible part. */
export async function cutOutOf(name: ObjectName): Promise<LooseObject> {
  const known = made.get(name);
  if (known) return known;
  const source: Source = SOURCES[name];
  const picture = await readPixels(source.file, source.crop);
  const opacity = await opacityOf(source, picture);
  const object = trimmed(source.opacity === 'own' ? picture : withoutGround(picture, opacity));
  made.set(name, object);
  return object;
}

async function readPixels(file: string, crop?: Crop): Promise<LooseObject> {
  const source = sharp(`${SHARED_IMAGES}${file}`);
  const { width, height } = await source.metadata();
  const part = crop && {
    left: Math.round(crop.left * width),
    top: Math.round(crop.top * height),
    width: Math.round((crop.right - crop.left) * width),
    height: Math.round((crop.bottom - crop.top) * height),
  };
  const { data, info } = await (part ? source.extract(part) : source)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data) };
}

async function opacityOf({ opacity }: Source, picture: LooseObject): Promise<Float32Array> {
  if (opacity === 'paper') return besidePaper(picture);
  const from = opacity === 'own' ? picture : await readPixels(opacity.file);
  const channel = opacity === 'own' ? 3 : 0;
  return Float32Array.from(
    { length: picture.width * picture.height },
    (_, at) => from.data[4 * at + channel]! / 255,
  );
}

const PAPER_LEVEL_MIN = 236;

/**
 * Bright pixels that are connected to the edge of the image through such pixels are paper; the rest is the
 * object.
 */
function besidePaper({ width, height, data }: LooseObject): Float32Array {
  const opacity = new Float32Array(width * height).fill(1);
  const isPaper = (at: number) =>
    Math.min(data[4 * at]!, data[4 * at + 1]!, data[4 * at + 2]!) >= PAPER_LEVEL_MIN;
  const open: number[] = [];
  const visit = (at: number) => {
    if (opacity[at] === 0 || !isPaper(at)) return;
    opacity[at] = 0;
    open.push(at);
  };
  for (let x = 0; x < width; x++) for (const y of [0, height - 1]) visit(y * width + x);
  for (let y = 0; y < height; y++) for (const x of [0, width - 1]) visit(y * width + x);
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const x = at % width;
    if (x > 0) visit(at - 1);
    if (x < width - 1) visit(at + 1);
    if (at >= width) visit(at - width);
    if (at < width * (height - 1)) visit(at + width);
  }
  return opacity;
}

function withoutGround({ width, height, data }: LooseObject, opacity: Float32Array): LooseObject {
  const picture: Raster = { width, height, channels: 4, data };
  const { foreground } = estimateForeground(picture, { width, height, data: opacity });
  const pixels = new Uint8Array(4 * width * height);
  for (let at = 0; at < opacity.length; at++)
    pixels.set([...foreground.subarray(3 * at, 3 * at + 3), 255 * opacity[at]!].map(Math.round), 4 * at);
  return { width, height, data: pixels };
}

function trimmed({ width, height, data }: LooseObject): LooseObject {
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let at = 0; at < width * height; at++) {
    if (data[4 * at + 3]! < 8) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.max(right, x + 1), Math.max(bottom, y + 1)];
  }
  const cut = new Uint8Array(4 * (right - left) * (bottom - top));
  for (let y = top; y < bottom; y++)
    cut.set(data.subarray(4 * (y * width + left), 4 * (y * width + right)), 4 * (y - top) * (right - left));
  return { width: right - left, height: bottom - top, data: cut };
}
