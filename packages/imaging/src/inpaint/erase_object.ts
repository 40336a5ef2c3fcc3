import { readMask } from '../codecs/read_mask.ts';
import { readRaster } from '../codecs/read_raster.ts';
import { sharp } from '../codecs/sharp.ts';
import type { PictureSource } from '../encoders/encode_picture.ts';
import { type Finish, type SavedPicture, type SaveRequest, savePicture } from '../encoders/save_picture.ts';
import { EngineError } from '../errors/engine_error.ts';
import type { Size } from '../pixels/plane.ts';
import { type DeepRaster, hasAlpha, largestSample, type Raster } from '../pixels/raster.ts';
import type { Region } from '../segmentation/letterbox.ts';
import { downsamplePlane, downsampleRaster, upsamplePlane } from '../segmentation/resample.ts';
import { fillByPatches, type HolePicture } from './fill_by_patches.ts';
import {
  boxesAround,
  type Cover,
  coverOfBoxes,
  type DetectedRegions,
  featheredPart,
  partsOf,
} from './hole_mask.ts';
import { CROP_PIXELS_MAX, HOLE_SHARE_MAX, VISITS_MAX } from './limits.ts';

export interface EraseRequest extends SaveRequest {
  readonly bytes: Uint8Array;
  /** Regions to erase, in pixels of the upright image. */
  readonly boxes?: readonly Region[] | undefined;
  /** Regions that a network detected, in addition to the boxes. */
  readonly found?: DetectedRegions | undefined;
  /** A mask image (alpha or brightness), in addition to the boxes. */
  readonly mask?: Uint8Array | undefined;
  /** Width in pixels of the soft transition outside the mask edge. */
  readonly feather: number;
}

export interface ErasedPicture extends SavedPicture {
  /** Fraction of the image that was erased, without the soft edge. */
  readonly erasedShare: number;
  /** Bounding boxes of the erased areas, in pixels. */
  readonly areas: readonly Region[];
  readonly filledBy: 'patches' | 'network';
  readonly engine: { name: string; version: string; weights_sha256?: string; provider?: string };
}

/** Fills holes with a network; includes the engine name for responses. */
export interface FillingNetwork {
  readonly engine: ErasedPicture['engine'];
  /** The image is opaque; its samples in the hole are overwritten. */
  readonly fill: (picture: HolePicture) => Promise<void>;
}

/** The engine that needs no model weights. */
const ENGINE = { name: 'atelier-patch-fill', version: '1' } as const;

type OnProgress = (fraction: number, message: string) => void;

/**
 * Erases parts of an image and fills them with a plausible background. Pixels further than `feather` from the mask stay unchanged, at 16
 * bits if the image has them. Transparent images are always filled by patches.
 * @throws EngineError invalid_input (a box outside the image, an empty mask or one with another aspect ratio), unsuitable_image (the hole
 * is
 * too large or has too little around it), and as `readRaster` and `savePicture` do
 */
export async function eraseObject(
  request: EraseRequest,
  {
    onProgress = () => {},
    network,
    finish,
  }: { onProgress?: OnProgress; network?: FillingNetwork; finish?: Finish } = {},
): Promise<ErasedPicture> {
  const picture = await readRaster(request.bytes);
  const cover = await coverOf(request, picture);
  const byNetwork = network && !isTransparent(picture) ? network : undefined;
  const filledBy = byNetwork ? 'network' : 'patches';
  const erasedShare = refuseLargeHole(cover, HOLE_SHARE_MAX[filledBy]);
  const areas = partsOf(cover, picture);
  onProgress(0.1, 'Picture decoded');
  for (const [at, area] of areas.entries()) {
    await erasePart(picture, cover, {
      area,
      feather: request.feather,
      network: byNetwork,
      share: 1 / areas.length,
    });
    onProgress(0.1 + (0.8 * (at + 1)) / areas.length, 'Filling');
  }
  const saved = await savePicture({ kind: 'pages', pages: [sourceOfDeep(picture)] }, request, finish);
  return { ...saved, erasedShare, areas, filledBy, engine: byNetwork?.engine ?? ENGINE };
}

