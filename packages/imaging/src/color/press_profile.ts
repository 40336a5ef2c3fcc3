import { EngineError } from '../errors/engine_error.ts';
import { deltaE2000, type Lab, type Xyz } from './lab.ts';
import { profileName } from './profile_name.ts';
import { rankByFraction } from './rank_by_fraction.ts';

/** A conversion of an ICC profile, in place: the first `inputs` values, 0 to 1, become the first `outputs`. */
interface IccTable {
  readonly inputs: number;
  readonly outputs: number;
  /** Lab values use the 16-bit encoding of version 2, with FF00 instead of FFFF as the maximum. ICC.1:2022, 10.10 */
  readonly isLegacy16: boolean;
  convert(values: Float64Array): void;
}

type Stage = (values: Float64Array) => void;

const CHANNELS_MAX = 4;

/** @throws RangeError for a truncated table, TypeError for a table type that output profiles do not use */
function readTable(view: DataView, at: number): IccTable {
  const type = view.getUint32(at);
  if (type === 0x6d667431 || type === 0x6d667432) return readFixed(view, at, type === 0x6d667432);
  if (type === 0x6d414220 || type === 0x6d424120) return readCurves(view, at, type === 0x6d414220);
  throw new TypeError('a table is of an unknown type');
}

/** Reads `mft1` and `mft2`: curves, grid, curves. ICC.1:2022, 10.10 and 10.11. The matrix applies to XYZ only. */
function readFixed(view: DataView, at: number, isWide: boolean): IccTable {
  const [inputs, outputs, grid] = [view.getUint8(at + 8), view.getUint8(at + 9), view.getUint8(at + 10)];
  requireSupportedShape(inputs, outputs);
  const [entriesIn, entriesOut] = isWide ? [view.getUint16(at + 48), view.getUint16(at + 50)] : [256, 256];
  const size = isWide ? 2 : 1;
  let place = at + (isWide ? 52 : 48);
  const numbers = (count: number): Float64Array => {
    const from = place;
    place += count * size;
    return numbersAt(view, from, count, size);
  };
  const curvesIn = Array.from({ length: inputs }, () => numbers(entriesIn));
  const nodes = numbers(grid ** inputs * outputs);
  const curvesOut = Array.from({ length: outputs }, () => numbers(entriesOut));
  const stages = [
    curvesStage(curvesIn.map(sampledCurve)),
    gridStage(
      nodes,
      Array.from({ length: inputs }, () => grid),
      outputs,
    ),
    curvesStage(curvesOut.map(sampledCurve)),
  ];
  return { inputs, outputs, isLegacy16: isWide, convert: chainStages(stages) };
}

/** Reads `mAB ` and `mBA `: up to five stages, in opposite orders for the two directions. 10.12, 10.13 */
function readCurves(view: DataView, at: number, isFromDevice: boolean): IccTable {
  const [inputs, outputs] = [view.getUint8(at + 8), view.getUint8(at + 9)];
  requireSupportedShape(inputs, outputs);
  const [b, matrix, m, grid, a] = [12, 16, 20, 24, 28].map((offset) => view.getUint32(at + offset));
  const curves = (offset: number, count: number): Stage[] =>
    offset ? [curvesStage(curvesAt(view, at + offset, count))] : [];
  const [ofDevice, ofPcs] = isFromDevice ? [inputs, outputs] : [outputs, inputs];
  const stages = [
    ...curves(a!, ofDevice),
    ...(grid ? [gridAt(view, at + grid, inputs, outputs)] : []),
    ...curves(m!, ofPcs),
    ...(matrix ? [matrixAt(view, at + matrix)] : []),
    ...curves(b!, ofPcs),
  ];
  if (!grid && inputs !== outputs) throw new TypeError('a table has no grid');
  return {
    inputs,
    outputs,
    isLegacy16: false,
    convert: chainStages(isFromDevice ? stages : stages.reverse()),
  };
}

function requireSupportedShape(inputs: number, outputs: number): void {
  if (inputs < 1 || outputs < 1 || inputs > CHANNELS_MAX || outputs > CHANNELS_MAX)
    throw new TypeError(`a table has ${inputs} inputs and ${outputs} outputs`);
}

const chainStages =
  (stages: readonly Stage[]): Stage =>
  (values) => {
    for (const stage of stages) stage(values);
  };

function numbersAt(view: DataView, at: number, count: number, size: number): Float64Array {
  const numbers = new Float64Array(count);
  for (let index = 0; index < count; index += 1)
    numbers[index] = size === 2 ? view.getUint16(at + 2 * index) / 65535 : view.getUint8(at + index) / 255;
  return numbers;
}

type Curve = (value: number) => number;

const curvesStage =
  (curves: readonly Curve[]): Stage =>
  (values) => {
    for (const [channel, curve] of curves.entries()) values[channel] = curve(unit(values[channel]!));
  };

const unit = (value: number): number => Math.min(1, Math.max(0, value));

const sampledCurve =
  (table: Float64Array): Curve =>
  (value) => {
    const place = value * (table.length - 1);
    const below = Math.min(table.length - 2, Math.floor(place));
    return table[below]! + (place - below) * (table[below + 1]! - table[below]!);
  };

