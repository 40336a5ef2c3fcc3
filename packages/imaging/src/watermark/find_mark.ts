import { quickBoxMean } from '../pixels/box_mean.ts';
import { downsample2x } from '../pixels/downsample_2x.ts';
import type { Plane } from '../pixels/plane.ts';
import { type Carrier, headerCarrier, messageCarrier, placesOf, signsOf } from './carrier.ts';
import {
  HEADER_CHECK_BITS,
  HEADER_STEP,
  type Header,
  headerCode,
  isWholeHeader,
  isWholeMessage,
  KNOWN_VALUES,
  MESSAGE_CHECK_BITS,
  MESSAGE_CLASSES,
  type MessageClass,
  messageCode,
  openHeader,
  type PolarCode,
  polarTransform,
} from './coded_mark.ts';
import { type Found, findPlacements } from './find_placement.ts';
import { findEnlarged, findTurns, findUpright, spectrumOf } from './find_turns.ts';
import { findViews } from './find_views.ts';
import { MOVES } from './frequency_map.ts';
import { likelihoodsOf, meanCosine, placesWithinStep, wholeCells } from './mark_frame.ts';
import { type AlignedFrame, AS_WRITTEN, align, type Placement } from './placement.ts';
import { activityOf, clippedCells } from './visibility.ts';
import { CELL_PX, detailsOf } from './wavelet.ts';

/** Size of the list: paths kept in parallel. */
const PATHS = 16;

/**
 * Successive-cancellation list decoding. Returns the first path, most likely first, that `accepts` confirms. Subtrees that carry no or one bit are
 * decided at once. I. Tal, A. Vardy, List Decoding of Polar Codes, IEEE Trans. Inf. Theory 61 (2015); A. Balatsoukas-Stimming et al., LLR-Based SCL,
 * IEEE Trans. Signal Process. 63 (2015).
 * @param likelihoods ln(P(0)/P(1)) for each coded bit
 */
export function decodePolar(
  code: PolarCode,
  likelihoods: Float32Array,
  accepts: (message: Uint8Array) => boolean,
): Uint8Array | undefined {
  const decoder = new ListDecoder(code);
  for (const word of decoder.words(likelihoods)) {
    const rows = polarTransform(word);
    const message = rows.filter((_, row) => code.isInformation[row]);
    if (accepts(message)) return message;
  }
  return undefined;
}

/** Values of all paths at one depth of the tree. Forked paths share a slot until one of them writes (copy on write). */
class Layer<T extends Float32Array | Uint8Array> {
  readonly slots: T[];
  readonly of = new Uint8Array(PATHS);

  constructor(slots: T[]) {
    this.slots = slots;
  }

  read(path: number): T {
    return this.slots[this.of[path]!]!;
  }

  /** A slot that no other of the first `active` paths uses; its content is undefined. */
  write(path: number, active: number): T {
    let taken = 0;
    for (let other = 0; other < active; other++) if (other !== path) taken |= 1 << this.of[other]!;
    let slot = 0;
    while (taken & (1 << slot)) slot++;
    this.of[path] = slot;
    return this.slots[slot]!;
  }

  fork(parents: Uint8Array, active: number): void {
    const before = this.of.slice();
    for (let path = 0; path < active; path++) this.of[path] = before[parents[path]!]!;
  }
}

class ListDecoder {
  private readonly code: PolarCode;
  private readonly depths: number;
  /** Number of message rows before each row, to detect subtrees that carry nothing. */
  private readonly before: Uint32Array;
  private readonly llr: Layer<Float32Array>[] = [];
  private readonly left: Layer<Uint8Array>[] = [];
  private readonly bits: Layer<Uint8Array>[] = [];
  private penalty = new Float64Array(PATHS);
  private active = 1;

  constructor(code: PolarCode) {
    this.code = code;
    this.depths = Math.log2(code.length);
    this.before = new Uint32Array(code.length + 1);
    for (let row = 0; row < code.length; row++)
      this.before[row + 1] = this.before[row]! + code.isInformation[row]!;
    for (let depth = 0; depth <= this.depths; depth++) {
      const size = code.length >> depth;
      const bytes = () => Array.from({ length: PATHS }, () => new Uint8Array(size));
      this.llr.push(new Layer(Array.from({ length: PATHS }, () => new Float32Array(size))));
      this.left.push(new Layer(bytes()));
      this.bits.push(new Layer(bytes()));
    }
  }

