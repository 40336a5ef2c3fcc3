/**
 * Low-discrepancy sequence in the unit square: deterministic, evenly spread for any count, and on no lattice that could alias with a
 * pattern in the image. Source: M. Roberts, "The Unreasonable Effectiveness of Quasirandom Sequences", 2018 (R2).
 */
export const spreadPoint = (index: number): [across: number, down: number] => [
  (0.5 + index / PLASTIC) % 1,
  (0.5 + index / PLASTIC ** 2) % 1,
];

/** The real root of x³ = x + 1. */
const PLASTIC = 1.324717957244746;
