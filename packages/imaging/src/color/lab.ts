import { LINEAR, linearToSrgb, srgbToLinear } from '../pixels/srgb_transfer.ts';

/** CIE L*a*b* under D50, the ICC profile connection space: lightness 0 to 100, green–red, blue–yellow. */
export type Lab = [lightness: number, a: number, b: number];
export type Xyz = [x: number, y: number, z: number];

/** White point of the profile connection space. ICC.1:2022, 7.2.16 */
export const D50: Readonly<Xyz> = [0.9642, 1, 0.8249];

/** Lab of an 8-bit sRGB colour, adapted to D50 (IEC 61966-2-1, Bradford). */
export function labOfSrgb(red: number, green: number, blue: number): Lab {
  const [r, g, b] = [lightOf(red), lightOf(green), lightOf(blue)];
  return labOfXyz([
    0.4360747 * r + 0.3850649 * g + 0.1430804 * b,
    0.2225045 * r + 0.7168786 * g + 0.0606169 * b,
    0.0139322 * r + 0.0971045 * g + 0.7141733 * b,
  ]);
}

const lightOf = (level: number): number =>
  level === (level & 255) ? LINEAR[level]! : srgbToLinear(level / 255);

/** The nearest sRGB colour, 0 to 255, unrounded; values outside the gamut are clipped. */
export function srgbOfLab(lab: Readonly<Lab>): [number, number, number] {
  const [x, y, z] = xyzOfLab(lab);
  return [
    linearToSrgb(3.1338561 * x - 1.6168667 * y - 0.4906146 * z),
    linearToSrgb(-0.9787684 * x + 1.9161415 * y + 0.033454 * z),
    linearToSrgb(0.0719453 * x - 0.2289914 * y + 1.4052427 * z),
  ];
}

/** Lab of an XYZ colour relative to the D50 white point. */
export function labOfXyz([x, y, z]: Readonly<Xyz>): Lab {
  const [fx, fy, fz] = [rootOf(x / D50[0]), rootOf(y / D50[1]), rootOf(z / D50[2])];
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)];
}

/** XYZ, relative to the D50 white point, of a Lab colour. */
export function xyzOfLab([lightness, a, b]: Readonly<Lab>): Xyz {
  const fy = (lightness + 16) / 116;
  return [D50[0] * cubeOf(fy + a / 500), D50[1] * cubeOf(fy), D50[2] * cubeOf(fy - b / 200)];
}

/** CIEDE2000: 1 is just noticeable side by side. Source: Sharma, Wu, Dalal, "The CIEDE2000 color-difference formula", 2005. */
export function deltaE2000([l1, a1, b1]: Readonly<Lab>, [l2, a2, b2]: Readonly<Lab>): number {
  const chromaMean7 = ((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2) ** 7;
  const stretch = 1.5 - 0.5 * Math.sqrt(chromaMean7 / (chromaMean7 + 25 ** 7));
  const [c1, c2] = [Math.hypot(a1 * stretch, b1), Math.hypot(a2 * stretch, b2)];
  const [h1, h2] = [hueOf(a1 * stretch, b1), hueOf(a2 * stretch, b2)];
  const isGrey = c1 * c2 === 0;
  const turn = isGrey ? 0 : shorterTurn(h2 - h1);
  const hue = isGrey ? h1 + h2 : (h1 + turn / 2 + 360) % 360;
  const [lightness, chroma] = [(l1 + l2) / 2, (c1 + c2) / 2];
  const weight =
    1 -
    0.17 * cosine(hue - 30) +
    0.24 * cosine(2 * hue) +
    0.32 * cosine(3 * hue + 6) -
    0.2 * cosine(4 * hue - 63);
  const off = (lightness - 50) ** 2;
  const dl = (l2 - l1) / (1 + (0.015 * off) / Math.sqrt(20 + off));
  const dc = (c2 - c1) / (1 + 0.045 * chroma);
  const dh = (2 * Math.sqrt(c1 * c2) * Math.sin((turn * Math.PI) / 360)) / (1 + 0.015 * chroma * weight);
  const bend = 2 * Math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7));
  const rotation = -bend * Math.sin((Math.PI / 3) * Math.exp(-(((hue - 275) / 25) ** 2)));
  return Math.sqrt(dl * dl + dc * dc + dh * dh + rotation * dc * dh);
}

/** 180° stays unwrapped: the mean of opposite hues then matches the authors' test data, from either side. */
const shorterTurn = (degrees: number): number =>
  degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees;
const cosine = (degrees: number): number => Math.cos((degrees * Math.PI) / 180);
const hueOf = (a: number, b: number): number => ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360;

const rootOf = (t: number): number => (t > 216 / 24389 ? Math.cbrt(t) : (841 / 108) * t + 4 / 29);
const cubeOf = (f: number): number => (f > 6 / 29 ? f ** 3 : (108 / 841) * (f - 4 / 29));