/** Reads consecutive curves, each padded to four bytes. */
function curvesAt(view: DataView, at: number, count: number): Curve[] {
  const curves: Curve[] = [];
  for (let place = at; curves.length < count; ) {
    const { curve, bytes } = curveAt(view, place);
    curves.push(curve);
    place += Math.ceil(bytes / 4) * 4;
  }
  return curves;
}

/** Reads `curv` and `para`. ICC.1:2022, 10.6 and 10.18 */
function curveAt(view: DataView, at: number): { curve: Curve; bytes: number } {
  if (view.getUint32(at) === 0x63757276) {
    const entries = view.getUint32(at + 8);
    const bytes = 12 + 2 * entries;
    if (entries === 0) return { curve: (value) => value, bytes };
    if (entries === 1) return { curve: (value) => value ** (view.getUint16(at + 12) / 256), bytes };
    return { curve: sampledCurve(numbersAt(view, at + 12, entries, 2)), bytes };
  }
  if (view.getUint32(at) !== 0x70617261) throw new TypeError('a curve is of an unknown type');
  const kind = view.getUint16(at + 8);
  const count = [1, 3, 4, 5, 7][kind];
  if (count === undefined) throw new TypeError('a curve is of an unknown kind');
  const parameters = Array.from({ length: count }, (_, index) => fixedAt(view, at + 12 + 4 * index));
  return { curve: parametric(kind, parameters), bytes: 12 + 4 * count };
}

function parametric(kind: number, [g = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0]: number[]): Curve {
  if (kind === 0) return (x) => x ** g;
  if (kind === 1) return (x) => (x >= -b / a ? (a * x + b) ** g : 0);
  if (kind === 2) return (x) => (x >= -b / a ? (a * x + b) ** g + c : c);
  return (x) => (x >= d ? (a * x + b) ** g + e : c * x + f);
}

const fixedAt = (view: DataView, at: number): number => view.getInt32(at) / 65536;

function matrixAt(view: DataView, at: number): Stage {
  const m = Array.from({ length: 12 }, (_, index) => fixedAt(view, at + 4 * index));
  return (values) => {
    const [x, y, z] = [values[0]!, values[1]!, values[2]!];
    for (let row = 0; row < 3; row += 1)
      values[row] = m[3 * row]! * x + m[3 * row + 1]! * y + m[3 * row + 2]! * z + m[9 + row]!;
  };
}

function gridAt(view: DataView, at: number, inputs: number, outputs: number): Stage {
  const sides = Array.from({ length: inputs }, (_, input) => view.getUint8(at + input));
  const count = sides.reduce((product, side) => product * side, outputs);
  return gridStage(numbersAt(view, at + 20, count, view.getUint8(at + 16)), sides, outputs);
}

/**
 * Simplex interpolation in a grid: it reads one more node than there are inputs, for any number of inputs (tetrahedral interpolation for
 * three). The first input varies slowest.
 */
function gridStage(nodes: Float64Array, sides: readonly number[], outputs: number): Stage {
  if (sides.some((side) => side < 2)) throw new TypeError('a grid has fewer than two nodes per side');
  const inputs = sides.length;
  const steps = sides.map((_, input) =>
    sides.slice(input + 1).reduce((product, side) => product * side, outputs),
  );
  const fractions = new Float64Array(inputs);
  const order = new Int32Array(inputs);
  return (values) => {
    let node = 0;
    for (let input = 0; input < inputs; input += 1) {
      const place = unit(values[input]!) * (sides[input]! - 1);
      const below = Math.min(sides[input]! - 2, Math.floor(place));
      node += below * steps[input]!;
      fractions[input] = place - below;
      rankByFraction(order, fractions, input);
    }
    for (let output = 0; output < outputs; output += 1) {
      let at = node + output;
      let value = nodes[at]!;
      for (let rank = 0; rank < inputs; rank += 1) {
        const input = order[rank]!;
        const beyond = at + steps[input]!;
        value += fractions[input]! * (nodes[beyond]! - nodes[at]!);
        at = beyond;
      }
      values[output] = value;
    }
  };
}

export const INTENTS = ['perceptual', 'relative', 'saturation', 'absolute'] as const;
export type Intent = (typeof INTENTS)[number];

/** A CMYK printing condition: inks 0 to 1 in the order cyan, magenta, yellow, black. */
export interface PressProfile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Colour of the paper; Y = 1 is white. */
  readonly paper: Readonly<Xyz>;
  /** Lab colour relative to the paper (paper is L* 100). `inks` holds four values and is overwritten. */
  labOf(inks: Float64Array, intent: Intent): Lab;
  /** Computes the inks for a colour into `inks`. */
  inksFor(lab: Readonly<Lab>, intent: Intent, inks: Float64Array): void;
}

/** Ink levels of each channel at which two profiles are compared. */
const COMPARED_LEVELS = [0, 0.25, 0.5, 0.75, 1];
/** Largest mean CIEDE2000, and largest difference of paper white (Y = 1), within one printing condition. */
const SAME_DELTA_E = 1;
const SAME_PAPER = 0.02;

