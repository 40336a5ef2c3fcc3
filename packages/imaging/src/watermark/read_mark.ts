import { type Carrier, headerCarrier, messageCarrier, placesOf, signsOf } from './carrier.ts';
import { HEADER_STEP, headerCode, KNOWN_VALUES, messageCode } from './coded_mark.ts';
import {
  type Header,
  isWholeHeader,
  isWholeMessage,
  MESSAGE_CLASSES,
  type MessageClass,
  openHeader,
} from './message_class.ts';
import type { AlignedFrame } from './placement.ts';
import { decodePolar } from './polar_decoder.ts';
import { likelihoodsOf, meanCosine, placesWithinStep } from './quantizer.ts';
import { activityOf, clippedCells } from './visibility.ts';
import { detailsOf } from './wavelet.ts';

/** What stands in a frame that lies as it was written. */
export interface MarkReading {
  /** How far the known values agree, in standard deviations of chance. */
  readonly agreement: number;
  /** At which they agree the most: of a value of the header, in grey levels × 8. */
  readonly step: number;
  readonly header?: Header;
  readonly message?: { readonly messageClass: MessageClass; readonly bits: Uint8Array };
}

/** Steps that are tried for the header, in grey levels × 8. */
const STEPS = Float64Array.from({ length: 330 }, (_, index) => 3.5 * 1.012 ** index);
/** Below this the known values agree by chance, and nothing is decoded. */
const AGREEMENT_MIN = 4.2;
/** How much more or less than the header a blur or a sharpening leaves of the message's band. */
const RATIOS = Float64Array.from({ length: 61 }, (_, index) => 1.012 ** (index - 26));
const STEPS_TRIED = 3;
/** Groups by how busy a cell is; values of one group are disturbed alike. */
const GROUPS = 6;

/**
 * Reads header and message. Both carry checksums; what does not agree with its own is not returned.
 * @param thorough also looks for a message whose header cannot be read: in every class, at every step
 */
export function readMark(aligned: AlignedFrame, thorough = false): MarkReading {
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

/** How far the known values of a frame agree at the best step, in standard deviations of chance. */
export function agreementOf(aligned: AlignedFrame): number {
  const { diagonal } = detailsOf(aligned.frame);
  // How busy cells are only matters to what is decoded.
  const alike = { activity: new Float32Array(diagonal.length), clipped: new Uint8Array(diagonal.length) };
  const collected = collect(headerCarrier(), [diagonal], { ...aligned, ...alike });
  return Math.max(...scoreKnownValues(collected));
}

interface Collected {
  readonly carrier: Carrier;
  readonly copies: number;
  readonly values: Float32Array;
  /** Indices of the whole values, in groups that are disturbed alike. */
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

/** How far the known values agree at every step. */
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

/** What all copies together say about each value. */
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