  /** Codewords, most likely first. */
  words(likelihoods: Float32Array): Uint8Array[] {
    this.llr[0]!.slots[0]!.set(likelihoods);
    this.node(0, 0);
    return Array.from({ length: this.active }, (_, path) => path)
      .sort((a, b) => this.penalty[a]! - this.penalty[b]!)
      .map((path) => this.bits[0]!.read(path).slice());
  }

  private node(depth: number, first: number): void {
    const size = this.code.length >> depth;
    const carried = this.before[first + size]! - this.before[first]!;
    if (carried === 0) this.settleFrozen(depth);
    else if (carried === 1 && this.code.isInformation[first + size - 1]) this.settleRepeated(depth);
    else this.branch(depth, first, size / 2);
  }

  private branch(depth: number, first: number, half: number): void {
    for (let path = 0; path < this.active; path++) {
      const from = this.llr[depth]!.read(path);
      checkNode(from, this.llr[depth + 1]!.write(path, this.active), half);
    }
    this.node(depth + 1, first);
    for (let path = 0; path < this.active; path++) {
      const bits = this.bits[depth + 1]!.read(path);
      this.left[depth + 1]!.write(path, this.active).set(bits);
      const from = this.llr[depth]!.read(path);
      variableNode(from, bits, this.llr[depth + 1]!.write(path, this.active), half);
    }
    this.node(depth + 1, first + half);
    for (let path = 0; path < this.active; path++) {
      const left = this.left[depth + 1]!.read(path);
      const right = this.bits[depth + 1]!.read(path);
      const word = this.bits[depth]!.write(path, this.active);
      for (let at = 0; at < half; at++) word[at] = left[at]! ^ right[at]!;
      word.set(right, half);
    }
  }

  /** Decides a subtree whose bits are all frozen to 0. */
  private settleFrozen(depth: number): void {
    for (let path = 0; path < this.active; path++) {
      this.penalty[path]! += cost(this.llr[depth]!.read(path), 0);
      this.bits[depth]!.write(path, this.active).fill(0);
    }
  }

  /** Decides a repetition subtree, one bit repeated: each path forks in two, and the best are kept. */
  private settleRepeated(depth: number): void {
    const choices: { parent: number; bit: number; penalty: number }[] = [];
    for (let parent = 0; parent < this.active; parent++) {
      const values = this.llr[depth]!.read(parent);
      for (const bit of [0, 1])
        choices.push({ parent, bit, penalty: this.penalty[parent]! + cost(values, bit) });
    }
    const kept = choices.sort((a, b) => a.penalty - b.penalty).slice(0, PATHS);
    const parents = Uint8Array.from(kept, ({ parent }) => parent);
    this.active = kept.length;
    for (const layers of [this.llr, this.left, this.bits])
      for (const layer of layers as Layer<Uint8Array>[]) layer.fork(parents, this.active);
    this.penalty = new Float64Array(PATHS);
    kept.forEach(({ bit, penalty }, path) => {
      this.penalty[path] = penalty;
      this.bits[depth]!.write(path, this.active).fill(bit);
    });
  }
}

function checkNode(from: Float32Array, to: Float32Array, half: number): void {
  for (let at = 0; at < half; at++) {
    const [a, b] = [from[at]!, from[at + half]!];
    const smaller = Math.min(Math.abs(a), Math.abs(b));
    to[at] = a < 0 === b < 0 ? smaller : -smaller;
  }
}

function variableNode(from: Float32Array, bits: Uint8Array, to: Float32Array, half: number): void {
  for (let at = 0; at < half; at++) {
    const [a, b] = [from[at]!, from[at + half]!];
    to[at] = bits[at] ? b - a : b + a;
  }
}

/** Path metric penalty if all of these bits are `bit`. */
function cost(values: Float32Array, bit: number): number {
  let sum = 0;
  if (bit) {
    for (let at = 0; at < values.length; at++) if (values[at]! > 0) sum += values[at]!;
  } else {
    for (let at = 0; at < values.length; at++) if (values[at]! < 0) sum -= values[at]!;
  }
  return sum;
}

