import { parseCssColor } from '../../color/css_color.ts';
import type { XmlElement } from '../../metadata/xmp/parse_xml.ts';
import { IDENTITY, type Matrix, multiply } from '../../preflight/content/matrix.ts';
import { inkFunction } from '../../preflight/convert/convert_shading.ts';
import { flateStream } from '../../preflight/convert/flate_stream.ts';
import type { NewDocument } from '../../preflight/convert/new_document.ts';
import type { PressColors } from '../../preflight/convert/press_colors.ts';
import { Name, type PdfDictionary, type PdfValue } from '../../preflight/pdf/values.ts';
import { parseMatrix } from './affine.ts';
import { RasterisationRequired } from './live_art.ts';
import { attribute } from './svg_drawing.ts';
import type { PathBox } from './svg_path.ts';

interface Stop {
  readonly offset: number;
  /** sRGB, 0 to 1. */
  readonly rgb: readonly number[];
  readonly opacity: number;
}

export interface Gradient {
  /** A shading in inks. */
  readonly shading: PdfDictionary;
  /** Opacity as a grey shading. Absent if opaque. */
  readonly opacity?: PdfDictionary;
  /** From gradient to path coordinates. */
  readonly matrix: Matrix;
}

const STOPS_MAX = 256;

/** Converts a usvg gradient to a shading. @throws RasterisationRequired */
export function readGradient(
  element: XmlElement,
  box: PathBox,
  { colors, made }: { colors: PressColors; made: NewDocument },
): Gradient {
  const spread = attribute(element, 'spreadMethod') ?? 'pad';
  if (spread !== 'pad') throw new RasterisationRequired('a gradient is repeated or reflected');
  const stops = stopsOf(element);
  const coordinates = coordinatesOf(element);
  const inks =
    ({ rgb }: Stop, to: Stop) =>
    (share: number) =>
      colors.inksOf(rgb.map((value, at) => value + share * (to.rgb[at]! - value)));
  const opacities = (from: Stop, to: Stop) => (share: number) =>
    [from.opacity + share * (to.opacity - from.opacity)] as const;
  const shadingOf = (
    space: string,
    colorAt: (from: Stop, to: Stop) => (share: number) => readonly number[],
  ) =>
    new Map<string, PdfValue>([
      ['ShadingType', coordinates.length === 4 ? 2 : 3],
      ['ColorSpace', new Name(space)],
      ['Coords', coordinates],
      ['Extend', [true, true]],
      ['Function', stitchFunctions(stops, (from, to) => colorAt(from, to), made)],
    ]);
  const isUserSpace = attribute(element, 'gradientUnits') === 'userSpaceOnUse';
  const units: Matrix = isUserSpace
    ? IDENTITY
    : [box.right - box.left, 0, 0, box.bottom - box.top, box.left, box.top];
  return {
    shading: shadingOf('DeviceCMYK', inks),
    ...(stops.some(({ opacity }) => opacity < 1) && { opacity: shadingOf('DeviceGray', opacities) }),
    matrix: multiply(parseMatrix(attribute(element, 'gradientTransform')), units),
  };
}

function stopsOf({ children }: XmlElement): Stop[] {
  const stops = children.slice(0, STOPS_MAX).map((stop) => ({
    offset: Math.min(1, Math.max(0, Number(attribute(stop, 'offset')) || 0)),
    rgb: (parseCssColor(attribute(stop, 'stop-color') ?? '#000') ?? [0, 0, 0]).slice(0, 3),
    opacity: Number(attribute(stop, 'stop-opacity') ?? 1),
  }));
  if (stops.length === 0) throw new RasterisationRequired('a gradient has no stops');
  const [first, last] = [stops[0]!, stops.at(-1)!];
  return [
    ...(first.offset > 0 ? [{ ...first, offset: 0 }] : []),
    ...stops,
    ...(last.offset < 1 ? [{ ...last, offset: 1 }] : []),
  ];
}

function coordinatesOf(element: XmlElement): number[] {
  const number = (name: string, otherwise: number) => Number(attribute(element, name) ?? otherwise) || 0;
  if (element.name === 'linearGradient')
    return [number('x1', 0), number('y1', 0), number('x2', 1), number('y2', 0)];
  const [cx, cy, r] = [number('cx', 0.5), number('cy', 0.5), number('r', 0.5)];
  return [number('fx', cx), number('fy', cy), 0, cx, cy, r];
}

/** One function per pair of stops, so that two stops at one offset make a sharp edge. ISO 32000-1, 7.10.4 */
function stitchFunctions(
  stops: readonly Stop[],
  colorAt: (from: Stop, to: Stop) => (share: number) => readonly number[],
  made: NewDocument,
): PdfValue {
  const pieces: { at: number; reference: PdfValue }[] = [];
  for (const [at, from] of stops.entries()) {
    const to = stops[at + 1];
    if (!to || to.offset <= from.offset) continue;
    const { dictionary, raw } = inkFunction(colorAt(from, to), [0, 1]);
    pieces.push({ at: from.offset, reference: made.add(flateStream(dictionary, raw)) });
  }
  if (pieces.length === 1) return pieces[0]!.reference;
  return new Map<string, PdfValue>([
    ['FunctionType', 3],
    ['Domain', [0, 1]],
    ['Functions', pieces.map(({ reference }) => reference)],
    ['Bounds', pieces.slice(1).map(({ at }) => at)],
    ['Encode', pieces.flatMap(() => [0, 1])],
  ]);
}
