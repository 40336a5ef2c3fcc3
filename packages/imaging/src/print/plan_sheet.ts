import type { Size } from '../pixels/plane.ts';
export const MM_PER_INCH = 25.4;
export const FITS = ['cover', 'contain'] as const;
export const ORIENTATIONS = ['auto', 'portrait', 'landscape', 'as_given'] as const;

export interface SheetOptions {
  /** Trim size in millimetres. */
  readonly trimMm: Size;
  readonly bleedMm: number;
  readonly dpi: number;
  /** Default: `cover`. */
  readonly fit?: (typeof FITS)[number] | undefined;
  /** `auto` rotates the sheet to match the image. */
  readonly orientation: (typeof ORIENTATIONS)[number];
}

/** Geometry of a sheet, in pixels from its upper left corner. */
export interface SheetPlan {
  readonly trimMm: Size;
  readonly bleedMm: number;
  readonly dpi: number;
  /** Size of trim plus bleed. */
  readonly sheet: Size;
  /** Left and top edge of the trim. The right and bottom margins are the same. */
  readonly trimAt: { readonly x: number; readonly y: number };
  /** Sheet pixels per image pixel. Image and sheet are concentric. */
  readonly scale: number;
  /** Resolution of the image at this size. */
  readonly effectiveDpi: number;
  /** Share of the image inside the trim, 0 to 1. */
  readonly keptShare: number;
  /** Bleed in millimetres that the image itself fills: on the left and right, and at the top and bottom. */
  readonly pictureBleedMm: { readonly x: number; readonly y: number };
  readonly fit: (typeof FITS)[number];
}

/** Returns the pixels of trim plus bleed. */
export const sheetPixels = ({ width, height }: Size, bleedMm: number, dpi: number): Size => ({
  width: pixels(width + 2 * bleedMm, dpi),
  height: pixels(height + 2 * bleedMm, dpi),
});

/** Plans the placement of an image on a sheet. @param picture size in pixels */
export function planSheet(picture: Size, request: SheetOptions): SheetPlan {
  const { bleedMm, dpi, fit = 'cover' } = request;
  const trimMm = orientTrim(request.trimMm, picture, request.orientation);
  const sheet = sheetPixels(trimMm, bleedMm, dpi);
  const [across, down] = [trimMm.width, trimMm.height].map((side) => (side / MM_PER_INCH) * dpi);
  const ratios = [across! / picture.width, down! / picture.height];
  const scale = fit === 'cover' ? Math.max(...ratios) : Math.min(...ratios);
  const spareMm = (pictureSide: number, trim: number) =>
    Math.min(bleedMm, Math.max(0, ((pictureSide * scale - trim) / 2 / dpi) * MM_PER_INCH));
  return {
    trimMm,
    bleedMm,
    dpi,
    sheet,
    trimAt: { x: Math.round((sheet.width - across!) / 2), y: Math.round((sheet.height - down!) / 2) },
    scale,
    effectiveDpi: dpi / scale,
    keptShare: Math.min(1, across! / scale / picture.width) * Math.min(1, down! / scale / picture.height),
    pictureBleedMm: { x: spareMm(picture.width, across!), y: spareMm(picture.height, down!) },
    fit,
  };
}

const pixels = (mm: number, dpi: number): number => Math.round((mm / MM_PER_INCH) * dpi);

function orientTrim(trim: Size, picture: Size, orientation: SheetOptions['orientation']): Size {
  const { width, height } = trim;
  const isLandscape = orientation === 'auto' ? picture.width > picture.height : orientation === 'landscape';
  if (orientation === 'as_given' || (picture.width === picture.height && orientation === 'auto')) return trim;
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  return isLandscape ? { width: long, height: short } : { width: short, height: long };
}
