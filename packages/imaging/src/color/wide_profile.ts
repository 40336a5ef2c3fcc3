import { srgbToLinear } from '../pixels/srgb_transfer.ts';
import { isWholeProfile } from './profile_name.ts';

/** Columns of the sRGB matrix in an ICC profile, adapted to D50. ICC.1:2022, annex E; IEC 61966-2-1 */
const SRGB_COLUMNS = [
  [0.4361, 0.2225, 0.0139],
  [0.3851, 0.7169, 0.0971],
  [0.1431, 0.0606, 0.7141],
] as const;
/** Tolerance for rounding in profiles. */
const SAME = 0.01;
/** Largest difference from the sRGB curve in linear light: gamma 2.2 differs by 0.005, gamma 1.8 by 0.07. */
const CURVE_DIFFERENCE_MAX = 0.02;

/**
 * Whether images in a profile can be processed without conversion: matrix RGB with other primaries than sRGB and a curve close to sRGB's,
 * so that averages in linear light are right. True for Display P3 and Adobe RGB; false for table-based profiles, HDR curves and ProPhoto.
 */
export function isWorkableProfile(icc: Uint8Array): boolean {
  if (!isWholeProfile(icc)) return false;
  const view = new DataView(icc.buffer, icc.byteOffset, icc.byteLength);
  try {
    return text(view, 16) === 'RGB ' && text(view, 20) === 'XYZ ' && hasOwnPrimaries(view);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function hasOwnPrimaries(view: DataView): boolean {
  const tags = tagsOf(view);
  const columns = ['rXYZ', 'gXYZ', 'bXYZ'].map((name) => tags.get(name));
  const curves = ['rTRC', 'gTRC', 'bTRC'].map((name) => tags.get(name));
  if (tags.has('A2B0') || ![...columns, ...curves].every((at) => at !== undefined)) return false;
  const isSrgb = columns.every((at, column) =>
    SRGB_COLUMNS[column]!.every((value, row) => Math.abs(fixed(view, at! + 8 + 4 * row) - value) < SAME),
  );
  return !isSrgb && curves.every((at) => isLikeSrgb(curveAt(view, at!)));
}

const text = (view: DataView, at: number): string =>
  String.fromCharCode(...[0, 1, 2, 3].map((index) => view.getUint8(at + index)));
const fixed = (view: DataView, at: number): number => view.getInt32(at) / 65_536;

function tagsOf(view: DataView): Map<string, number> {
  const entries = Array.from({ length: view.getUint32(128) }, (_, index) => 132 + 12 * index);
  return new Map(entries.map((at) => [text(view, at), view.getUint32(at + 4)]));
}

type Curve = (value: number) => number;

const isLikeSrgb = (curve: Curve | undefined): boolean =>
  curve !== undefined &&
  [0.1, 0.25, 0.5, 0.75, 0.9].every(
    (value) => Math.abs(curve(value) - srgbToLinear(value)) < CURVE_DIFFERENCE_MAX,
  );

/** Reads a gamma, a table or a parametric curve. ICC.1:2022, 10.6 and 10.18 */
function curveAt(view: DataView, at: number): Curve | undefined {
  const type = text(view, at);
  if (type === 'para') return formulaAt(view, at);
  if (type !== 'curv') return undefined;
  const count = view.getUint32(at + 8);
  if (count === 0) return (value) => value;
  if (count === 1) return (value) => value ** (view.getUint16(at + 12) / 256);
  return (value) => view.getUint16(at + 12 + 2 * Math.round(value * (count - 1))) / 65_535;
}

/** Parameter count of each function type. */
const PARAMETERS = [1, 3, 4, 5, 7];

function formulaAt(view: DataView, at: number): Curve | undefined {
  const count = PARAMETERS[view.getUint16(at + 8)];
  if (count === undefined) return undefined;
  const [g = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = Array.from({ length: count }, (_, index) =>
    fixed(view, at + 12 + 4 * index),
  );
  // Function type 2 adds its fourth parameter to both segments.
  const [above, below] = count === 4 ? [c, c] : [e, f];
  const slope = count > 4 ? c : 0;
  const from = count === 3 || count === 4 ? -b / a : d;
  return (value) => (value >= from ? (a * value + b) ** g + above : slope * value + below);
}
