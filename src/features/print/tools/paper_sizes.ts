/** Millimetres. */
export interface Sides {
  readonly width: number;
  readonly height: number;
}

/** Sheets people know by name, upright, in millimetres. Sources: ISO 216; ANSI/ASME Y14.1; the usual prints of photo labs. */
export const PAPERS: readonly (Sides & { readonly name: string })[] = [
  { name: 'A2', width: 420, height: 594 },
  { name: 'A3', width: 297, height: 420 },
  { name: 'tabloid', width: 279.4, height: 431.8 },
  { name: 'A4', width: 210, height: 297 },
  { name: 'letter', width: 215.9, height: 279.4 },
  { name: 'A5', width: 148, height: 210 },
  { name: 'half letter', width: 139.7, height: 215.9 },
  { name: '13 × 18 cm', width: 130, height: 180 },
  { name: '10 × 15 cm', width: 100, height: 150 },
  { name: 'A6', width: 105, height: 148 },
  { name: '9 × 13 cm', width: 90, height: 130 },
  { name: 'A7', width: 74, height: 105 },
];

/** The largest of them that fits into a sheet, turned the way that lies. */
export function largestPaperIn({ width, height }: Sides): (Sides & { readonly name: string }) | undefined {
  const isWide = width > height;
  return PAPERS.map(({ name, ...paper }) =>
    isWide ? { name, width: paper.height, height: paper.width } : { name, ...paper },
  )
    .filter((paper) => paper.width <= width && paper.height <= height)
    .toSorted((one, other) => other.width * other.height - one.width * one.height)[0];
}