/** The header and message of an aligned frame. */
interface MarkReading {
  /** Agreement of the known values, in standard deviations of chance. */
  readonly agreement: number;
  /** Step with the highest agreement, of a header value, in grey levels × 8. */
  readonly step: number;
  readonly header?: Header;
  readonly message?: { readonly messageClass: MessageClass; readonly bits: Uint8Array };
}

/** Steps tried for the header, in grey levels × 8. */
const STEPS = Float64Array.from({ length: 330 }, (_, index) => 3.5 * 1.012 ** index);
/** Below this, the known values agree by chance, and decoding is skipped. */
const AGREEMENT_MIN = 4.2;
/** Ratios of the message band to the header band: blur and sharpening change them differently. */
const RATIOS = Float64Array.from({ length: 61 }, (_, index) => 1.012 ** (index - 26));
const STEPS_TRIED = 3;
/** Number of groups by activity of a cell; values in one group have similar noise. */
const GROUPS = 6;

/**
 * Reads header and message. Returns only those that pass their checksum.
 * @param thorough also searches for a message without a readable header, in every class and at every step
 */
function readMark(aligned: AlignedFrame, thorough = false): MarkReading {
  const details = detailsOf(aligned.frame);
  const cells = { ...aligned, ...judgeCells(aligned) };
  const header = collect(headerCarrier(), [details.diagonal], cells);
  const kinds = [details.alongY, details.alongX];
  const found = readHeader(header);
  const messageOf = (messageClass: MessageClass, steps: readonly number[]) => {
    const values = collect(messageCarrier(messageClass.perValue), kinds, cells);
    return readMessage(values, [messageClass], steps);
  };
  if (found.header) {
    const step = found.step / HEADER_STEP;
    const message = messageOf(
      found.header.messageClass,
      Array.from(RATIOS, (ratio) => step * ratio),
    );
    return { ...found, ...(message && { message }) };
  }
  if (!thorough) return found;
  for (const perValue of [8, 4, 2, 1] as const) {
    const values = collect(messageCarrier(perValue), kinds, cells);
    const classes = MESSAGE_CLASSES.filter((each) => each.perValue === perValue);
    const message = readMessage(values, classes, Array.from(STEPS), AGREEMENT_MIN);
    if (message) return { ...found, message };
  }
  return found;
}

/** Agreement of the known values of a frame at the best step, in standard deviations of chance. */
function agreementOf(aligned: AlignedFrame): number {
  const { diagonal } = detailsOf(aligned.frame);
  // Activity matters only for decoding.
  const alike = { activity: new Float32Array(diagonal.length), clipped: new Uint8Array(diagonal.length) };
  const collected = collect(headerCarrier(), [diagonal], { ...aligned, ...alike });
  return Math.max(...scoreKnownValues(collected));
}

interface Collected {
  readonly carrier: Carrier;
  readonly copies: number;
  readonly values: Float32Array;
  /** Indices of the complete values, in groups of similar noise. */
  readonly groups: number[][];
}

interface Cells extends AlignedFrame {
  readonly activity: Float32Array;
  readonly clipped: Uint8Array;
}

const judgeCells = ({ frame }: AlignedFrame) => ({
  activity: activityOf(frame),
  clipped: clippedCells(frame),
});

function collect(carrier: Carrier, kinds: readonly Float32Array[], cells: Cells): Collected {
  const { places, copies } = placesOf(carrier, cells.grid);
  const signs = signsOf(carrier, cells.grid);
  const count = kinds.length;
  const values = new Float32Array(copies * carrier.values);
  const parts = new Uint8Array(values.length);
  const activity = new Float32Array(values.length);
  const clipped = new Uint8Array(values.length);
  const root = Math.sqrt(carrier.perValue);
  for (let at = 0, cell = 0; at < places.length; cell++) {
    for (let kind = 0; kind < count; kind++, at++) {
      if (!cells.usable[cell]) continue;
      const place = places[at]!;
      values[place]! += (signs[at]! * kinds[kind]![cell]!) / root;
      parts[place]! += 1;
      activity[place]! += cells.activity[cell]!;
      clipped[place]! |= cells.clipped[cell]!;
    }
  }
  const whole = Array.from(parts.keys()).filter((place) => parts[place] === carrier.perValue);
  const open = whole.filter((place) => !clipped[place]).sort((a, b) => activity[a]! - activity[b]!);
  const size = Math.max(32, Math.ceil(open.length / GROUPS));
  const groups = Array.from({ length: Math.ceil(open.length / size) }, (_, group) =>
    open.slice(group * size, (group + 1) * size),
  );
  const shut = whole.filter((place) => clipped[place]);
  return { carrier, copies, values, groups: shut.length > 0 ? [...groups, shut] : groups };
}

