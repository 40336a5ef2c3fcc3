/** Filters as callers name them; a work fails some of them, the bit of each by its place here. */
export const FILTER_NAMES = ['licence', 'has_image', 'min_px', 'medium', 'century', 'years'] as const;
export type FilterName = (typeof FILTER_NAMES)[number];

export const FAILS = {
  licence: 1,
  has_image: 2,
  min_px: 4,
  medium: 8,
  century: 16,
  years: 32,
} as const satisfies Record<FilterName, number>;
