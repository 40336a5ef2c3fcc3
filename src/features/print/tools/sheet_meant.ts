import { sidesIn } from '../../definitions/spellings.ts';

/** What the sides of a sheet are also called. */
export const SIDE_NAMES = {
  width: ['width', 'width_mm', 'trim_width', 'trim_width_mm'],
  height: ['height', 'height_mm', 'trim_height', 'trim_height_mm'],
};
const MILLIMETRES: Readonly<Record<string, number>> = {
  mm: 1,
  cm: 10,
  in: 25.4,
  inch: 25.4,
  inches: 25.4,
  '"': 25.4,
};

/** A size by its sides: "100x150mm"; 24 × 36 inches has a name. */
export function sheetMeant(sent: unknown): Record<string, unknown> | undefined {
  const { width, height, unit = '' } = sidesIn(sent) ?? {};
  const each = MILLIMETRES[unit];
  if (!width || !height || !each) return undefined;
  if (each === 25.4 && width === 24 && height === 36) return { product_size: 'poster_24x36' };
  return { product_size: 'custom', custom_width_mm: width * each, custom_height_mm: height * each };
}

/** Both sides of a sheet that has no other size ask for that of their own. */
export const customWhere =
  (other: string) =>
  (sent: unknown, beside: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined =>
    beside.product_size === undefined && beside[other] !== undefined
      ? {
          product_size: 'custom',
          [other === 'custom_width_mm' ? 'custom_height_mm' : 'custom_width_mm']: sent,
        }
      : undefined;

/** Sides that are sent for a size that has its own. */
export function warnOfIdle(
  wanted: {
    readonly product_size: string;
    readonly custom_width_mm?: number | undefined;
    readonly custom_height_mm?: number | undefined;
  },
  call: { warn(text: string): void },
): void {
  if (wanted.product_size === 'custom') return;
  for (const name of ['custom_width_mm', 'custom_height_mm'] as const)
    if (wanted[name] !== undefined)
      call.warn(`${name} is without effect: product_size is ${wanted.product_size}.`);
}
