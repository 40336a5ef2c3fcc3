import { invalidField } from '../../../core/errors/atelier_error.ts';
import { fold } from './fold.ts';
import type { SizeRange } from './types.ts';

const MM: Readonly<Record<string, number>> = { mm: 1, cm: 10, m: 1000, in: 25.4 };
const SIZE = '(\\d{1,5}(?:[.,]\\d{1,3})?)';
const UNIT = '\\s?(mm|cm|m|in|inch|inches|")?';
const SPAN = new RegExp(`^${SIZE}${UNIT}\\s?(?:-|–|to|and|bis|tot)\\s?${SIZE}${UNIT}$`);
const BOUND = new RegExp(
  `^(<=?|>=?|max|min|up to|at most|at least|under|below|over|above|less than|more than)\\s?${SIZE}${UNIT}$`,
);
const ONE = new RegExp(`^${SIZE}${UNIT}$`);
const LARGEST = 65_535;
/** A single size covers all values that round to it. */
const HALF_CM = 5;

/**
 * Parses a size: "20-40", "max 40", ">= 1 m", "30", in centimetres unless a unit is given.
 * @throws AtelierError invalid_input naming the field
 */
export function readSize(field: 'height_cm' | 'width_cm', asked: string): SizeRange {
  const text = fold(asked).trim().replace(/\s+/g, ' ');
  const [, from, unitFrom, to, unitTo] = SPAN.exec(text) ?? [];
  if (from && to) {
    const [one, other] = [mm(from, unitFrom ?? unitTo), mm(to, unitTo)];
    return { from: Math.min(one, other), to: Math.max(one, other) };
  }
  const [, bound, size, unit] = BOUND.exec(text) ?? [];
  if (bound && size) {
    return /^(?:>|min|at least|over|above|more)/.test(bound)
      ? { from: mm(size, unit), to: LARGEST }
      : { from: 1, to: mm(size, unit) };
  }
  const [, alone, unitAlone] = ONE.exec(text) ?? [];
  if (alone) return { from: mm(alone, unitAlone) - HALF_CM, to: mm(alone, unitAlone) + HALF_CM };
  throw invalidField(field, `${field} must be a size in centimetres: "20-40", "max 40", "min 100" or "30".`);
}

const mm = (size: string, unit = 'cm'): number =>
  Math.round(Number(size.replace(',', '.')) * MM[/^(?:in|")/.test(unit) ? 'in' : unit]!);
