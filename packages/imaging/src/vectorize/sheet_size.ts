import { EngineError } from '../errors/engine_error.ts';
import type { Size } from '../pixels/plane.ts';
import { MM_PER_INCH } from '../print/plan_sheet.ts';
import { straighten } from './curve.ts';
import type { Curve } from './fit_curve.ts';
import { DRAWING_SIDE_MM_MAX, DRAWING_SIDE_MM_MIN } from './limits.ts';

/** Purposes of a drawing with a physical size. */
export interface Physical {
  /**
   * print: layers of ink over each other. cut: the outlines of parts, one layer a sheet of material. engrave: areas to fill and lines
   * for narrow strokes. plot: lines along the middle of all strokes.
   */
  readonly purpose: 'print' | 'cut' | 'engrave' | 'plot';
  readonly widthMm: number;
  /** Kerf: width that the tool removes. Half of it is added around every part. Cutting only. */
  readonly kerfMm: number;
  /** Width of the bridges that hold the islands of a stencil; 0 if the cut is not a stencil. */
  readonly bridgeMm: number;
  readonly format: 'svg' | 'dxf' | 'pdf';
}

/** The same before its width is known. */
export type PhysicalOptions = Omit<Physical, 'widthMm'> & Partial<Pick<Physical, 'widthMm'>>;

/** Width of a drawing of an image that states no resolution. */
const WIDTH_MM_DEFAULT = 100;
/** Resolution that programs write by default. */
const PPI_OF_SCREENS: ReadonlySet<number> = new Set([72, 96]);

/**
 * Width of a drawing: as requested, else from the resolution stated in the image, else 100 mm; with a note if it was
 * not requested.
 */
export function chooseWidth(
  options: PhysicalOptions,
  { width, ppi }: { width: number; ppi: number | undefined },
): { physical: Physical; notes: string[] } {
  if (options.widthMm !== undefined) return { physical: { ...options, widthMm: options.widthMm }, notes: [] };
  const stated = ppi === undefined || PPI_OF_SCREENS.has(ppi) ? undefined : (width / ppi) * MM_PER_INCH;
  const isUsable = stated !== undefined && stated >= DRAWING_SIDE_MM_MIN && stated <= DRAWING_SIDE_MM_MAX;
  const widthMm = isUsable ? roundMm(stated) : WIDTH_MM_DEFAULT;
  const reason = isUsable
    ? `from its stated resolution of ${roundMm(ppi!)} pixels per inch`
    : 'because the image states no usable resolution';
  return {
    physical: { ...options, widthMm },
    notes: [`The drawing is ${widthMm} mm wide, ${reason}. To change the size, send width_mm.`],
  };
}

/** Converts traced pixels to millimetres. */
export interface SheetSize {
  readonly widthMm: number;
  readonly heightMm: number;
  /** The lesser side of a traced pixel. */
  readonly pixelMm: number;
  /** Steps a millimetre in which lengths are written: a tenth of a traced pixel or finer. */
  readonly steps: number;
  /** Maximum deviation of straight segments from the curve they replace, in millimetres. */
  readonly toleranceMm: number;
  readonly toMm: (curve: Curve) => Curve;
}

/** One layer of a drawing with a physical size; lengths in millimetres, from the upper left. */
export interface Sheet {
  readonly color: string;
  readonly outlines: readonly Curve[];
  /** Whether the outlines bound areas, or are tool paths, which are open unless they end at their start. */
  readonly drawn: 'areas' | 'lines';
}

const TOLERANCE_MM_MIN = 0.01;
const TOLERANCE_PX = 0.05;
const DIGITS_MIN = 3;
const DIGITS_MAX = 6;

/** The size that follows from a width. @throws EngineError unsuitable_image where the other side is out of bounds */
export function measureSheet({ widthMm }: Physical, { width, height }: Size, traced: Size): SheetSize {
  const heightMm = (widthMm * height) / width;
  if (heightMm > DRAWING_SIDE_MM_MAX || heightMm < DRAWING_SIDE_MM_MIN)
    throw new EngineError('unsuitable_image', sideMessage(widthMm, heightMm));
  const [across, down] = [widthMm / traced.width, heightMm / traced.height];
  const pixelMm = Math.min(across, down);
  const digits = Math.min(DIGITS_MAX, Math.max(DIGITS_MIN, Math.ceil(-Math.log10(pixelMm / 10))));
  const steps = 10 ** digits;
  return {
    widthMm,
    heightMm: Math.round(heightMm * steps) / steps,
    pixelMm,
    steps,
    toleranceMm: Math.max(TOLERANCE_MM_MIN, Number((TOLERANCE_PX * pixelMm).toPrecision(2))),
    toMm: (curve) => curve.map((value, at) => value * (at % 2 === 0 ? across : down)),
  };
}

function sideMessage(widthMm: number, heightMm: number): string {
  const side = heightMm > DRAWING_SIDE_MM_MAX ? DRAWING_SIDE_MM_MAX : DRAWING_SIDE_MM_MIN;
  const fitting = Number(((widthMm * side) / heightMm).toPrecision(3));
  const remedy =
    fitting >= DRAWING_SIDE_MM_MIN && fitting <= DRAWING_SIDE_MM_MAX
      ? `Send a width_mm of about ${fitting}, or crop the image.`
      : 'Crop the image to a less extreme aspect ratio.';
  return `At width_mm ${widthMm} the drawing would be ${Number(heightMm.toPrecision(4))} mm high. Drawings from ${DRAWING_SIDE_MM_MIN} to ${DRAWING_SIDE_MM_MAX} mm are supported. ${remedy}`;
}

/** The length of a curve in millimetres. */
export function lengthMm(curve: Curve, { toleranceMm }: SheetSize): number {
  const points = straighten(curve, toleranceMm);
  let length = 0;
  for (let at = 2; at < points.length; at += 2)
    length += Math.hypot(points[at]! - points[at - 2]!, points[at + 1]! - points[at - 1]!);
  return length;
}

/** Rounds a length for reports to 0.1 mm. */
export const roundMm = (length: number): number => Math.round(length * 10) / 10;
