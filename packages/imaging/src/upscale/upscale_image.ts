import { readRaster } from '../codecs/read_raster.ts';
import { writePng } from '../codecs/write_png.ts';
import { type DeepRaster, depthOf, hasAlpha } from '../pixels/raster.ts';
import { enlargeTiles } from './enlarge_tiles.ts';
import type { Network } from './open_network.ts';

/** How far a network could see colours from behind full transparency, in pixels. */
const REACH_PX = 64;

/**
 * Gives fully transparent pixels the colour of the nearest visible ones, in place. Otherwise their invisible colours would bleed into the
 * edges of the enlarged image.
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
  /** The PNG in pieces, so that a large one is not held twice. */
  readonly pieces: Uint8Array[];
  readonly contentType: 'image/png';
  readonly width: number;
  readonly height: number;
  /** By the network, what tiles share counted as often as it was seen. */
  readonly pixelsSeen: number;
}

/**
 * Enlarges a picture tile by tile with a network and writes it as PNG: grey stays grey, 16 bits stay 16 bits, and
 * transparency is enlarged by itself. Beside the decoded picture only one row of tiles is held.
 * @param onProgress after every tile
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
  const pixelsSeen = await enlargeTiles(raster, network, (band) => png.rows(band.data), onProgress);
  return { pieces: await png.finish(), contentType: 'image/png', width, height, pixelsSeen };
}
