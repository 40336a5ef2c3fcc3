import type { ColorSpace } from '../pdf/color_space.ts';
import type { PdfDocument } from '../pdf/document.ts';
import { type Evaluate, readFunction } from '../pdf/functions.ts';
import { type Mesh, meshColor, meshComponents, putBits, readMesh } from '../pdf/mesh.ts';
import { type PdfDictionary, PdfStream, type PdfValue, type Reference } from '../pdf/values.ts';
import { COST } from '../work_budget.ts';
import { inkFunction } from './convert_shading.ts';
import type { LimitInks } from './limit_inks.ts';
import { packed } from './packed.ts';

/** More than eyes tell apart along a page, and steps between two stops stay sharp. */
const SAMPLES = 1024;

interface ShadingTools {
  readonly space: ColorSpace;
  readonly limit: LimitInks;
  /** Makes an object of a stream. */
  add(stream: PdfStream): Reference;
  /** Values of the file as they are in the new one. */
  copy(value: PdfValue): PdfValue;
}

/**
 * A gradient of inks whose colours take no more than a limit: along an axis, between circles, or by a mesh. Its geometry and colour space stay.
 * @returns undefined where it takes no more; why it is left as it is, in words that follow "as "
 * @throws WorkSpent
 */
export function limitShading(
  document: PdfDocument,
  value: PdfValue,
  tools: ShadingTools,
): PdfDictionary | PdfStream | string | undefined {
  const shading = document.dictionary(value)!;
  const kind = document.get(shading, 'ShadingType');
  const background = tools.limit(document.numbers(shading.get('Background')));
  if (kind === 2 || kind === 3) {
    const [low = 0, high = 1] = document.numbers(shading.get('Domain'));
    const limited = limitedFunction(document, shading, { low, high, ...tools });
    return typeof limited === 'string' || (!limited && !background)
      ? limited
      : entriesOf(shading, { ...tools, replaced: { ...replacedBy(limited), ...backgroundOf(background) } });
  }
  const stream = document.resolve(value);
  if (typeof kind !== 'number' || kind < 4 || kind > 7 || !(stream instanceof PdfStream))
    return 'its colours are worked out by a program';
  return limitMesh(document, stream, { ...tools, kind, background });
}

const backgroundOf = (background: readonly number[] | undefined): Record<string, PdfValue> =>
  background ? { Background: background.map(downwards) } : {};
const replacedBy = (limited: Reference | undefined): Record<string, PdfValue> =>
  limited === undefined ? {} : { Function: limited };
const downwards = (ink: number): number => Math.floor(1e4 * ink) / 1e4;

/** The colours of a gradient as samples within the limit; undefined where they are already. */
function limitedFunction(
  document: PdfDocument,
  shading: PdfDictionary,
  { low, high, limit, add, space }: { readonly low: number; readonly high: number } & ShadingTools,
): Reference | string | undefined {
  const evaluate = readFunction(document, shading.get('Function'));
  if (!evaluate) return 'its colours are worked out by a program';
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
  tools: ShadingTools & { readonly kind: number; readonly background: number[] | undefined },
): PdfStream | string | undefined {
  const { dictionary } = stream;
  const { kind, background, space, limit } = tools;
  const hasFunction = dictionary.has('Function');
  const mesh = readMesh(document, stream, { kind, components: meshComponents(hasFunction, space) });
  if (!mesh) return 'the mesh is packed in a way that is not read here';
  if (hasFunction) {
    const [low, high] = mesh.decode[0]!;
    const limited = limitedFunction(document, dictionary, { low, high, ...tools });
    if (typeof limited === 'string' || (!limited && !background)) return limited;
    const replaced = { ...replacedBy(limited), ...backgroundOf(background) };
    return packed(entriesOf(dictionary, { ...tools, replaced }), mesh.data);
  }
  const data = limitedMesh(document, mesh, limit);
  if (!data && !background) return undefined;
  return packed(entriesOf(dictionary, { ...tools, replaced: backgroundOf(background) }), data ?? mesh.data);
}

/** Colours between corners are mixed of theirs, and so take no more than these. */
function limitedMesh(document: PdfDocument, mesh: Mesh, limit: LimitInks): Uint8Array | undefined {
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

/** Entries of a shading with some replaced. A stream is packed anew. */
function entriesOf(
  shading: PdfDictionary,
  { replaced, copy }: Pick<ShadingTools, 'copy'> & { readonly replaced: Record<string, PdfValue> },
): PdfDictionary {
  const kept = [...shading].filter(([key]) => !/^(Length|Filter|DecodeParms|DL)$/.test(key));
  return new Map(
    kept.map(([key, one]) => [key, Object.hasOwn(replaced, key) ? replaced[key]! : copy(one)] as const),
  );
}
