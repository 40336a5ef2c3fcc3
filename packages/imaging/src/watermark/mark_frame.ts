import type { Plane } from '../pixels/plane.ts';
import { type Carrier, headerCarrier, messageCarrier, placesOf, signsOf } from './carrier.ts';
import { type CodedMark, HEADER_STEP } from './coded_mark.ts';
import { PILOT_PERIOD_PX, pilotTile } from './pilot.ts';
import { type Visibility, visibilityOf } from './visibility.ts';
import { visibleChanges } from './visibility_threshold.ts';
import { CELL_PX, type Details, detailsOf, planeOfDetails } from './wavelet.ts';

/**
 * Quantisation index modulation: moves a value towards the nearest multiple of a step (bit 0) or the nearest midpoint (bit 1), shifted by a keyed
 * offset. B. Chen, G. Wornell, IEEE Trans. Inf. Theory 47 (2001).
 * @param offset in steps
 * @returns the full distance from `value` to the nearest point that encodes `bit`
 */
function wayToBit(value: number, bit: number, offset: number, step: number): number {
  const place = value / step - offset - bit / 2;
  return (Math.round(place) - place) * step;
}

const PLACES = 256;
const SPREADS = Array.from({ length: 22 }, (_, index) => 0.05 * 1.11 ** index);

/** For each standard deviation of the noise, in steps: log-likelihood of the bit and probability, by position within a step. */
const TABLES = SPREADS.map((spread) => {
  const density = Float64Array.from({ length: PLACES }, (_, at) => {
    let sum = 1e-9;
    for (let turn = -2; turn <= 2; turn++) {
      const distance = (at + 0.5) / PLACES + turn;
      sum += Math.exp(-(distance * distance) / (2 * spread * spread));
    }
    return sum / spread;
  });
  const opposite = (at: number) => density[(at + PLACES / 2) % PLACES]!;
  return {
    likelihood: Float32Array.from(density, (value, at) => Math.log(value / opposite(at))),
    evidence: Float32Array.from(density, (value, at) => Math.log(value + opposite(at))),
  };
});

/** Positions of values within a step, as indices of a table of PLACES. */
export function placesWithinStep(
  values: Float32Array,
  offsets: Float32Array,
  step: number,
  places: Uint8Array,
): void {
  const count = offsets.length;
  const scale = PLACES / step;
  for (let at = 0; at < values.length; at++)
    places[at] = Math.floor(values[at]! * scale - offsets[at % count]! * PLACES) & (PLACES - 1);
}

/**
 * Writes ln(P(0)/P(1)) for a group of values with similar noise. The noise is estimated from the positions alone: the standard deviation that makes
 * them most likely.
 */
export function likelihoodsOf(places: Uint8Array, members: readonly number[], into: Float32Array): number {
  let best = TABLES[TABLES.length - 1]!;
  let bestSum = Number.NEGATIVE_INFINITY;
  for (const table of TABLES) {
    let sum = 0;
    for (const member of members) sum += table.evidence[places[member]!]!;
    if (sum > bestSum) [best, bestSum] = [table, sum];
  }
  for (const member of members) into[member] = best.likelihood[places[member]!]!;
  return SPREADS[TABLES.indexOf(best)]!;
}

const WAVES = [1, 2].map((harmonic) =>
  Float32Array.from({ length: PLACES }, (_, at) => Math.cos((2 * Math.PI * harmonic * (at + 0.5)) / PLACES)),
);

/** Mean cosine of positions at a harmonic of the step: 1 if the bits are known, 2 if not. */
export function meanCosine(places: Uint8Array, members: readonly number[], harmonic: 1 | 2): number {
  const wave = WAVES[harmonic - 1]!;
  let sum = 0;
  for (const member of members) sum += wave[places[member]!]!;
  return sum / Math.max(1, members.length);
}

/** Maximum change of an image by a watermark. */
export interface Budget {
  /** Mean squared change of luma, in squared grey levels. */
  readonly meanSquare: number;
  /** Loss of structural similarity. */
  readonly similarityLoss: number;
  /** Share of the variance of the change within the SSIM window, 11 pixels of the image itself. */
  readonly windowShare: number;
}

/** The change of a frame that writes a watermark, and the data needed to correct it after rounding. */
export interface MarkPlan {
  readonly change: Plane;
  /** Quantisation step of one coefficient, in grey levels × 8. */
  readonly step: number;
  readonly wanted: Details;
}

