import { COLORS } from './architecture.ts';
import type { Network } from './open_network.ts';
import type { Tile } from './plan_tiles.ts';
import { largestSample, type Raster } from './raster.ts';

/** Of red, green and blue in the grey of a picture. ITU-R BT.601 */
const GREY_WEIGHTS = [0.299, 0.587, 0.114];

/** Writes the colours of one tile into the band of enlarged rows it belongs to. */
export async function enlargeColors(
  raster: Raster,
  tile: Tile,
  network: Network,
  band: Raster,
): Promise<void> {
  const isGrey = raster.channels <= 2;
  const planes = planesOf(raster, tile, [0, isGrey ? 0 : 1, isGrey ? 0 : 2]);
  const enlarged = await network.enlarge(planes, tile.seen.width, tile.seen.height);
  const largest = largestSample(raster);
  eachPixel(tile, network.scale, band, (to, at, plane) => {
    const place = to * band.channels;
    if (isGrey) {
      const grey = GREY_WEIGHTS.reduce(
        (sum, weight, color) => sum + weight * enlarged[at + color * plane]!,
        0,
      );
      band.samples[place] = sampleOf(grey, largest);
      return;
    }
    for (let color = 0; color < COLORS; color += 1)
      band.samples[place + color] = sampleOf(enlarged[at + color * plane]!, largest);
  });
}

/**
 * The same for transparency, enlarged as a grey picture of its own. The network invents no transparency: a pixel stays
 * between the least and the most of the nine pixels around it, so that what was opaque is opaque.
 * @returns whether the network was asked: a tile of one transparency needs none
 */
export async function enlargeAlpha(
  raster: Raster,
  tile: Tile,
  network: Network,
  band: Raster,
): Promise<boolean> {
  const alpha = raster.channels - 1;
  const planes = planesOf(raster, tile, [alpha, alpha, alpha]);
  const { width, height } = tile.seen;
  const source = planes.subarray(0, width * height);
  const isEven = source.every((value) => value === source[0]);
  const enlarged = isEven ? undefined : await network.enlarge(planes, width, height);
  const bounds = enlarged && boundsOf(source, width, height);
  const largest = largestSample(raster);
  const rowWidth = width * network.scale;
  eachPixel(tile, network.scale, band, (to, at, plane) => {
    let value = source[0]!;
    if (enlarged && bounds) {
      const grey = (enlarged[at]! + enlarged[at + plane]! + enlarged[at + 2 * plane]!) / COLORS;
      const from =
        Math.floor(Math.floor(at / rowWidth) / network.scale) * width +
        Math.floor((at % rowWidth) / network.scale);
      value = Math.min(bounds.most[from]!, Math.max(bounds.least[from]!, grey));
    }
    band.samples[to * band.channels + alpha] = sampleOf(value, largest);
  });
  return !isEven;
}

const sampleOf = (value: number, largest: number): number =>
  Math.round(Math.min(1, Math.max(0, value)) * largest);

/** What the network sees of a tile; beyond the edges of the picture, which only fill up a multiple, it is mirrored. */
function planesOf(raster: Raster, { seen }: Tile, channels: readonly number[]): Float32Array {
  const { width, height, samples } = raster;
  const largest = largestSample(raster);
  const plane = seen.width * seen.height;
  const planes = new Float32Array(plane * channels.length);
  for (let y = 0; y < seen.height; y += 1)
    for (let x = 0; x < seen.width; x += 1) {
      const from =
        (mirrored(seen.top + y, height) * width + mirrored(seen.left + x, width)) * raster.channels;
      for (let index = 0; index < channels.length; index += 1)
        planes[index * plane + y * seen.width + x] = samples[from + channels[index]!]! / largest;
    }
  return planes;
}

const mirrored = (at: number, side: number): number => (at < side ? at : Math.max(0, 2 * side - 2 - at));

/**
 * Calls back for every pixel of a tile that is in the picture: its place in the band, its place in a plane of what the
 * network made, and the length of such a plane.
 */
function eachPixel(
  tile: Tile,
  scale: number,
  band: Raster,
  visit: (to: number, at: number, plane: number) => void,
): void {
  const { seen } = tile;
  const rowWidth = seen.width * scale;
  const plane = rowWidth * seen.height * scale;
  const [skipX, skipY] = [(tile.left - seen.left) * scale, (tile.top - seen.top) * scale];
  const columns = Math.min(tile.width * scale, band.width - tile.left * scale);
  for (let y = 0; y < band.height; y += 1)
    for (let x = 0; x < columns; x += 1)
      visit(y * band.width + tile.left * scale + x, (skipY + y) * rowWidth + skipX + x, plane);
}

/** The least and the most of each pixel and its neighbours. */
function boundsOf(
  source: Float32Array,
  width: number,
  height: number,
): { least: Float32Array; most: Float32Array } {
  const [least, most] = [new Float32Array(source.length), new Float32Array(source.length)];
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      let [low, high] = [1, 0];
      for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row += 1)
        for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column += 1) {
          const value = source[row * width + column]!;
          low = Math.min(low, value);
          high = Math.max(high, value);
        }
      least[y * width + x] = low;
      most[y * width + x] = high;
    }
  return { least, most };
}
