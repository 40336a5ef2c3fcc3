/** Generated images with known opacity: an object of one colour field over another. */
export interface MadePicture {
  readonly width: number;
  readonly height: number;
  readonly channels: 3;
  readonly data: Uint8Array;
  /** The true opacity of every pixel, 0 to 1. */
  readonly truth: Float32Array;
}

type Place = (x: number, y: number) => number;
type Color = (x: number, y: number) => readonly [number, number, number];

interface Recipe {
  readonly width: number;
  readonly height: number;
  /** Opacity at a position, in pixels from the upper left corner. */
  readonly opacity: Place;
  readonly object: Color;
  readonly background: Color;
  /** Levels of uniform noise, the same in every run. */
  readonly noise?: number;
}

export function madePicture({ width, height, opacity, object, background, noise = 0 }: Recipe): MadePicture {
  const data = new Uint8Array(width * height * 3);
  const truth = new Float32Array(width * height);
  for (let pixel = 0; pixel < truth.length; pixel++) {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    const alpha = opacity(x + 0.5, y + 0.5);
    truth[pixel] = alpha;
    const [front, back] = [object(x, y), background(x, y)];
    for (let side = 0; side < 3; side++) {
      const grain = noise * ((((pixel * 3 + side) * 2654435761) >>> 8) % 1000) * 0.001 - noise / 2;
      const level = alpha * front[side]! + (1 - alpha) * back[side]! + grain;
      data[pixel * 3 + side] = Math.min(255, Math.max(0, Math.round(level)));
    }
  }
  return { width, height, channels: 3, data, truth };
}

/** Opaque inside a circle, with a soft edge of this many pixels. */
export const disc =
  (centreX: number, centreY: number, radius: number, soft = 1): Place =>
  (x, y) =>
    Math.min(1, Math.max(0, (radius - Math.hypot(x - centreX, y - centreY)) / soft + 0.5));

/** A disc with hairs thinner than a pixel. */
export const hairyDisc = (centreX: number, centreY: number, radius: number): Place => {
  const body = disc(centreX, centreY, radius);
  return (x, y) => {
    const away = Math.hypot(x - centreX, y - centreY);
    const turn = Math.atan2(y - centreY, x - centreX) * 24;
    const stroke = Math.max(0, 1 - Math.abs(Math.sin(turn / 2)) * away * 0.09);
    return Math.max(body(x, y), away < radius * 1.35 ? 0.8 * stroke : 0);
  };
};

export const meanDifference = (one: ArrayLike<number>, other: ArrayLike<number>): number => {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += Math.abs(one[at]! - other[at]!);
  return sum / one.length;
};