/** A frame of whole cells, and the visibility of changes in it. */
export interface SeenFrame {
  readonly frame: Plane;
  readonly visibility: Visibility;
}

export const seeFrame = (frame: Plane): SeenFrame => ({ frame, visibility: visibilityOf(frame) });

/** How far a watermark is kept below the visibility thresholds. */
export interface ChangeLimits {
  /** Maximum change of a coefficient, in visibility thresholds. */
  readonly cap: number;
  /** Pixels of the image per pixel of the frame. */
  readonly scale: number;
}

/** Root mean square of the pilot in flat areas and where detail masks it fully, in grey levels. */
type PilotLevels = readonly [plain: number, hidden: number];
const PILOT_LEVELS: PilotLevels = [0.45, 1.25];
const CAPPED_PILOT_LEVELS: PilotLevels = [0.25, 1.25];
/**
 * Share of the distance that a value is moved where detail masks it, by coefficients per value: the remaining distance adds noise, but the same
 * change then allows a wider step. M. Costa, Writing on Dirty Paper (1983).
 */
const MOVED: Record<number, number> = { 1: 0.75, 2: 0.8, 4: 0.85, 8: 0.9 };

/** The part of a frame that is watermarked: whole cells from the upper left. */
export function wholeCells({ width, height, data }: Plane): Plane {
  const [wide, high] = [width - (width % CELL_PX), height - (height % CELL_PX)];
  if (wide === width) return { width, height: high, data: data.subarray(0, wide * high) };
  const cut = new Float32Array(wide * high);
  for (let y = 0; y < high; y++) cut.set(data.subarray(y * width, y * width + wide), y * wide);
  return { width: wide, height: high, data: cut };
}

/**
 * Plans the change of a frame that writes `mark` within the budget. With limits, the step stays as wide as the budget allows without them: a value
 * that is moved less than its bit needs carries less information, and the others are not affected.
 */
export function planMark(
  { frame, visibility }: SeenFrame,
  mark: CodedMark,
  budget: Budget,
  limits?: ChangeLimits,
): MarkPlan {
  const pilotLevels = limits ? CAPPED_PILOT_LEVELS : PILOT_LEVELS;
  const step = stepWithin(visibility, mark, budget, pilotLevels);
  const pilot = pilotFor(frame, visibility, pilotLevels);
  const details = detailsOf({ ...frame, data: sum(frame.data, pilot) });
  const visible = limits && visibleChanges(frame, details, limits.scale);
  const grid = { columns: details.columns, rows: details.rows, firstColumn: 0, firstRow: 0 };
  const carrier = messageCarrier(mark.messageClass.perValue);
  const sources = [
    {
      carrier,
      bits: mark.message,
      kinds: [details.alongY, details.alongX],
      visible: visible && [visible.alongY, visible.alongX],
      step: step * Math.sqrt(carrier.perValue),
    },
    {
      carrier: headerCarrier(),
      bits: mark.header,
      kinds: [details.diagonal],
      visible: visible && [visible.diagonal],
      step: step * HEADER_STEP,
    },
  ];
  const [message, header] = sources.map((source) => {
    const moves = movesOf(source, visibility.hiding, grid);
    return limits && source.visible ? holdWithin(moves, source.visible, limits.cap) : moves;
  });
  const change = planeOfDetails({
    ...grid,
    alongY: message![0]!,
    alongX: message![1]!,
    diagonal: header![0]!,
  });
  for (let at = 0; at < pilot.length; at++) change.data[at]! += pilot[at]!;
  return {
    change,
    step,
    wanted: {
      columns: grid.columns,
      rows: grid.rows,
      alongY: sum(details.alongY, message![0]!),
      alongX: sum(details.alongX, message![1]!),
      diagonal: sum(details.diagonal, header![0]!),
    },
  };
}

/** Clips changes to `cap` times the visibility threshold. */
const holdWithin = (moves: readonly Float32Array[], visible: readonly Float32Array[], cap: number) =>
  moves.map((kind, index) =>
    kind.map((move, cell) => {
      const most = cap * visible[index]![cell]!;
      return Math.max(-most, Math.min(most, move));
    }),
  );

