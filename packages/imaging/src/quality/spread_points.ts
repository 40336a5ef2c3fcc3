/**
 * Places spread evenly over a square of side 1, however many of them are taken: the same ones every time, and on no lattice that a
 * pattern in the picture could fall in step with. Source: M. Roberts, "The Unreasonable Effectiveness of Quasirandom Sequences", 2018 (R2).
 */
export const spreadPoint = (index: number): [across: number, down: number] => [
  (0.5 + index / PLASTIC) % 1,
  (0.5 + index / PLASTIC ** 2) % 1,
];

/** The real root of x³ = x + 1. */
const PLASTIC = 1.324717957244746;
