import { COMPONENTS_MAX } from '../limits.ts';
import { COST } from '../work_budget.ts';
import type { PdfDocument } from './document.ts';
import { type PdfDictionary, PdfStream, type PdfValue } from './values.ts';

/** A function of one variable. */
export type Evaluate = (x: number) => number[];

const DEPTH_MAX = 8;
const FUNCTIONS_MAX = 256;
const SAMPLED_BYTES_MAX = 1 << 20;

/**
 * Reads a function of one variable: sampled, exponential or stitching, or one function per component. Undefined for
 * other kinds. ISO 32000-1, 7.10
 */
export function readFunction(
  document: PdfDocument,
  value: PdfValue | undefined,
  depth = 0,
): Evaluate | undefined {
  document.work.spend(COST.resource);
  const found = document.resolve(value);
  if (Array.isArray(found)) {
    if (depth > 0) return undefined;
    const each = found.slice(0, COMPONENTS_MAX).map((one) => readFunction(document, one, depth + 1));
    return each.every((one) => one !== undefined) ? (x) => each.map((one) => one!(x)[0] ?? 0) : undefined;
  }
  const dictionary = document.dictionary(found);
  if (!dictionary || depth > DEPTH_MAX) return undefined;
  const numbers = (key: string) => document.numbers(dictionary.get(key));
  const [low = 0, high = 1] = numbers('Domain');
  const within = (x: number) => Math.min(high, Math.max(low, x));
  const type = document.get(dictionary, 'FunctionType');
  if (type === 2) {
    const [from, to, exponent] = [numbers('C0'), numbers('C1'), Number(document.get(dictionary, 'N')) || 1];
    const start = (from.length > 0 ? from : [0]).slice(0, COMPONENTS_MAX);
    const end = to.length > 0 ? to : [1];
    return (x) => start.map((one, at) => one + within(x) ** exponent * ((end[at] ?? 0) - one));
  }
  if (type === 3) return stitched(document, dictionary, { low, high, depth });
  return type === 0 && found instanceof PdfStream ? sampled(document, found, { low, high }) : undefined;
}

function stitched(
  document: PdfDocument,
  dictionary: PdfDictionary,
  { low, high, depth }: { low: number; high: number; depth: number },
): Evaluate | undefined {
  const parts = document
    .list(dictionary.get('Functions'))
    .slice(0, FUNCTIONS_MAX)
    .map((one) => readFunction(document, one, depth + 1));
  if (parts.length === 0 || parts.some((one) => one === undefined)) return undefined;
  const bounds = document.numbers(dictionary.get('Bounds')).slice(0, FUNCTIONS_MAX);
  const encode = document.numbers(dictionary.get('Encode'));
  return (sent) => {
    const x = Math.min(high, Math.max(low, sent));
    const found = bounds.findIndex((bound) => x < bound);
    const at = Math.min(found < 0 ? bounds.length : found, parts.length - 1);
    const [from, to] = [at === 0 ? low : bounds[at - 1]!, bounds[at] ?? high];
    const [start, end] = [encode[2 * at] ?? 0, encode[2 * at + 1] ?? 1];
    return parts[at]!(to === from ? start : start + ((x - from) / (to - from)) * (end - start));
  };
}

/** Reads samples of 8 or 16 bits. Undefined if data are missing. */
function sampled(
  document: PdfDocument,
  stream: PdfStream,
  { low, high }: { low: number; high: number },
): Evaluate | undefined {
  const numbers = (key: string) => document.numbers(stream.dictionary.get(key));
  const [[size = 0, ...more], range] = [numbers('Size'), numbers('Range')];
  const components = range.length >> 1;
  const bits = document.get(stream.dictionary, 'BitsPerSample');
  if ((bits !== 8 && bits !== 16) || size < 2 || more.length > 0) return undefined;
  if (components === 0 || components > COMPONENTS_MAX || !Number.isInteger(size)) return undefined;
  const { data } = document.decode(stream, SAMPLED_BYTES_MAX);
  if ((data.length * 8) / bits < size * components) return undefined;
  const decode = numbers('Decode').length === range.length ? numbers('Decode') : range;
  const [first = 0, last = size - 1] = numbers('Encode');
  const value = (step: number, at: number) => {
    const index = step * components + at;
    const share = bits === 8 ? data[index]! / 255 : ((data[2 * index]! << 8) | data[2 * index + 1]!) / 65_535;
    return decode[2 * at]! + share * (decode[2 * at + 1]! - decode[2 * at]!);
  };
  return (sent) => {
    const share = (Math.min(high, Math.max(low, sent)) - low) / (high - low || 1);
    const place = Math.min(size - 1, Math.max(0, first + share * (last - first)));
    const step = Math.min(size - 2, Math.floor(place));
    return Array.from({ length: components }, (_, at) => {
      const start = value(step, at);
      return start + (place - step) * (value(step + 1, at) - start);
    });
  };
}
