import { COST } from '../work_budget.ts';
import type { ColorSpace } from './color_space.ts';
import type { PdfDocument } from './document.ts';
import { readFunction } from './functions.ts';
import { inksOf, totalInk } from './inks.ts';
import { meshColor, meshComponents, readMesh } from './mesh.ts';
import { type PdfDictionary, PdfStream, type PdfValue } from './values.ts';

/** Positions of a gradient sampled for their colour. */
const SAMPLES = 64;

/**
 * Finds the colour of a shading with the highest total area coverage, in its colour space.
 * @returns undefined for colours not in inks and for unsupported functions
 * @throws WorkBudgetExceeded
 */
export function maxCoverageColor(
  document: PdfDocument,
  value: PdfValue,
  space: ColorSpace,
): readonly number[] | undefined {
  if (space.basis !== 'cmyk' && space.basis !== 'inks') return undefined;
  const shading = document.dictionary(value);
  let [most, maxColor]: [number, readonly number[] | undefined] = [-1, undefined];
  for (const color of colorsOf(document, { shading, value, space })) {
    document.work.spend(COST.sample * (color.length + 1));
    const inks = inksOf(space, color);
    const total = inks ? totalInk(inks) : -1;
    if (total > most) [most, maxColor] = [total, color];
  }
  return maxColor;
}

function* colorsOf(
  document: PdfDocument,
  {
    shading,
    value,
    space,
  }: { readonly shading: PdfDictionary | undefined; readonly value: PdfValue; readonly space: ColorSpace },
): Generator<readonly number[]> {
  const kind = document.get(shading, 'ShadingType');
  const hasFunction = shading?.has('Function') === true;
  const evaluate = hasFunction ? readFunction(document, shading?.get('Function')) : undefined;
  if (kind === 2 || kind === 3) {
    const [low = 0, high = 1] = document.numbers(shading?.get('Domain'));
    if (!evaluate) return;
    for (let step = 0; step < SAMPLES; step += 1) yield evaluate(low + (step / (SAMPLES - 1)) * (high - low));
    return;
  }
  const stream = document.resolve(value);
  if (!(stream instanceof PdfStream) || typeof kind !== 'number' || kind < 4 || kind > 7) return;
  const mesh = readMesh(document, stream, { kind, components: meshComponents(hasFunction, space) });
  if (!mesh || (hasFunction && !evaluate)) return;
  if (evaluate) {
    const [low, high] = mesh.decode[0]!;
    for (let step = 0; step < SAMPLES; step += 1) yield evaluate(low + (step / (SAMPLES - 1)) * (high - low));
    return;
  }
  for (const place of mesh.places) yield meshColor(document, mesh, place);
}
