/** CIE 1931 xy chromaticities of the primaries and the white point. */
export interface Primaries {
  readonly red: readonly [number, number];
  readonly green: readonly [number, number];
  readonly blue: readonly [number, number];
  readonly white: readonly [number, number];
}

/** Transfer function from samples to linear light: a named curve or a power. */
export type Transfer = 'srgb' | 'linear' | 'pq' | 'hlg' | { readonly gamma: number };

/** Meaning of the samples of a file that describes its colours by numbers instead of an ICC profile. */
export interface ColorCoding {
  /** Display name, such as "Display P3". */
  readonly name: string;
  readonly primaries: Primaries;
  readonly transfer: Transfer;
  /** 8-bit samples use the range 16 to 235, as in video. */
  readonly isNarrow?: boolean;
}

const D65 = [0.3127, 0.329] as const;
export const SRGB_PRIMARIES: Primaries = {
  red: [0.64, 0.33],
  green: [0.3, 0.6],
  blue: [0.15, 0.06],
  white: D65,
};
export const SRGB: ColorCoding = { name: 'sRGB', primaries: SRGB_PRIMARIES, transfer: 'srgb' };
const ADOBE_PRIMARIES: Primaries = { red: [0.64, 0.33], green: [0.21, 0.71], blue: [0.15, 0.06], white: D65 };
/** Adobe RGB (1998), 4.3: the exponent is 2 + 51/256. */
export const ADOBE_RGB: ColorCoding = {
  name: 'Adobe RGB (1998)',
  primaries: ADOBE_PRIMARIES,
  transfer: { gamma: 2 + 51 / 256 },
};

const SMPTE_170M: Primaries = { red: [0.63, 0.34], green: [0.31, 0.595], blue: [0.155, 0.07], white: D65 };
/** ITU-T H.273, table 2. Missing codes are unspecified or reserved. */
const PRIMARIES: Readonly<Record<number, readonly [name: string, primaries: Primaries]>> = {
  1: ['BT.709', SRGB_PRIMARIES],
  4: ['BT.470 M', { red: [0.67, 0.33], green: [0.21, 0.71], blue: [0.14, 0.08], white: [0.31, 0.316] }],
  5: ['BT.470 BG', { red: [0.64, 0.33], green: [0.29, 0.6], blue: [0.15, 0.06], white: D65 }],
  6: ['SMPTE 170M', SMPTE_170M],
  7: ['SMPTE 240M', SMPTE_170M],
  8: ['film', { red: [0.681, 0.319], green: [0.243, 0.692], blue: [0.145, 0.049], white: [0.31, 0.316] }],
  9: ['BT.2020', { red: [0.708, 0.292], green: [0.17, 0.797], blue: [0.131, 0.046], white: D65 }],
  10: ['CIE XYZ', { red: [1, 0], green: [0, 1], blue: [0, 0], white: [1 / 3, 1 / 3] }],
  11: ['DCI-P3', { red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06], white: [0.314, 0.351] }],
  12: ['Display P3', { red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06], white: D65 }],
  22: ['EBU 3213', { red: [0.63, 0.34], green: [0.295, 0.605], blue: [0.155, 0.077], white: D65 }],
};
/** ITU-T H.273, table 3. */
const TRANSFERS: Readonly<Record<number, Transfer>> = {
  4: { gamma: 2.2 },
  5: { gamma: 2.8 },
  8: 'linear',
  16: 'pq',
  17: { gamma: 2.6 },
  18: 'hlg',
};

/** Camera curves: BT.709, BT.601, xvYCC and BT.2020. */
const CAMERA_CURVES = [1, 6, 11, 14, 15];
/** How displays render camera curves. ITU-R BT.1886 */
const BT1886: Transfer = { gamma: 2.4 };

/**
 * Colour coding for ITU-T H.273 code points, as in cICP of a PNG and nclx of an AVIF. Undefined if they mean sRGB.
 * @param camera transfer function used for camera curves: browsers show them as sRGB in AVIF and as BT.1886 in PNG
 */
export function codingOf(
  primaries: number,
  transfer: number,
  isNarrow = false,
  camera: 'srgb' | 'bt1886' = 'srgb',
): ColorCoding | undefined {
  const [name, found] = PRIMARIES[primaries] ?? PRIMARIES[1]!;
  const shown = camera === 'bt1886' && CAMERA_CURVES.includes(transfer) ? BT1886 : 'srgb';
  const curve = TRANSFERS[transfer] ?? shown;
  if (found === SRGB_PRIMARIES && curve === 'srgb' && !isNarrow) return undefined;
  return { name: nameOf(name, curve), primaries: found, transfer: curve, ...(isNarrow && { isNarrow }) };
}

function nameOf(primaries: string, transfer: Transfer): string {
  if (transfer === 'srgb') return primaries === 'BT.709' ? 'sRGB' : primaries;
  if (transfer === 'pq') return `${primaries} PQ (HDR)`;
  if (transfer === 'hlg') return `${primaries} HLG (HDR)`;
  return `${primaries}, ${transfer === 'linear' ? 'linear' : `gamma ${transfer.gamma}`}`;
}

/** Smaller differences are invisible at 8 bits. */
const GAMMA_TOLERANCE = 0.05;
const CHROMATICITY_TOLERANCE = 0.005;

/**
 * Colour coding for a gamma and chromaticities, as in gAMA and cHRM of a PNG. Undefined if they mean sRGB or are not usable.
 * @param gamma the exponent samples are raised to; 1 is linear
 */
export function codingOfGamma(
  gamma: number | undefined,
  primaries: Primaries | undefined,
): ColorCoding | undefined {
  const isOrdinary = gamma === undefined || Math.abs(gamma - 2.2) < GAMMA_TOLERANCE;
  const isSrgb = primaries === undefined || isNear(primaries, SRGB_PRIMARIES);
  if (isOrdinary && isSrgb) return undefined;
  // Browsers treat 2.2 as the sRGB curve, but only with the sRGB primaries.
  const transfer: Transfer = gamma === undefined ? 'srgb' : gamma === 1 ? 'linear' : { gamma };
  const words = gamma === undefined ? '' : `gamma ${Math.round(100 * gamma) / 100}`;
  const name = [words, isSrgb ? '' : 'chromaticities of its own'].filter(Boolean).join(', ');
  return { name, primaries: isSrgb ? SRGB_PRIMARIES : primaries, transfer };
}

const CORNERS = ['red', 'green', 'blue', 'white'] as const;

function isNear(one: Primaries, other: Primaries): boolean {
  return CORNERS.every((corner) =>
    one[corner].every((value, axis) => Math.abs(value - other[corner][axis]!) < CHROMATICITY_TOLERANCE),
  );
}

/** Whether the primaries span a triangle and the white point allows a matrix profile. */
export function isUsable({ red, green, blue, white }: Primaries): boolean {
  const area = (green[0] - red[0]) * (blue[1] - red[1]) - (blue[0] - red[0]) * (green[1] - red[1]);
  return Math.abs(area) > 0.001 && white[1] > 0.05 && white[0] > 0.05 && white[0] + white[1] < 1;
}