function sum(one: Float32Array, other: Float32Array): Float32Array {
  const result = new Float32Array(one.length);
  for (let at = 0; at < result.length; at++) result[at] = one[at]! + other[at]!;
  return result;
}

/** The change still missing after resampling, clipping and rounding. */
export function findMissing({ wanted }: MarkPlan, marked: Plane): Plane {
  const is = detailsOf(marked);
  const less = (one: Float32Array, other: Float32Array) => one.map((value, at) => value - other[at]!);
  return planeOfDetails({
    columns: wanted.columns,
    rows: wanted.rows,
    alongY: less(wanted.alongY, is.alongY),
    alongX: less(wanted.alongX, is.alongX),
    diagonal: less(wanted.diagonal, is.diagonal),
  });
}

interface Source {
  readonly carrier: Carrier;
  readonly bits: Uint8Array;
  readonly kinds: readonly Float32Array[];
  /** Quantisation step of each value. */
  readonly step: number;
}

/** Change of every coefficient of the carrier. Values cut by the border of the frame are left unchanged. */
function movesOf(
  { carrier, bits, kinds, step }: Source,
  hiding: Float32Array,
  grid: Parameters<typeof placesOf>[1],
): Float32Array[] {
  const { places, copies } = placesOf(carrier, grid);
  const signs = signsOf(carrier, grid);
  const count = kinds.length;
  const values = new Float32Array(copies * carrier.values);
  const parts = new Uint8Array(values.length);
  for (let at = 0; at < places.length; at++) {
    values[places[at]!]! += signs[at]! * kinds[at % count]![Math.floor(at / count)]!;
    parts[places[at]!]! += 1;
  }
  const root = Math.sqrt(carrier.perValue);
  const moved = MOVED[carrier.perValue]!;
  const ways = values.map((value, place) => {
    if (parts[place] !== carrier.perValue) return 0;
    const index = place % carrier.values;
    return (moved * wayToBit(value / root, bits[index]!, carrier.offsets[index]!, step)) / root;
  });
  return kinds.map((kind, index) =>
    kind.map((_, cell) => {
      const at = cell * count + index;
      return signs[at]! * ways[places[at]!]! * hiding[cell]!;
    }),
  );
}

/**
 * The widest step whose unclipped change stays within the budget: squared distances are uniformly distributed, with a mean of a twelfth of the
 * squared step.
 */
function stepWithin(
  visibility: Visibility,
  mark: CodedMark,
  budget: Budget,
  pilotLevels: PilotLevels,
): number {
  const { hiding, loss } = visibility;
  const perStep =
    (2 * MOVED[mark.messageClass.perValue]! ** 2 + (MOVED[4]! * HEADER_STEP) ** 2 / 4) /
    (12 * CELL_PX * CELL_PX);
  let [squares, losses, pilotSquares, pilotLosses] = [0, 0, 0, 0];
  for (let cell = 0; cell < hiding.length; cell++) {
    const square = hiding[cell]! ** 2;
    const pilot = pilotLevel(hiding[cell]!, pilotLevels) ** 2;
    squares += square;
    losses += square * loss[cell]!;
    pilotSquares += pilot;
    pilotLosses += pilot * loss[cell]!;
  }
  const bySquares = (budget.meanSquare * hiding.length - pilotSquares) / (perStep * squares);
  const byLosses =
    ((budget.similarityLoss * hiding.length) / budget.windowShare - pilotLosses) / (perStep * losses);
  return Math.sqrt(Math.max(STEP_MIN ** 2, Math.min(bySquares, byLosses)));
}

const STEP_MIN = 4;

const pilotLevel = (hiding: number, [plain, hidden]: PilotLevels): number =>
  plain + (hidden - plain) * Math.max(0, 2 * hiding - 1);

function pilotFor(
  { width, height }: Plane,
  { columns, hiding }: Visibility,
  levels: PilotLevels,
): Float32Array {
  const tile = pilotTile();
  const result = new Float32Array(width * height);
  for (let y = 0, at = 0; y < height; y++) {
    const row = (y % PILOT_PERIOD_PX) * PILOT_PERIOD_PX;
    const cells = (y >> 3) * columns;
    for (let x = 0; x < width; x++, at++)
      result[at] = tile[row + (x & (PILOT_PERIOD_PX - 1))]! * pilotLevel(hiding[cells + (x >> 3)]!, levels);
  }
  return result;
}
