import { COLOR_DISTANCE_MAX, colorWeight } from '@atelier/engines/look/color_match.ts';
import { unpackColors } from '@atelier/engines/look/look.ts';
import { type Oklab, oklabOf } from '@atelier/engines/pixels/oklab.ts';
import type { LookAsked } from '../rank_looks.ts';

/** What looks are put in order by from the colours that lists have of them: a colour asked for, or a palette. */
export interface LookQuestion {
  readonly kind: 'color' | 'palette';
  /** Colours farther than `reach` from all of these count for nothing. */
  readonly around: readonly Oklab[];
  readonly reach: number;
  /** The score of a look is the sum of its numbers by their weights. */
  readonly columns: readonly Column[];
  /** What a colour counts in each column. */
  countsOf(color: Oklab): number[];
}

/** A number that is kept of each look. */
interface Column {
  readonly weight: number;
  /** sum: every colour counts, with its share; best: the colour that counts most counts alone, whatever its share. */
  readonly of: 'sum' | 'best';
}

/** How far a colour may be from those of a palette to speak for it. */
const PALETTE_REACH = 0.1;

/** Each colour asked for, then the palette of a picture. */
export const questionsOf = ({ colors = [], like }: LookAsked): LookQuestion[] => [
  ...colors.map((color) => colorQuestion(oklabOf(color >> 16, (color >> 8) & 255, color & 255))),
  ...(like ? [paletteQuestion(like.colors)] : []),
];

/** The score is the one of `matchColors`, of the colours that are near enough. */
const colorQuestion = (asked: Oklab): LookQuestion => ({
  kind: 'color',
  around: [asked],
  reach: COLOR_DISTANCE_MAX,
  columns: [{ weight: 1, of: 'sum' }],
  countsOf(color) {
    const square = squareBetween(asked, color);
    return [square > COLOR_DISTANCE_MAX ** 2 ? 0 : colorWeight(square)];
  },
});

/** The score is twice the reach less both halves of `paletteDistance`, where no colour is taken to be farther than the reach. */
function paletteQuestion(packed: Uint8Array): LookQuestion {
  const palette = unpackColors(packed);
  return {
    kind: 'palette',
    around: palette.map(({ oklab }) => oklab),
    reach: PALETTE_REACH,
    columns: [
      { weight: 1, of: 'sum' },
      ...palette.map(({ share }) => ({ weight: share, of: 'best' as const })),
    ],
    countsOf(color) {
      const near = palette.map(({ oklab }) =>
        Math.max(0, PALETTE_REACH - Math.sqrt(squareBetween(oklab, color))),
      );
      return [Math.max(0, ...near), ...near];
    },
  };
}

const squareBetween = (one: Oklab, other: Oklab): number =>
  (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 + (one[2] - other[2]) ** 2;
