import type { ColorSpace } from '../pdf/color_space.ts';
import type { PdfDocument } from '../pdf/document.ts';
import { Name, type PdfDictionary, PdfStream, type PdfValue } from '../pdf/values.ts';
import { COST } from '../work_budget.ts';
import type { PressColors } from './press_colors.ts';

type Evaluate = (x: number) => number[];

/** Colours of a gradient that are worked out; between them inks change evenly. */
const GRADIENT_SAMPLES = 128;
const DEPTH_MAX = 8;
const FUNCTIONS_MAX = 256;

/** A function of one variable: sampled, exponential or stitched; undefined for others. ISO 32000-1, 7.10 */
function readFunction(document: PdfDocument, value: PdfValue | undefined, depth = 0): Evaluate | undefined {
  document.work.spend(COST.resource);
  const found = document.resolve(value);
  if (Array.isArray(found)) {
    const each = found.slice(0, 4).map((one) => readFunction(document, one, depth + 1));
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
    const [start, end] = [from.length > 0 ? from : [0], to.length > 0 ? to : [1]];
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
  const bounds = document.numbers(dictionary.get('Bounds'));
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

function sampled(
  document: PdfDocument,
  stream: PdfStream,
  { low, high }: { low: number; high: number },
): Evaluate | undefined {
  const numbers = (key: string) => document.numbers(stream.dictionary.get(key));
  const [[size = 0], range] = [numbers('Size'), numbers('Range')];
  const components = range.length >> 1;
  if (document.get(stream.dictionary, 'BitsPerSample') !== 8 || size < 2 || components === 0)
    return undefined;
  const { data } = document.decode(stream, 1 << 20);
  const value = (step: number, at: number) => {
    const [from, to] = [range[2 * at]!, range[2 * at + 1]!];
    return from + ((data[step * components + at] ?? 0) / 255) * (to - from);
  };
  return (sent) => {
    const place = ((Math.min(high, Math.max(low, sent)) - low) / (high - low || 1)) * (size - 1);
    const step = Math.min(size - 2, Math.floor(place));
    return Array.from({ length: components }, (_, at) => {
      const start = value(step, at);
      return start + (place - step) * (value(step + 1, at) - start);
    });
  };
}

/** A function of one variable by samples, such as the inks of a gradient. @param valuesAt its values, 0 to 1, at a place from 0 to 1 */
export function inkFunction(valuesAt: (share: number) => readonly number[], domain: PdfValue[]): PdfStream {
  const rows = Array.from({ length: GRADIENT_SAMPLES }, (_, step) => valuesAt(step / (GRADIENT_SAMPLES - 1)));
  return new PdfStream(
    new Map<string, PdfValue>([
      ['FunctionType', 0],
      ['Domain', domain],
      ['Range', rows[0]!.flatMap(() => [0, 1])],
      ['Size', [GRADIENT_SAMPLES]],
      ['BitsPerSample', 8],
    ]),
    Uint8Array.from(rows.flat(), (value) => Math.round(255 * value)),
  );
}

/**
 * An axial or radial gradient of the screen in inks; undefined for meshes and for functions that are not read here.
 * @param add makes an object of a stream
 */
export function convertShading(
  document: PdfDocument,
  shading: PdfDictionary,
  { space, colors, add }: { space: ColorSpace; colors: PressColors; add: (stream: PdfStream) => PdfValue },
): PdfDictionary | undefined {
  const kind = document.get(shading, 'ShadingType');
  const evaluate = kind === 2 || kind === 3 ? readFunction(document, shading.get('Function')) : undefined;
  if (!evaluate || space.family === 'Indexed') return undefined;
  const [low = 0, high = 1] = document.numbers(shading.get('Domain'));
  const inks = (share: number) =>
    colors.inksIn(space, evaluate(low + share * (high - low))) ?? ([0, 0, 0, 1] as const);
  const result: PdfDictionary = new Map();
  for (const key of ['ShadingType', 'Coords', 'Domain', 'Extend', 'BBox', 'AntiAlias'])
    if (shading.has(key)) result.set(key, plain(document, shading.get(key)!));
  const background = document.numbers(shading.get('Background'));
  if (background.length > 0) result.set('Background', [...(colors.inksIn(space, background) ?? [])]);
  result.set('ColorSpace', new Name('DeviceCMYK'));
  result.set('Function', add(inkFunction(inks, [low, high])));
  return result;
}

/** Numbers and words, without references. */
function plain(document: PdfDocument, value: PdfValue): PdfValue {
  const found = document.resolve(value);
  return Array.isArray(found) ? found.map((one) => document.resolve(one)) : found;
}
