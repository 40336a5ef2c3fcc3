import type { ColorSpace } from '../pdf/color_space.ts';
import type { PdfDocument } from '../pdf/document.ts';
import { readFunction } from '../pdf/functions.ts';
import { Name, type PdfDictionary, PdfStream, type PdfValue } from '../pdf/values.ts';
import type { PressColors } from './press_colors.ts';

/** Samples of a gradient. Inks are interpolated linearly between them. */
const GRADIENT_SAMPLES = 128;

/**
 * Creates a sampled function of one variable, such as the inks of a gradient.
 * @param valuesAt its values, 0 to 1, at a position from 0 to 1
 * @param round rounding of the 8-bit values: down where their sum is limited
 */
export function inkFunction(
  valuesAt: (share: number) => readonly number[],
  domain: PdfValue[],
  { samples = GRADIENT_SAMPLES, round = Math.round } = {},
): PdfStream {
  const rows = Array.from({ length: samples }, (_, step) => valuesAt(step / (samples - 1)));
  return new PdfStream(
    new Map<string, PdfValue>([
      ['FunctionType', 0],
      ['Domain', domain],
      ['Range', rows[0]!.flatMap(() => [0, 1])],
      ['Size', [samples]],
      ['BitsPerSample', 8],
    ]),
    Uint8Array.from(rows.flat(), (value) => round(255 * value)),
  );
}

/**
 * Converts an axial or radial RGB or Lab gradient to inks. Undefined for meshes and for unsupported functions.
 * @param add adds a stream as an object
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

/** Resolves the references of a value and its members. */
function plain(document: PdfDocument, value: PdfValue): PdfValue {
  const found = document.resolve(value);
  return Array.isArray(found) ? found.map((one) => document.resolve(one)) : found;
}
