import type { Sharp } from 'sharp';
import { decodeRaster } from '../codecs/read_raster.ts';
import { sharp } from '../codecs/sharp.ts';
import type { DeepRaster } from '../pixels/raster.ts';
import { readWatermark } from './detect_watermark.ts';

/** What remains readable after an attack: the payload, only the id, or nothing. */
export type Survival = 'payload' | 'id' | 'lost';

/** Typical edits of an image. Each takes the watermarked image and returns the edited one on white, in 8 bits. */
const ATTACKS = {
  jpeg_75: (raster) => recodePicture(sharpOf(raster).jpeg({ quality: 75 })),
  jpeg_50: (raster) => recodePicture(sharpOf(raster).jpeg({ quality: 50 })),
  webp_80: (raster) => recodePicture(sharpOf(raster).webp({ quality: 80, effort: 2 })),
  webp_50: (raster) => recodePicture(sharpOf(raster).webp({ quality: 50, effort: 2 })),
  resize_50: (raster) => pixelsOf(sharpOf(raster).resize(half(raster))),
  crop_10: (raster) => pixelsOf(sharpOf(raster).extract(part(raster, 0.9))),
  crop_25_jpeg_75: (raster) =>
    recodePicture(sharpOf(raster).extract(part(raster, 0.75)).jpeg({ quality: 75 })),
  brightness_20: (raster) => pixelsOf(sharpOf(raster).linear(1.2, 0)),
  blur_1: (raster) => pixelsOf(sharpOf(raster).blur(1)),
  rotate_2: (raster) => pixelsOf(sharpOf(raster).rotate(2, { background: '#ffffff' })),
  avif_50: (raster) => recodePicture(sharpOf(raster).avif({ quality: 50, effort: 2 })),
  screenshot_75: (raster) => pixelsOf(onScreen(raster)),
  crop_to_quarter: (raster) => pixelsOf(sharpOf(raster).extract(part(raster, 0.5))),
} as const satisfies Record<string, (raster: DeepRaster) => Promise<DeepRaster>>;

export type AttackName = keyof typeof ATTACKS;

export const ATTACK_NAMES = Object.keys(ATTACKS) as readonly AttackName[];

/** Attacks that change the geometry, so that detection needs a search. */
export const MOVING_ATTACKS: ReadonlySet<AttackName> = new Set<AttackName>([
  'crop_10',
  'crop_25_jpeg_75',
  'rotate_2',
  'screenshot_75',
  'crop_to_quarter',
]);

/** Larger images are reduced to this size before attacks, which bounds the run time. */
const ATTACKED_PIXELS_MAX = 3_000_000;

/** The image that attacks start from: on white, 8 bits, at most `ATTACKED_PIXELS_MAX`. */
async function prepareForAttacks(raster: DeepRaster): Promise<DeepRaster> {
  const { width, height, channels, data } = raster;
  const scale = Math.min(1, Math.sqrt(ATTACKED_PIXELS_MAX / (width * height)));
  if (scale === 1 && channels === 3 && data instanceof Uint8Array) return raster;
  const picture = sharp(eightBits(raster), { raw: { width, height, channels } })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .resize(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)), { fit: 'fill' });
  return pixelsOf(picture);
}

const eightBits = ({ data: samples }: DeepRaster): Uint8Array =>
  samples instanceof Uint16Array ? Uint8Array.from(samples, (sample) => Math.round(sample / 257)) : samples;

const sharpOf = ({ width, height, channels, data: samples }: DeepRaster): Sharp =>
  sharp(samples, { raw: { width, height, channels } });

const half = ({ width }: DeepRaster) => ({ width: Math.max(1, Math.round(width / 2)) });

/** An off-centre crop with `share` of each side. */
function part({ width, height }: DeepRaster, share: number) {
  const [wide, high] = [Math.round(width * share), Math.round(height * share)];
  return {
    left: Math.floor((width - wide) * 0.37),
    top: Math.floor((height - high) * 0.61),
    width: wide,
    height: high,
  };
}

/** The image at 75 %, centred in a window with grey margins. */
function onScreen({ width, height, ...raster }: DeepRaster): Sharp {
  const [wide, high] = [Math.round(width * 0.75), Math.round(height * 0.75)];
  const [beside, above] = [Math.round(wide * 0.12), Math.round(high * 0.08)];
  return sharpOf({ width, height, ...raster })
    .resize(wide, high, { fit: 'fill' })
    .extend({ left: beside, right: beside, top: above, bottom: above, background: '#e8e8e8' });
}

const recodePicture = async (picture: Sharp): Promise<DeepRaster> =>
  pixelsOf(sharp(await picture.toBuffer()));

const pixelsOf = (picture: Sharp): Promise<DeepRaster> => decodeRaster(picture.toColourspace('srgb'));

/** Results of attacks on one watermarked image; each attack runs on first request. */
export interface Trial {
  survivalAfter(name: AttackName): Promise<Survival>;
  /** Whether the payload can be read from the image before any attack. */
  isReadable(): boolean;
}

/** @param onTried called before each attack that is run, not for cached results */
export function createTrial(
  raster: DeepRaster,
  { payload, id }: { readonly payload: string; readonly id: string },
  onTried: (name: AttackName) => void,
): Trial {
  const survivals = new Map<AttackName, Survival>();
  let prepared: DeepRaster | undefined;
  let readable: boolean | undefined;
  return {
    async survivalAfter(name) {
      const known = survivals.get(name);
      if (known) return known;
      onTried(name);
      prepared ??= await prepareForAttacks(raster);
      const found = readWatermark(await ATTACKS[name](prepared), MOVING_ATTACKS.has(name));
      const survival = found.payload === payload ? 'payload' : found.id === id ? 'id' : 'lost';
      survivals.set(name, survival);
      return survival;
    },
    isReadable() {
      readable ??= readWatermark(raster, false).payload === payload;
      return readable;
    },
  };
}