function readHeader(collected: Collected): { agreement: number; step: number; header?: Header } {
  const { carrier } = collected;
  const places = new Uint8Array(collected.values.length);
  const scores = scoreKnownValues(collected);
  const peaks = peaksOf(scores).slice(0, STEPS_TRIED);
  const [best = 0] = peaks;
  for (const peak of peaks) {
    if (scores[peak]! < AGREEMENT_MIN) break;
    const step = STEPS[peak]!;
    const likelihoods = foldLikelihoods(collected, step, places);
    const coded = new Float32Array(headerCode().length);
    for (let at = KNOWN_VALUES; at < carrier.values; at++)
      coded[(at - KNOWN_VALUES) % coded.length]! += likelihoods[at]!;
    const bits = decodePolar(headerCode(), coded, isWholeHeader);
    const header = bits && openHeader(bits);
    if (header) return { agreement: scores[peak]!, step, header };
  }
  return { agreement: scores[best] ?? 0, step: STEPS[best]! };
}

/** Agreement of the known values at every step. */
function scoreKnownValues({ carrier, groups, values }: Collected): number[] {
  const members = groups.flat().filter((at) => at % carrier.values < KNOWN_VALUES);
  const places = new Uint8Array(values.length);
  return Array.from(STEPS, (step) => {
    placesWithinStep(values, carrier.offsets, step, places);
    return meanCosine(places, members, 1) * Math.sqrt(2 * members.length);
  });
}

function readMessage(
  collected: Collected,
  classes: readonly MessageClass[],
  steps: readonly number[],
  agreementMin = Number.NEGATIVE_INFINITY,
): MarkReading['message'] {
  const root = Math.sqrt(collected.carrier.perValue);
  const members = collected.groups.flat();
  const places = new Uint8Array(collected.values.length);
  const scores = steps.map((step) => {
    placesWithinStep(collected.values, collected.carrier.offsets, step * root, places);
    return meanCosine(places, members, 2) * Math.sqrt(2 * members.length);
  });
  for (const peak of peaksOf(scores).slice(0, STEPS_TRIED)) {
    if (scores[peak]! < agreementMin) break;
    const likelihoods = foldLikelihoods(collected, steps[peak]! * root, places);
    for (const messageClass of classes) {
      const bits = decodePolar(messageCode(messageClass), likelihoods, (message) =>
        isWholeMessage(messageClass, message),
      );
      if (bits) return { messageClass, bits };
    }
  }
  return undefined;
}

/** Sums the log-likelihoods of all copies of each value. */
function foldLikelihoods(
  { carrier, copies, values, groups }: Collected,
  step: number,
  places: Uint8Array,
): Float32Array {
  placesWithinStep(values, carrier.offsets, step, places);
  const each = new Float32Array(values.length);
  for (const group of groups) likelihoodsOf(places, group, each);
  const sum = new Float32Array(carrier.values);
  for (let copy = 0, at = 0; copy < copies; copy++)
    for (let value = 0; value < carrier.values; value++, at++) sum[value]! += each[at]!;
  return sum;
}

/** Indices of the local maxima, highest first. */
function peaksOf(scores: readonly number[]): number[] {
  const isPeak = (at: number) =>
    scores[at]! >= (scores[at - 1] ?? Number.NEGATIVE_INFINITY) &&
    scores[at]! > (scores[at + 1] ?? Number.NEGATIVE_INFINITY);
  return Array.from(scores.keys())
    .filter(isPeak)
    .sort((a, b) => scores[b]! - scores[a]!);
}

/** Shifts of the edges in successive rounds, in pixels of the frame. */
const EDGE_PX = [0.6, 0.3, 0.15] as const;

type PlacementMove = (placement: Placement, pixels: number) => Placement;

