/** Two classes of levels, separated by a threshold. */
export interface Split {
  /** Lower tones are ink. */
  readonly threshold: number;
  /** Mean tones of ink and of the rest. */
  readonly dark: number;
  readonly light: number;
}

/**
 * Threshold that maximises the variance between both classes, and their means. Source: N. Otsu, "A threshold selection
 * method from gray-level histograms", 1979.
 */
export function otsu(counts: Float64Array): Split {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const moment = counts.reduce((sum, count, level) => sum + count * level, 0);
  let best = { first: 0, last: 0, dark: 0, light: 0, between: 0 };
  let below = 0;
  let momentBelow = 0;
  for (const [level, count] of counts.entries()) {
    below += count;
    momentBelow += count * level;
    if (below === 0 || below === total) continue;
    const dark = momentBelow / below;
    const light = (moment - momentBelow) / (total - below);
    const between = below * (total - below) * (light - dark) ** 2;
    // Empty levels split the groups in the same way. The threshold is their middle; otherwise outlines would shift to one side.
    if (count === 0 && between === best.between) best.last = level + 1;
    else if (between > best.between) best = { first: level + 1, last: level + 1, dark, light, between };
  }
  const threshold = Math.round((best.first + best.last) / 2);
  return { threshold, dark: best.dark, light: best.light };
}
