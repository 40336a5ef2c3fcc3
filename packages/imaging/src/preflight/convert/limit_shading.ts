import type { ColorSpace } from '../pdf/color_space.ts';
import type { PdfDocument } from '../pdf/document.ts';
import { type Evaluate, readFunction } from '../pdf/functions.ts';
import { type Mesh, meshColor, meshComponents, putBits, readMesh } from '../pdf/mesh.ts';
import { type PdfDictionary, PdfStream, type PdfValue, type Reference } from '../pdf/values.ts';
import { COST } from '../work_budget.ts';
import { inkFunction } from './convert_shading.ts';
import { flateStream } from './flate_stream.ts';
import type { LimitInks } from './limit_inks.ts';

/** Finer than visible along a page. Steps between two stops stay sharp. */
const SAMPLES = 1024;

interface ShadingContext {
  readonly space: ColorSpace;
  readonly limit: LimitInks;
  /** Adds a stream as an object. */
  add(stream: PdfStream): Reference;
  /** Copies a value to the new file. */
  copy(value: PdfValue): PdfValue;
}

/**
 * Reduces an axial, radial or mesh gradient in inks to a limit. Its geometry and colour space stay.
 * @returns undefined if it is within the limit; the reason if it is left unchanged, as a clause
 * @throws WorkBudgetExceeded
 */
export function limitShading(
  document: PdfDocument,
  value: PdfValue,
  tools: ShadingContext,
): PdfDictionary | PdfStream | string | undefined {
  const shading = document.dictionary(value)!;
  const kind = document.get(shading, 'ShadingType');
  const background = tools.limit(document.numbers(shading.get('Background')));
  if (kind === 2 || kind === 3) {
    const [low = 0, high = 1] = document.numbers(shading.get('Domain'));
    const limited = limitFunction(document, shading, { low, high, ...tools });
    return typeof limited === 'string' || (!limited && !background)
      ? limited
      : entriesOf(shading, { ...tools, replaced: { ...replacedBy(limited), ...backgroundOf(background) } });
  }
  const stream = document.resolve(value);
  if (typeof kind !== 'number' || kind < 4 || kind > 7 || !(stream instanceof PdfStream))
    return 'its function is not supported';
  return limitMesh(document, stream, { ...tools, kind, background });
}

const backgroundOf = (background: readonly number[] | undefined): Record<string, PdfValue> =>
  background ? { Background: background.map(roundDown) } : {};
const replacedBy = (limited: Reference | undefined): Record<string, PdfValue> =>
  limited === undefined ? {} : { Function: limited };
const roundDown = (ink: number): number => Math.floor(1e4 * ink) / 1e4;

/** Samples the colours of a gradient within the limit. Undefined if they already are. */
function limitFunction(
  document: PdfDocument,
  shading: PdfDictionary,
  { low, high, limit, add, space }: { readonly low: number; readonly high: number } & ShadingContext,
): Reference | string | undefined {
  const evaluate = readFunction(document, shading.get('Function'));
  if (!evaluate) return 'its function is not supported';
  document.work.spend(COST.sample * SAMPLES * space.components);
  const at = (share: number) => evaluate(low + share * (high - low));
  if (!exceeds(at, limit)) return undefined;
  const inks = (share: number) => {
    const found = at(share);
    const color = Array.from({ length: space.components }, (_, index) => bounded(found[index]));
    return limit(color) ?? color;
  };
  return add(inkFunction(inks, [low, high], { samples: SAMPLES, round: Math.floor }));
}

const exceeds = (at: Evaluate, limit: LimitInks): boolean =>
  Array.from({ length: SAMPLES }, (_, step) => step / (SAMPLES - 1)).some((share) => limit(at(share)));
const bounded = (value: number | undefined): number => Math.min(1, Math.max(0, value ?? 0));

function limitMesh(
  document: PdfDocument,
  stream: PdfStream,
  tools: ShadingContext & { readonly kind: number; readonly background: number[] | undefined },
): PdfStream | string | undefined {
  const { dictionary } = stream;
  const { kind, background, space, limit } = tools;
  const hasFunction = dictionary.has('Function');
  const mesh = readMesh(document, stream, { kind, components: meshComponents(hasFunction, space) });
  if (!mesh) return 'its mesh encoding is not supported';
  if (hasFunction) {
    const [low, high] = mesh.decode[0]!;
    const limited = limitFunction(document, dictionary, { low, high, ...tools });
    if (typeof limited === 'string' || (!limited && !background)) return limited;
    const replaced = { ...replacedBy(limited), ...backgroundOf(background) };
    return flateStream(entriesOf(dictionary, { ...tools, replaced }), mesh.data);
  }
  const data = limitVertices(document, mesh, limit);
  if (!data && !background) return undefined;
  return flateStream(
    entriesOf(dictionary, { ...tools, replaced: backgroundOf(background) }),
    data ?? mesh.data,
  );
}

/** Colours between vertices are interpolated, so that limiting the vertices is sufficient. */
function limitVertices(document: PdfDocument, mesh: Mesh, limit: LimitInks): Uint8Array | undefined {
  const { data, bits, decode, places } = mesh;
  let result: Uint8Array | undefined;
  for (const place of places) {
    const limited = limit(meshColor(document, mesh, place));
    if (!limited) continue;
    result ??= Uint8Array.from(data);
    for (const [at, [low, high]] of decode.entries()) {
      const value = Math.floor((2 ** bits - 1) * bounded((limited[at]! - low) / (high - low)));
      putBits(result, place + at * bits, { count: bits, value });
    }
  }
  return result;
}

/** Copies the entries of a shading, some replaced. Filters are dropped: streams are compressed again. */
function entriesOf(
  shading: PdfDictionary,
  { replaced, copy }: Pick<ShadingContext, 'copy'> & { readonly replaced: Record<string, PdfValue> },
): PdfDictionary {
  const kept = [...shading].filter(([key]) => !/^(Length|Filter|DecodeParms|DL)$/.test(key));
  return new Map(
    kept.map(([key, one]) => [key, Object.hasOwn(replaced, key) ? replaced[key]! : copy(one)] as const),
  );
}
