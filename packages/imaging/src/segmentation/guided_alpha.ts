import { boxMean } from '../pixels/box_mean.ts';
import { type Plane, planeOf } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import { enlargeRows } from './resample.ts';

/** Opacity of one row of a larger picture. `colors` is that picture, whose row `y` begins at `y · width` pixels. */
export type AlphaRows = (y: number, colors: Raster, into: Float32Array) => void;

const RADIUS = 2;
/** Colour variance, of 0 to 1, below which opacity is rather smoothed than bent along the colours. */
const EPSILON = 2e-4;
/** Where the small opacity is as good as 0 or 1 it stays so. */
const SETTLED = 0.004;

/**
 * Carries opacity over to a larger size of the same picture, along its finer edges.
 * Source: He and Sun, "Fast guided filter", 2015: in every small window opacity is a line of colour; the lines are
 * enlarged and applied to the large picture.
 */
export function guidedAlpha(small: Raster, alpha: Plane, size: { width: number; height: number }): AlphaRows {
  const lines = fitLines(small, alpha);
  const enlarged = [...lines, alpha].map((plane) => enlargeRows(plane, size));
  const rows = enlarged.map(() => new Float32Array(size.width));
  return (y, { channels, data }, into) => {
    for (const [at, row] of rows.entries()) enlarged[at]!(y, row);
    const [red, green, blue, rest, plain] = rows as [
      Float32Array,
      Float32Array,
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    for (let x = 0; x < size.width; x++) {
      const color = (y * size.width + x) * channels;
      const opacity =
        (red[x]! * data[color]! + green[x]! * data[color + 1]! + blue[x]! * data[color + 2]!) / 255 +
        rest[x]!;
      const soft = plain[x]!;
      into[x] = soft < SETTLED || soft > 1 - SETTLED ? Math.round(soft) : Math.min(1, Math.max(0, opacity));
    }
  };
}

/** The mean of the lines of all windows over each pixel: three slopes and what is added. */
function fitLines(picture: Raster, alpha: Plane): [Plane, Plane, Plane, Plane] {
  const colors = [0, 1, 2].map((side) => channelOf(picture, side));
  const means = colors.map((plane) => boxMean(plane, RADIUS).data);
  const meanAlpha = boxMean(alpha, RADIUS).data;
  const products = (one: Plane, other: Plane) =>
    boxMean({ ...one, data: one.data.map((value, at) => value * other.data[at]!) }, RADIUS).data;
  const pairs = [
    [0, 0],
    [0, 1],
    [0, 2],
    [1, 1],
    [1, 2],
    [2, 2],
  ] as const;
  const spreads = pairs.map(([one, other]) => products(colors[one]!, colors[other]!));
  const withAlpha = colors.map((plane) => products(plane, alpha));
  const lines = [0, 1, 2, 3].map(() => planeOf(picture));
  for (let pixel = 0; pixel < meanAlpha.length; pixel++) {
    const [r, g, b] = [means[0]![pixel]!, means[1]![pixel]!, means[2]![pixel]!];
    const xx = spreads[0]![pixel]! - r * r + EPSILON;
    const xy = spreads[1]![pixel]! - r * g;
    const xz = spreads[2]![pixel]! - r * b;
    const yy = spreads[3]![pixel]! - g * g + EPSILON;
    const yz = spreads[4]![pixel]! - g * b;
    const zz = spreads[5]![pixel]! - b * b + EPSILON;
    const mean = meanAlpha[pixel]!;
    const [u, v, w] = [
      withAlpha[0]![pixel]! - r * mean,
      withAlpha[1]![pixel]! - g * mean,
      withAlpha[2]![pixel]! - b * mean,
    ];
    const [a, d, e] = [yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy];
    const over = 1 / (xx * a + xy * d + xz * e);
    const red = (a * u + d * v + e * w) * over;
    const green = (d * u + (xx * zz - xz * xz) * v + (xy * xz - xx * yz) * w) * over;
    const blue = (e * u + (xy * xz - xx * yz) * v + (xx * yy - xy * xy) * w) * over;
    lines[0]!.data[pixel] = red;
    lines[1]!.data[pixel] = green;
    lines[2]!.data[pixel] = blue;
    lines[3]!.data[pixel] = mean - red * r - green * g - blue * b;
  }
  return lines.map((line) => boxMean(line, RADIUS)) as [Plane, Plane, Plane, Plane];
}

function channelOf(picture: Raster, side: number): Plane {
  const plane = planeOf(picture);
  for (let pixel = 0; pixel < plane.data.length; pixel++)
    plane.data[pixel] = picture.data[pixel * picture.channels + side]! / 255;
  return plane;
}
