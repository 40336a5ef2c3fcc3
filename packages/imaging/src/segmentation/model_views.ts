import { fitInside } from '../pixels/fit_inside.ts';
import { type Plane, planeOf } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import { downsampleRaster, upsamplePlane } from './resample.ts';

/** A model's masks of an image, of its mirror image and of the padded image, each mapped back to the image. */
export interface MaskViews {
  readonly plain: Plane;
  readonly mirrored: Plane;
  readonly padded: Plane;
}

/** Runs a model on an image; the mask may have any size. */
export type RunModel = (picture: Raster) => Promise<Plane>;

/** Padding on each side, as a fraction of that side: an object cut off at the edge becomes a complete object in the middle. */
const PADDING_SHARE = 0.2;
/** Longest side in pixels; no model that runs more than once has a larger input. */
const VIEW_SIDE_PX = 512;

/** Runs the model on three views; it is unreliable where they disagree. */
export async function runThreeViews(picture: Raster, ask: RunModel): Promise<MaskViews> {
  const shown = downsampleRaster(picture, fitInside(picture, VIEW_SIDE_PX));
  const plain = await ask(picture);
  const mirrored = mirrorPlane(await ask(mirrorRaster(shown)));
  return { plain, mirrored, padded: await runPadded(shown, ask) };
}

/** Runs the model on the padded image and maps the mask back to the image. */
export async function runPadded(picture: Raster, ask: RunModel): Promise<Plane> {
  const room = {
    across: Math.round(PADDING_SHARE * picture.width),
    down: Math.round(PADDING_SHARE * picture.height),
  };
  const paddedImage = padByEdge(picture, room);
  const seen = upsamplePlane(await ask(paddedImage), paddedImage);
  const padded = planeOf(picture);
  for (let y = 0; y < picture.height; y++) {
    const from = (y + room.down) * paddedImage.width + room.across;
    padded.data.set(seen.data.subarray(from, from + picture.width), y * picture.width);
  }
  return padded;
}

function mirrorRaster({ width, height, channels, data }: Raster): Raster {
  const mirrored = new Uint8Array(data.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let channel = 0; channel < channels; channel++)
        mirrored[channels * (y * width + x) + channel] =
          data[channels * (y * width + width - 1 - x) + channel]!;
  return { width, height, channels, data: mirrored };
}

function mirrorPlane({ width, height, data }: Plane): Plane {
  const mirrored = planeOf({ width, height });
  for (let at = 0; at < data.length; at++) mirrored.data[at] = data[at + width - 1 - 2 * (at % width)]!;
  return mirrored;
}

/** Pads an image by repeating its edge pixels. */
function padByEdge(picture: Raster, room: { across: number; down: number }): Raster {
  const { channels } = picture;
  const [width, height] = [picture.width + 2 * room.across, picture.height + 2 * room.down];
  const data = new Uint8Array(width * height * channels);
  const clamp = (value: number, maximum: number) => Math.min(maximum, Math.max(0, value));
  for (let y = 0; y < height; y++) {
    const row = clamp(y - room.down, picture.height - 1) * picture.width;
    for (let x = 0; x < width; x++) {
      const from = channels * (row + clamp(x - room.across, picture.width - 1));
      data.set(picture.data.subarray(from, from + channels), channels * (y * width + x));
    }
  }
  return { width, height, channels, data };
}