/**
 * Whether two profiles describe the same printing condition. Vendors compute their own profiles from the same characterisation data, so the
 * bytes differ and the colours do not.
 */
export function isSameCondition(one: PressProfile, other: PressProfile): boolean {
  if (one.paper.some((value, axis) => Math.abs(value - other.paper[axis]!) > SAME_PAPER)) return false;
  let [sum, count] = [0, 0];
  for (const cyan of COMPARED_LEVELS)
    for (const magenta of COMPARED_LEVELS)
      for (const yellow of COMPARED_LEVELS)
        for (const black of COMPARED_LEVELS) {
          const look = (press: PressProfile) =>
            press.labOf(Float64Array.of(cyan, magenta, yellow, black), 'relative');
          sum += deltaE2000(look(one), look(other));
          count += 1;
        }
  return sum / count <= SAME_DELTA_E;
}

/** Number in the tag names A2B0 to A2B2; absolute colour is relative colour scaled by the paper white. 9.2 */
const TABLE_OF: Record<Intent, 0 | 1 | 2> = { perceptual: 0, relative: 1, saturation: 2, absolute: 1 };

/**
 * Reads an ICC output profile (ICC.1, versions 2 and 4; CMYK with Lab tables).
 * @throws EngineError invalid_input for any other or a damaged profile
 */
export function openPressProfile(bytes: Uint8Array): PressProfile {
  try {
    return read(bytes);
  } catch (error) {
    const isRefused = error instanceof TypeError;
    if (!isRefused && !(error instanceof RangeError)) throw error;
    throw new EngineError(
      'invalid_input',
      `The colour profile cannot be used: ${isRefused ? error.message : 'it is truncated'}. Send an ICC profile of a CMYK printing condition with Lab tables in both directions.`,
    );
  }
}

function read(bytes: Uint8Array): PressProfile {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (text(view, 36) !== 'acsp') throw new TypeError('it is not an ICC profile');
  if (text(view, 16) !== 'CMYK') throw new TypeError(`its colours are ${text(view, 16).trim()}, not CMYK`);
  if (text(view, 20) !== 'Lab ') throw new TypeError('its tables do not use Lab');
  const tags = tagsOf(view);
  const table = (letters: 'A2B' | 'B2A', intent: Intent): IccTable => {
    const at = tags.get(`${letters}${TABLE_OF[intent]}`) ?? tags.get(`${letters}0`);
    if (at === undefined) throw new TypeError(`it has no table ${letters}0`);
    const found = readTable(view, at);
    const [inputs, outputs] = letters === 'A2B' ? [4, 3] : [3, 4];
    if (found.inputs !== inputs || found.outputs !== outputs)
      throw new TypeError('a table has an unsupported shape');
    return found;
  };
  const byIntent = (letters: 'A2B' | 'B2A') => {
    const [perceptual, relative, saturation] = (['perceptual', 'relative', 'saturation'] as const).map(
      (intent) => table(letters, intent),
    );
    return { perceptual: perceptual!, relative: relative!, saturation: saturation!, absolute: relative! };
  };
  const [toLab, toInks] = [byIntent('A2B'), byIntent('B2A')];
  return {
    name: profileName(bytes),
    bytes,
    paper: paperOf(view, tags),
    labOf(inks, intent) {
      toLab[intent].convert(inks);
      return decodeLab(inks, toLab[intent].isLegacy16);
    },
    inksFor(lab, intent, inks) {
      encodeLab(lab, toInks[intent].isLegacy16, inks);
      toInks[intent].convert(inks);
    },
  };
}

const TAGS_MAX = 100;

function tagsOf(view: DataView): Map<string, number> {
  const count = Math.min(TAGS_MAX, view.getUint32(128));
  return new Map(
    Array.from({ length: count }, (_, index) => {
      const entry = 132 + 12 * index;
      return [text(view, entry), view.getUint32(entry + 4)];
    }),
  );
}

function paperOf(view: DataView, tags: Map<string, number>): Xyz {
  const at = tags.get('wtpt');
  if (at === undefined) throw new TypeError('it has no media white point');
  return [8, 12, 16].map((offset) => view.getInt32(at + offset) / 65536) as Xyz;
}

const text = (view: DataView, at: number): string =>
  String.fromCharCode(...[0, 1, 2, 3].map((index) => view.getUint8(at + index)));

/** Maximum of the 16-bit Lab encoding of version 2, as a fraction of 65535. */
const LEGACY_FULL = 65280 / 65535;

function decodeLab(values: Float64Array, isLegacy16: boolean): Lab {
  const full = isLegacy16 ? LEGACY_FULL : 1;
  return [(100 * values[0]!) / full, (255 * values[1]!) / full - 128, (255 * values[2]!) / full - 128];
}

function encodeLab([lightness, a, b]: Readonly<Lab>, isLegacy16: boolean, values: Float64Array): void {
  const full = isLegacy16 ? LEGACY_FULL : 1;
  values[0] = (full * lightness) / 100;
  values[1] = (full * (a + 128)) / 255;
  values[2] = (full * (b + 128)) / 255;
}