/**
 * Refines a placement below one pixel to the best agreement of the known header values. The pilot locates an image to some tenths of a pixel, which
 * is too coarse for the busiest images, whose coefficients span many steps.
 */
function sharpenPlacement(picture: Plane, start: Placement): Placement {
  const value = (placement: Placement) => {
    const aligned = align(picture, placement);
    return aligned ? agreementOf(aligned) : 0;
  };
  const moves = movesIn(picture, start);
  let placement = start;
  let best = value(placement);
  for (const pixels of EDGE_PX) {
    for (const move of moves) {
      for (const sign of [pixels, -pixels]) {
        const moved = move(placement, sign);
        const there = value(moved);
        if (there > best) [placement, best] = [moved, there];
      }
    }
  }
  return placement;
}

function movesIn({ width, height }: Plane, { bend }: Placement): PlacementMove[] {
  const reach = Math.max(width, height) / 2;
  return [
    (placement, pixels) => ({ ...placement, left: placement.left + pixels }),
    (placement, pixels) => ({ ...placement, top: placement.top + pixels }),
    ...MOVES.free.map(
      (move): PlacementMove =>
        (placement, pixels) =>
          holdMiddle([width / 2, height / 2], placement, {
            ...placement,
            ...move(placement, pixels / reach),
          }),
    ),
    ...(bend ? (['across', 'down'] as const).map((axis) => bendBy(axis, reach)) : []),
  ];
}

/** Moves the edges and keeps the centre fixed. */
const bendBy =
  (axis: 'across' | 'down', reach: number): PlacementMove =>
  (placement, pixels) =>
    placement.bend
      ? { ...placement, bend: { ...placement.bend, [axis]: placement.bend[axis] + pixels / reach ** 2 } }
      : placement;

/** Shifts `to` so that the centre of the image maps to the same point as with `from`. */
function holdMiddle([u, v]: readonly [number, number], from: Placement, to: Placement): Placement {
  const area = from.xx * from.yy - from.xy * from.yx;
  const x = (from.yy * (u - from.left) - from.xy * (v - from.top)) / area;
  const y = (from.xx * (v - from.top) - from.yx * (u - from.left)) / area;
  return { ...to, left: u - to.xx * x - to.xy * y, top: v - to.yx * x - to.yy * y };
}

export interface FoundMark extends MarkReading {
  readonly placement: Placement;
  /** The frame aligned to the watermark. */
  readonly aligned: AlignedFrame;
}

/**
 * Below this, the phases of the pilot agree by chance, in standard deviations: the best placement of unmarked images reaches 5 to 6. Watermarks
 * cropped by a quarter and compressed reach 9 to 25.
 */
const PHASES_MIN = 6;
/** From this score a watermark is certain: it is read at once, and with a more thorough search if that fails. */
const PHASES_SURE = 8;
/** Number of placements read, both among the certain ones and among the best of all. */
const PLACEMENTS_READ = 3;

/** Maximum number of checks per detection: readings × steps × classes × spreads × paths, and readings × steps × paths. */
const READINGS = 1 + 2 * PLACEMENTS_READ + 1;
const CHECKS = { payload: READINGS * 3 * 23 * PATHS, id: READINGS * 3 * PATHS };
/** Probability that chance passes one of all checks of a detection. */
export const CHANCE = {
  payload: CHECKS.payload / 2 ** MESSAGE_CHECK_BITS,
  id: CHECKS.id / 2 ** HEADER_CHECK_BITS,
} as const;

/**
 * Reads the watermark of a frame: first as if the image had only been resized, then at each placement of the pilot. The result has passed its
 * checksums: a message, or only a header; undefined without either.
 * @param isMoved false skips the search, for images known to be aligned
 */
