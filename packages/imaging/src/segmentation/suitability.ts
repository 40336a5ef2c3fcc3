import { EngineError } from '../errors/engine_error.ts';
import type { Raster } from '../pixels/raster.ts';

const SIDE_PX_MIN = 8;
/** Levels of 0 to 255: below this, no edge can be told from noise. */
const CONTRAST_MIN = 6;
const TRANSPARENT_MAX = 16;
const KEPT_SHARE_MIN = 0.03;
/** A wall of windows had 0.54, pictures that show an object 0.15 at most. */
const UNCERTAIN_SHARE_MAX = 0.4;

/** @throws EngineError unsuitable_image: too small, nothing visible, or one opaque colour throughout */
export function refuseUnsuitable(picture: Raster): void {
  const { width, height } = picture;
  if (Math.min(width, height) < SIDE_PX_MIN)
    throw unsuitableImage(
      `The picture has ${width} × ${height} pixels; an outline needs at least ${SIDE_PX_MIN} on each side. Send a larger one.`,
    );
  const { visible, contrast } = looksOf(picture);
  if (visible === 0)
    throw unsuitableImage(
      'The picture is fully transparent: its background is removed already, and so is everything else.',
    );
  if (contrast < CONTRAST_MIN && !isCutOutAlready(picture))
    throw unsuitableImage(
      'The picture is one colour throughout, so there is no object to cut out. Send a picture that shows one.',
    );
}

/** True where a picture already has a background that is cut away: a useful part of it transparent, another not. */
export function isCutOutAlready({ width, height, channels, data }: Raster): boolean {
  if (channels !== 4) return false;
  let transparent = 0;
  for (let at = 3; at < data.length; at += 4) if (data[at]! <= TRANSPARENT_MAX) transparent++;
  return transparent >= KEPT_SHARE_MIN * width * height;
}

/** @throws EngineError unsuitable_image where nothing, or everything, would be kept */
export function refuseNoObject(objectShare: number): void {
  if (objectShare < 0.001)
    throw unsuitableImage(
      'Nothing in the picture stands out from the rest. Send one that shows an object before a background.',
    );
  if (objectShare > 0.995)
    throw unsuitableImage(
      'The object fills the whole picture, so there is no background to remove. Send one with room around the object.',
    );
}

/** @throws EngineError unsuitable_image where too much of the picture could be object as well as background */
export function refuseUncertain(uncertaintyShare: number): void {
  if (uncertaintyShare > UNCERTAIN_SHARE_MAX)
    throw unsuitableImage(
      `The object cannot be told from the background: ${Math.round(100 * uncertaintyShare)} % of the picture could be either. Send one in which it stands out.`,
    );
}

function looksOf({ channels, data }: Raster): { visible: number; contrast: number } {
  const [least, most] = [
    [255, 255, 255],
    [0, 0, 0],
  ];
  let visible = 0;
  for (let at = 0; at < data.length; at += channels) {
    if (channels === 4 && data[at + 3]! <= TRANSPARENT_MAX) continue;
    visible++;
    for (let side = 0; side < 3; side++) {
      const level = data[at + side]!;
      if (level < least[side]!) least[side] = level;
      if (level > most[side]!) most[side] = level;
    }
  }
  return { visible, contrast: Math.max(...most.map((level, side) => level - least[side]!)) };
}

const unsuitableImage = (detail: string): EngineError => new EngineError('unsuitable_image', detail);