async function coverOf({ boxes = [], found, mask }: EraseRequest, size: Size): Promise<Cover> {
  const cover = coverOfBoxes([...boxes, ...(found ? boxesAround(found, size) : [])], size);
  if (!mask) return cover;
  const drawn = await readMask(mask, size);
  for (let at = 0; at < cover.length; at++) if (drawn[at]! > cover[at]!) cover[at] = drawn[at]!;
  return cover;
}

const isTransparent = (picture: DeepRaster): boolean => {
  if (!hasAlpha(picture)) return false;
  const whole = largestSample(picture);
  for (let at = picture.channels - 1; at < picture.data.length; at += picture.channels)
    if (picture.data[at]! < whole) return true;
  return false;
};

/** Rejects a hole that is too large. @returns the fraction of the image with more than half coverage */
function refuseLargeHole(cover: Cover, most: number): number {
  let covered = 0;
  for (const value of cover) if (value > 127) covered++;
  const share = covered / cover.length;
  if (covered === 0) {
    const message = 'covers nothing: white or opaque pixels are erased';
    throw new EngineError('invalid_input', `mask ${message}. You were not charged.`, {
      errors: [{ field: 'mask', code: 'invalid', message }],
    });
  }
  if (share <= most) return share;
  throw new EngineError(
    'unsuitable_image',
    `${percent(share)} % of the image would be erased. The limit is ${percent(most)} %. Send smaller boxes around the object alone, or crop the image instead. You were not charged.`,
    { members: { erased_percent: percent(share), max_percent: percent(most) } },
  );
}

const percent = (share: number): number => Math.round(1000 * share) / 10;

interface Part {
  /** Bounding box of the hole. */
  readonly area: Region;
  readonly feather: number;
  readonly network: FillingNetwork | undefined;
  /** Fraction of the time budget. */
  readonly share: number;
}

/** Context around a hole that is analysed: a fraction of its longer side, with a minimum in pixels. */
const CONTEXT_SHARE = 1.2;
const CONTEXT_PX_MIN = 64;

/** Fills one hole in a crop around it and writes the covered pixels into the image. */
async function erasePart(
  picture: DeepRaster,
  cover: Cover,
  { area, feather, network, share }: Part,
): Promise<void> {
  const context =
    Math.max(CONTEXT_PX_MIN, Math.ceil(CONTEXT_SHARE * Math.max(area.width, area.height))) + feather;
  const crop = growRegion(area, context, picture);
  const covered = featheredPart(cover, picture, crop, feather);
  const filled = await fillCrop({ colors: cropAsRgba(picture, crop), covered }, network, share);
  if (!filled)
    throw new EngineError(
      'unsuitable_image',
      'Too little of the image surrounds the erased area to fill it. Send smaller boxes or a larger image. You were not charged.',
    );
  paste(picture, { covered, filled, crop, within: growRegion(area, feather, picture) });
}

function growRegion({ left, top, width, height }: Region, by: number, size: Size): Region {
  const [x, y] = [Math.max(0, left - by), Math.max(0, top - by)];
  return {
    left: x,
    top: y,
    width: Math.min(size.width, left + width + by) - x,
    height: Math.min(size.height, top + height + by) - y,
  };
}

/** 8-bit RGBA with premultiplied alpha. */
function cropAsRgba(picture: DeepRaster, { left, top, width, height }: Region): Raster {
  const { channels, data } = picture;
  const whole = largestSample(picture);
  const colors = channels < 3 ? [0, 0, 0] : [0, 1, 2];
  const cropped = new Uint8Array(width * height * 4);
  for (let y = 0, into = 0; y < height; y++)
    for (let x = 0; x < width; x++, into += 4) {
      const from = ((top + y) * picture.width + left + x) * channels;
      const alpha = hasAlpha(picture) ? data[from + channels - 1]! / whole : 1;
      for (const [sample, color] of colors.entries())
        cropped[into + sample] = (255 * alpha * data[from + color]!) / whole + 0.5;
      cropped[into + 3] = 255 * alpha + 0.5;
    }
  return { width, height, channels: 4, data: cropped };
}