export function findMark(frame: Plane, isMoved = true): FoundMark | undefined {
  const upright = alignAsWritten(frame);
  const direct = readMark(upright);
  let best: FoundMark | undefined = direct.header && { ...direct, placement: AS_WRITTEN, aligned: upright };
  if (best?.message) return best;
  if (!isMoved) return best;
  const found: Found[] = [];
  let sure = 0;
  for (const each of placementsIn(frame)) {
    const reading =
      each.score > PHASES_SURE && sure++ < PLACEMENTS_READ ? readAt(frame, each.placement) : undefined;
    if (reading?.message) return reading;
    best ??= reading;
    if (each.score > PHASES_MIN) found.push(each);
  }
  found.sort((a, b) => b.score - a.score);
  for (const { placement } of found.slice(0, PLACEMENTS_READ)) {
    const reading = readAt(frame, placement);
    if (reading?.message) return reading;
    best ??= reading;
  }
  const [surest] = found;
  if (best) return readSharpened(frame, best) ?? best;
  if (!surest || surest.score < PHASES_SURE) return undefined;
  return readAt(frame, sharpenPlacement(frame, surest.placement), true);
}

/**
 * Reads a watermark that is upright, mirrored or rotated by a multiple of 90°, at any position and at half to twice its size; a tenth of the cost of
 * the whole search. Only placements with a certain pilot are read, so unmarked frames cost no reading.
 */
export function findUprightMark(frame: Plane): FoundMark | undefined {
  const plain = whitenFrame(frame);
  const halved = downsample2x(plain);
  const found = findUpright(spectrumOf(plain)).flatMap((candidate) => findPlacements(halved, candidate));
  for (const { placement } of found
    .filter(({ score }) => score > PHASES_SURE)
    .sort((a, b) => b.score - a.score)
    .slice(0, UPRIGHTS_READ)) {
    const reading = readAt(frame, placement);
    if (reading) return reading;
  }
  return undefined;
}

const UPRIGHTS_READ = 2;
/** Probability that chance passes one of the checks of an upright search. */
export const UPRIGHT_CHANCE = {
  payload: (UPRIGHTS_READ * 3 * PATHS) / 2 ** MESSAGE_CHECK_BITS,
  id: (UPRIGHTS_READ * 3 * PATHS) / 2 ** HEADER_CHECK_BITS,
} as const;

/** If only the header is readable, the placement may be off by a fraction of a pixel. */
function readSharpened(frame: Plane, { placement }: FoundMark): FoundMark | undefined {
  const reading = placement === AS_WRITTEN ? undefined : readAt(frame, sharpenPlacement(frame, placement));
  return reading?.message && reading;
}

/** Candidate placements of the pilot, most common edits first; computed lazily. */
function* placementsIn(frame: Plane): Generator<Found> {
  const plain = whitenFrame(frame);
  const halved = downsample2x(plain);
  for (const candidate of findTurns(spectrumOf(plain))) yield* findPlacements(halved, candidate);
  const small = whitenFrame(downsample2x(frame));
  for (const candidate of findEnlarged(spectrumOf(small))) yield* findPlacements(small, candidate);
  for (const candidate of findViews(plain)) yield* findPlacements(halved, candidate);
}

function readAt(frame: Plane, placement: Placement, thorough = false): FoundMark | undefined {
  const aligned = align(frame, placement);
  const reading = aligned && readMark(aligned, thorough);
  return aligned && reading && (reading.message || reading.header)
    ? { ...reading, placement, aligned }
    : undefined;
}

function alignAsWritten(frame: Plane): AlignedFrame {
  const cells = wholeCells(frame);
  const grid = {
    columns: cells.width / CELL_PX,
    rows: cells.height / CELL_PX,
    firstColumn: 0,
    firstRow: 0,
  };
  return { frame: cells, grid, usable: new Uint8Array(grid.columns * grid.rows).fill(1) };
}

/**
 * Suppresses the image content and keeps a possible watermark: deviations from the local mean, normalised to equal strength everywhere and bounded,
 * so that edges do not dominate flat areas.
 */
function whitenFrame(frame: Plane): Plane {
  const fine = quickBoxMean(quickBoxMean(frame, 2), 2).data;
  const size = new Float32Array(fine.length);
  for (let at = 0; at < fine.length; at++) {
    fine[at] = frame.data[at]! - fine[at]!;
    size[at] = Math.abs(fine[at]!);
  }
  const level = quickBoxMean({ ...frame, data: size }, 5).data;
  for (let at = 0; at < fine.length; at++) {
    const usual = level[at]! + 0.6;
    const bounded = Math.max(-1.6, Math.min(1.6, fine[at]! / usual));
    fine[at] = bounded * Math.min(1, 3 / usual);
  }
  return { ...frame, data: fine };
}
