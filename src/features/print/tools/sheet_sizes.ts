/** Sheets in millimetres, upright. */
const PRODUCT_SIZES = {
  a4: { width: 210, height: 297 },
  a3: { width: 297, height: 420 },
  letter: { width: 215.9, height: 279.4 },
  poster_24x36: { width: 609.6, height: 914.4 },
} as const;

const MM_PER_INCH = 25.4;

export const SHEET_SIZES = [
  ...(Object.keys(PRODUCT_SIZES) as (keyof typeof PRODUCT_SIZES)[]),
  'custom',
] as const;

interface Sized {
  readonly product_size: (typeof SHEET_SIZES)[number];
  readonly custom_width_mm?: number | undefined;
  readonly custom_height_mm?: number | undefined;
}

/** Millimetres. */
interface Sides {
  readonly width: number;
  readonly height: number;
}

/** The sides of a sheet after trimming; a custom size has both. */
export const trimOf = ({ product_size, custom_width_mm, custom_height_mm }: Sized): Sides =>
  product_size === 'custom'
    ? { width: custom_width_mm!, height: custom_height_mm! }
    : PRODUCT_SIZES[product_size];

/** About how many pixels a sheet of trim and bleed has. */
export function sheetPixels(trim: Sides, { bleed_mm, dpi }: { bleed_mm: number; dpi: number }): number {
  const [width, height] = [trim.width, trim.height].map(
    (side) => ((side + 2 * bleed_mm) / MM_PER_INCH) * dpi,
  );
  return Math.round(width! * height!);
}
