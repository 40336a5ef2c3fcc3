import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import type { DeepRaster } from '@atelier/imaging/pixels/raster.ts';
import { keyedRandom } from '@atelier/imaging/watermark/keyed_random.ts';
import type { Sharp } from 'sharp';

/** Prefix of attacks beyond the specification. */
export const BEYOND = 'beyond: ';

/** The attacks for measuring watermarks, on RGB images of 8 bits. */
export const ATTACKS: Record<string, (raster: DeepRaster) => Promise<DeepRaster>> = {
  none: async (raster) => raster,
  'JPEG 75': (raster) => recoded(open(raster).jpeg({ quality: 75 })),
  'JPEG 50': (raster) => recoded(open(raster).jpeg({ quality: 50 })),
  'WebP 80': (raster) => recoded(open(raster).webp({ quality: 80 })),
  'resize 50 %': (raster) => resized(raster, 0.5),
  'resize 75 %': (raster) => resized(raster, 0.75),
  'resize 150 %': (raster) => resized(raster, 1.5),
  'resize 200 %': (raster) => resized(raster, 2),
  'crop 10 % of each side': (raster) => pixels(cropped(raster, 0.1)),
  'crop 25 % of each side, JPEG 75': (raster) => recoded(cropped(raster, 0.25).jpeg({ quality: 75 })),
  'brightness +20 %': async (raster) => leveled(raster, (value) => value * 1.2),
  'brightness -20 %': async (raster) => leveled(raster, (value) => value * 0.8),
  'contrast +20 %': async (raster) => leveled(raster, (value) => (value - 128) * 1.2 + 128),
  'contrast -20 %': async (raster) => leveled(raster, (value) => (value - 128) * 0.8 + 128),
  'blur 1': (raster) => pixels(open(raster).blur(1)),
  'noise 5': async (raster) => noisy(raster, 5),
  'rotation 2°': (raster) => turned(raster, 2),
  [`${BEYOND}WebP 50`]: (raster) => recoded(open(raster).webp({ quality: 50 })),
  [`${BEYOND}AVIF 50`]: (raster) => recoded(open(raster).avif({ quality: 50 })),
  [`${BEYOND}screenshot at 75 %`]: (raster) => pixels(onScreen(raster)),
  [`${BEYOND}a quarter of it left`]: (raster) => pixels(cropped(raster, 0.5)),
  [`${BEYOND}turned 90°, mirrored`]: (raster) => pixels(open(raster).rotate(90).flop()),
  [`${BEYOND}squeezed to a square`]: (raster) => pixels(open(raster).resize(600, 600, { fit: 'fill' })),
};

const open = ({ width, height, data: samples }: DeepRaster): Sharp =>
  sharp(samples, { raw: { width, height, channels: 3 } });

async function pixels(picture: Sharp): Promise<DeepRaster> {
  const { data, info } = await picture
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: 3, data };
}

const recoded = async (picture: Sharp): Promise<DeepRaster> => pixels(sharp(await picture.toBuffer()));

const resized = (raster: DeepRaster, scale: number): Promise<DeepRaster> =>
  pixels(open(raster).resize(Math.round(raster.width * scale)));

function cropped(raster: DeepRaster, share: number): Sharp {
  const [width, height] = [Math.round(raster.width * (1 - share)), Math.round(raster.height * (1 - share))];
  const left = Math.floor((raster.width - width) * 0.37);
  return open(raster).extract({ left, top: Math.floor((raster.height - height) * 0.61), width, height });
}

/** Scaled to three quarters, centred in a window with grey margins. */
function onScreen({ width, height, data }: DeepRaster): Sharp {
  const [wide, high] = [Math.round(width * 0.75), Math.round(height * 0.75)];
  return open({ width, height, data, channels: 3 })
    .resize(wide, high, { fit: 'fill' })
    .extend({ left: 90, right: 60, top: 70, bottom: 40, background: '#e8e8e8' });
}

function leveled(raster: DeepRaster, level: (value: number) => number): DeepRaster {
  const table = Uint8ClampedArray.from({ length: 256 }, (_, value) => level(value));
  return { ...raster, data: Uint8Array.from(raster.data, (sample) => table[sample]!) };
}

function noisy(raster: DeepRaster, deviation: number): DeepRaster {
  const next = keyedRandom(5);
  const normal = () =>
    Math.sqrt(-2 * Math.log((next() + 1) / 2 ** 32)) * Math.cos((2 * Math.PI * next()) / 2 ** 32);
  const samples = Uint8ClampedArray.from(raster.data, (sample) => sample + deviation * normal());
  return { ...raster, data: new Uint8Array(samples.buffer) };
}

/** Rotates around the centre; the size stays, corners are black. */
async function turned(raster: DeepRaster, degrees: number): Promise<DeepRaster> {
  const { data, info } = await open(raster)
    .rotate(degrees, { background: '#000000' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = raster;
  return pixels(
    sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } }).extract({
      left: Math.floor((info.width - width) / 2),
      top: Math.floor((info.height - height) / 2),
      width,
      height,
    }),
  );
}
