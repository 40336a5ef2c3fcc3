export interface Harmony {
  readonly scheme:
    | 'achromatic'
    | 'one hue'
    | 'neighbouring hues'
    | 'complementary hues'
    | 'a main hue with a complementary accent'
    | 'two opposed families of hue'
    | 'half the colour circle'
    | 'hues all around the circle';
  /** Part of all colour that lies within the scheme, 0 to 1. */
  readonly fit: number;
}

/** Sectors in degrees: where their middle lies from the first one's, and how wide they are. */
interface Template {
  readonly scheme: Harmony['scheme'];
  readonly sectors: readonly { readonly at: number; readonly width: number }[];
}

/**
 * The simplest first. Source: Cohen-Or and others, "Color harmonization", 2006, after Matsuda's templates i, V, I, Y, X
 * and T. Their sectors of 18° are 36° here: OKLCh spreads one painted hue wider than HSV does.
 */
const TEMPLATES: readonly Template[] = [
  { scheme: 'one hue', sectors: [{ at: 0, width: 36 }] },
  { scheme: 'neighbouring hues', sectors: [{ at: 0, width: 94 }] },
  {
    scheme: 'complementary hues',
    sectors: [
      { at: 0, width: 36 },
      { at: 180, width: 36 },
    ],
  },
  {
    scheme: 'a main hue with a complementary accent',
    sectors: [
      { at: 0, width: 94 },
      { at: 180, width: 36 },
    ],
  },
  {
    scheme: 'two opposed families of hue',
    sectors: [
      { at: 0, width: 94 },
      { at: 180, width: 94 },
    ],
  },
  { scheme: 'half the colour circle', sectors: [{ at: 0, width: 180 }] },
];
const COVERED = 0.9;

/**
 * The simplest scheme that holds nine tenths of the colour. @param hues colour by degree of hue @param neutral part of
 * the picture without hue
 */
export function harmonyOf(hues: Float64Array, neutral: number): Harmony {
  const total = hues.reduce((sum, weight) => sum + weight, 0);
  if (neutral > 0.97 || total === 0) return { scheme: 'achromatic', fit: Math.max(neutral, 0.97) };
  for (const template of TEMPLATES) {
    const fit = bestFit(hues, template) / total;
    // Two sectors that one hue alone would fill are no scheme of two.
    if (fit >= COVERED && holdsAll(hues, template, total)) return { scheme: template.scheme, fit };
  }
  return { scheme: 'hues all around the circle', fit: 1 };
}

function bestFit(hues: Float64Array, template: Template): number {
  return Math.max(...turns.map((turn) => sums(hues, template, turn).reduce((sum, part) => sum + part, 0)));
}

/** Every sector of the best turn has at least a twentieth of the colour. */
function holdsAll(hues: Float64Array, template: Template, total: number): boolean {
  return turns
    .map((turn) => sums(hues, template, turn))
    .some(
      (parts) =>
        parts.every((part) => part > 0.05 * total) &&
        parts.reduce((sum, part) => sum + part, 0) >= COVERED * total,
    );
}

const turns = Array.from({ length: 72 }, (_, index) => 5 * index);

/** Colour in each sector of a template turned by `turn` degrees. */
function sums(hues: Float64Array, { sectors }: Template, turn: number): number[] {
  return sectors.map(({ at, width }) => {
    let sum = 0;
    for (let degree = 0; degree < width; degree++)
      sum += hues[(((Math.round(turn + at - width / 2) + degree) % 360) + 360) % 360]!;
    return sum;
  });
}
