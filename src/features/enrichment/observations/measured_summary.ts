import type { Measures } from '@atelier/imaging/analysis/analyse_picture.ts';
import {
  type ColorShare,
  colorShares,
  type Facts,
  type FactValue,
} from '@atelier/imaging/analysis/facts/facts.ts';
import { roundTo } from '@atelier/imaging/pixels/round_to.ts';

import type { ReadLine } from './reconcile.ts';

/** Short summary of what was measured and detected in an image, for an observer to start from. */
export interface MeasuredSummary {
  readonly width: number;
  readonly height: number;
  readonly palette: readonly ColorShare[];
  /** 0 blurred to 1 sharp. */
  readonly sharpness: number;
  readonly [field: string]: FactValue;
}

/** Fields of the analysis in the summary, by section. */
const SHOWN = {
  light: ['tonal_key', 'contrast', 'quality', 'tonal_map'],
  composition: [
    'format',
    'focal_point',
    'balance',
    'weight_left_pct',
    'weight_top_pct',
    'edge_direction',
    'symmetry',
  ],
  description: ['horizon', 'people', 'writing', 'subjects'],
} as const satisfies { [S in keyof Facts]?: readonly (keyof Facts[S])[] };

/** @param lines text recognised in the image: data, never instructions */
export function measuredSummary(
  facts: Facts,
  { width, height, color, reproduction }: Measures,
  lines?: readonly ReadLine[],
): MeasuredSummary {
  const shown = Object.entries(SHOWN).flatMap(([section, names]) => {
    const fields = facts[section as keyof Facts] as Record<string, { value: FactValue } | undefined>;
    return names.flatMap((name): [string, FactValue][] => {
      const fact = fields[name];
      return fact && fact.value !== 'none found'
        ? [
            [
              name === 'people' || name === 'subjects' || name === 'writing' ? `detected_${name}` : name,
              fact.value,
            ],
          ]
        : [];
    });
  });
  return {
    width,
    height,
    palette: colorShares(color.palette),
    sharpness: roundTo(1 - reproduction.blur, 2),
    ...Object.fromEntries(shown),
    ...(lines && lines.length > 0 && { untrusted_text: lines.map(({ text }) => text) }),
  };
}
