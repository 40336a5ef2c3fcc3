import { openPicture } from '../../codecs/open_picture.ts';
import { decodeRaster } from '../../codecs/read_raster.ts';
import { tiffOf } from '../../intake/prepare_picture.ts';
import type { Size } from '../../pixels/plane.ts';
import { MM_PER_INCH } from '../plan_sheet.ts';
import { type PressColors, type PrintedSheet, prepareSheet } from '../print_sheet.ts';
import type { RenderedSource, Source } from './sources.ts';

/** Maximum pieces measured, and pixels per piece. */
export const PIECES_MEASURED_MAX = 12;
const MEASURED_PIXELS = 1_000_000;
const MEASURED_DPI_MAX = 150;

export interface MeasureOptions {
  readonly sizeMm: Size;
  readonly bleedMm: number;
  readonly dpi: number;
  readonly fit: 'cover' | 'contain';
}

/**
 * Renders a piece at low resolution and discards the file, to measure its inks and colours and to get a preview with
 * bleed.
 */
export async function measurePiece(
  picture: Uint8Array,
  { sizeMm, bleedMm, dpi, fit }: MeasureOptions,
  colors: PressColors,
): Promise<PrintedSheet> {
  const sheet = await prepareSheet(
    {
      bytes: picture,
      trimMm: sizeMm,
      bleedMm,
      dpi: measuredDpi(sizeMm, dpi),
      fit,
      orientation: 'as_given',
      format: 'pdf',
      hasMarks: false,
      software: '',
      title: '',
      createdAt: '',
      documentId: '',
    },
    colors,
  );
  return sheet.print({ write() {}, rewrite() {} });
}

function measuredDpi({ width, height }: Size, dpi: number): number {
  const byArea = MM_PER_INCH * Math.sqrt(MEASURED_PIXELS / (width * height));
  return Math.min(dpi, MEASURED_DPI_MAX, byArea);
}

/** Renders the part of a source inside its trim. */
export async function renderTrim(source: Source, sizeMm: Size, dpi: number): Promise<Uint8Array> {
  const wanted = measuredDpi(sizeMm, dpi) / MM_PER_INCH;
  const drawn = await source.render({ width: sizeMm.width * wanted, height: sizeMm.height * wanted });
  const inside = trimWithin(drawn, source.size);
  if (!inside) return drawn.bytes;
  const raster = await decodeRaster(
    openPicture(drawn.bytes).extract(inside).flatten({ background: '#ffffff' }).toColourspace('srgb'),
  );
  return tiffOf({ ...raster, warnings: [] });
}

/** Pixel rectangle of the trim. Undefined if it is the whole rendering. */
function trimWithin({ size, area }: RenderedSource, trim: Size) {
  const [perX, perY] = [size.width / (area.right - area.left), size.height / (area.top - area.bottom)];
  const left = Math.max(0, Math.round(-area.left * perX));
  const top = Math.max(0, Math.round((area.top - trim.height) * perY));
  const width = Math.min(size.width - left, Math.round(trim.width * perX));
  const height = Math.min(size.height - top, Math.round(trim.height * perY));
  const isWhole = width >= size.width - 1 && height >= size.height - 1;
  return isWhole || width < 8 || height < 8 ? undefined : { left, top, width, height };
}