/** @returns the crop with its hole filled; undefined if too little lies around it */
async function fillCrop(
  { colors, covered }: { colors: Raster; covered: Cover },
  network: FillingNetwork | undefined,
  share: number,
): Promise<Raster | undefined> {
  const scale = Math.min(1, Math.sqrt((share * CROP_PIXELS_MAX) / (colors.width * colors.height)));
  const size = scaled(colors, scale);
  const small = downsampleRaster(colors, size);
  const hole = Uint8Array.from(
    downsamplePlane({ ...scaled(colors, 1), data: Float32Array.from(covered) }, size).data,
    (value) => (value > 0 ? 1 : 0),
  );
  const picture = { ...size, data: small === colors ? Uint8Array.from(small.data) : small.data, hole };
  if (network) await network.fill(picture);
  else if (!fillByPatches(picture, share * VISITS_MAX)) return undefined;
  return scale === 1
    ? { ...size, channels: 4, data: picture.data }
    : enlarge({ ...size, data: picture.data }, colors);
}

const scaled = ({ width, height }: Size, scale: number): Size => ({
  width: Math.max(1, Math.round(width * scale)),
  height: Math.max(1, Math.round(height * scale)),
});

function enlarge(small: Size & { data: Uint8Array }, { width, height }: Size): Raster {
  const data = new Uint8Array(width * height * 4);
  for (let sample = 0; sample < 4; sample++) {
    const own = Float32Array.from(
      { length: small.width * small.height },
      (_, at) => small.data[4 * at + sample]!,
    );
    const plane = upsamplePlane({ width: small.width, height: small.height, data: own }, { width, height });
    for (let at = 0; at < plane.data.length; at++) data[4 * at + sample] = plane.data[at]! + 0.5;
  }
  return { width, height, channels: 4, data };
}

interface Pasted {
  readonly covered: Cover;
  readonly filled: Raster;
  readonly crop: Region;
  /** Region that may change; other holes in the same crop are filled separately. */
  readonly within: Region;
}

/** Blends the filled crop into the image, weighted by coverage. */
function paste(picture: DeepRaster, { covered, filled, crop, within }: Pasted): void {
  const { channels, data } = picture;
  const whole = largestSample(picture);
  for (let y = within.top; y < within.top + within.height; y++)
    for (let x = within.left; x < within.left + within.width; x++) {
      const from = (y - crop.top) * crop.width + x - crop.left;
      const part = covered[from]! / 255;
      if (part === 0) continue;
      const into = (y * picture.width + x) * channels;
      const before = hasAlpha(picture) ? data[into + channels - 1]! / whole : 1;
      const alpha = part * (hasAlpha(picture) ? filled.data[4 * from + 3]! / 255 : 1) + (1 - part) * before;
      for (let sample = 0; sample < channels - (hasAlpha(picture) ? 1 : 0); sample++) {
        const level =
          (part * filled.data[4 * from + sample]!) / 255 +
          (1 - part) * before * (data[into + sample]! / whole);
        data[into + sample] = alpha === 0 ? 0 : Math.min(whole, (whole * level) / alpha + 0.5);
      }
      if (hasAlpha(picture)) data[into + channels - 1] = whole * alpha + 0.5;
    }
}

/** An image source of 8- or 16-bit pixels in memory. */
function sourceOfDeep({ width, height, channels, data }: DeepRaster): PictureSource {
  const isDeep = data instanceof Uint16Array;
  const space = channels < 3 ? (isDeep ? 'grey16' : 'b-w') : isDeep ? 'rgb16' : 'srgb';
  const raw = { width, height, channels };
  return { width, height, open: () => sharp(data, { raw, limitInputPixels: false }).toColourspace(space) };
}
