import { readRaster } from '../codecs/read_raster.ts';
import { writePng } from '../codecs/write_png.ts';
import { type DeepRaster, depthOf, hasAlpha } from '../pixels/raster.ts';
import type { Network } from './open_network.ts';
import { upscaleTiles } from './upscale_tiles.ts';

/** Distance in pixels over which a model could pick up colours of fully transparent pixels. */
const REACH_PX = 64;

/**
 * Gives fully transparent pixels the colour of the nearest visible ones, in place. Otherwise their invisible colours would bleed into the
 * edges of the upscaled image.
 */
export function bleedColors({ width, height, channels, data: samples }: DeepRaster): void {
  if (!hasAlpha({ channels })) return;
  const colors = channels - 1;
  const isKnown = new Uint8Array(width * height);
  const means = [0, 0, 0];
  let [visible, border] = [0, [] as number[]];
  for (let pixel = 0; pixel < isKnown.length; pixel += 1) {
    if (samples[pixel * channels + colors] === 0) continue;
    isKnown[pixel] = 1;
    visible += 1;
    for (let color = 0; color < colors; color += 1) means[color]! += samples[pixel * channels + color]!;
  }
  if (visible === isKnown.length) return;
  const neighbours = (pixel: number): number[] => {
    const column = pixel % width;
    return [
      ...(column > 0 ? [pixel - 1] : []),
      ...(column < width - 1 ? [pixel + 1] : []),
      ...(pixel >= width ? [pixel - width] : []),
      ...(pixel < isKnown.length - width ? [pixel + width] : []),
    ];
  };
  for (let pixel = 0; pixel < isKnown.length; pixel += 1)
    if (!isKnown[pixel] && neighbours(pixel).some((near) => isKnown[near])) border.push(pixel);
  for (let step = 0; step < REACH_PX && border.length > 0; step += 1) {
    for (const pixel of border)
      average(
        samples,
        channels,
        pixel,
        neighbours(pixel).filter((near) => isKnown[near] === 1),
      );
    for (const pixel of border) isKnown[pixel] = 1;
    const next = border.flatMap((pixel) => neighbours(pixel).filter((near) => !isKnown[near]));
    border = [...new Set(next)];
  }
  for (let pixel = 0; pixel < isKnown.length; pixel += 1) {
    if (isKnown[pixel]) continue;
    for (let color = 0; color < colors; color += 1)
      samples[pixel * channels + color] = visible === 0 ? 0 : Math.round(means[color]! / visible);
  }
}

function average(
  samples: DeepRaster['data'],
  channels: number,
  pixel: number,
  known: readonly number[],
): void {
  for (let color = 0; color < channels - 1; color += 1) {
    const sum = known.reduce((total, near) => total + samples[near * channels + color]!, 0);
    samples[pixel * channels + color] = Math.round(sum / known.length);
  }
}

export interface UpscaledImage {
  /** The PNG in chunks, so that a large one is not copied. */
  readonly pieces: Uint8Array[];
  readonly contentType: 'image/png';
  readonly width: number;
  readonly height: number;
  /** By the model, overlaps of tiles included. */
  readonly pixelsSeen: number;
}

/**
 * Upscales an image tile by tile and encodes it as PNG: greyscale and 16-bit images stay so, and alpha is upscaled separately. Besides the
 * decoded image, only one row of tiles is in memory.
 * @param onProgress called after every tile
 * @throws EngineError undecodable_image, unsupported_image, image_too_large
 */
export async function upscaleImage(
  bytes: Uint8Array,
  network: Network,
  onProgress: (fraction: number, message: string) => void = () => {},
): Promise<UpscaledImage> {
  const raster = await readRaster(bytes);
  bleedColors(raster);
  const [width, height] = [raster.width * network.scale, raster.height * network.scale];
  const png = writePng({ width, height, channels: raster.channels, depth: depthOf(raster) });
  const pixelsSeen = await upscaleTiles(raster, network, (band) => png.rows(band.data), onProgress);
  return { pieces: await png.finish(), contentType: 'image/png', width, height, pixelsSeen };
}
