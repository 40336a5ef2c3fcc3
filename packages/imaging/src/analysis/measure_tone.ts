import { levelBelow, levelsOf, type Planes } from './planes.ts';

export interface Tone {
  readonly key: 'high key' | 'middle key' | 'low key';
  readonly contrast: 'very low' | 'low' | 'moderate' | 'high' | 'very high';
  /** L*, 0 to 100. */
  readonly mean: number;
  readonly median: number;
  /** 5th and 95th percentiles of L*. */
  readonly dark: number;
  readonly light: number;
  /** Shares of the image below L* 30, between, and above L* 70. */
  readonly shadows: number;
  readonly midtones: number;
  readonly highlights: number;
  /** Standard deviation of L* (root mean square contrast; Peli, "Contrast in complex images", 1990). */
  readonly deviation: number;
  /** Share of the variance explained by a split into a dark and a light group (Otsu, 1979); near 1 there are only two tones. */
  readonly split: number;
  /** Distance of the key from the next one, 0 to 1. */
  readonly keyConfidence: number;
}

const [SHADOW, HIGHLIGHT] = [30, 70];
const [LOW_KEY, HIGH_KEY] = [36, 66];

/** Measures lightness and tonal range. */
export function measureTone({ lightness }: Planes): Tone {
  const levels = levelsOf(lightness);
  const count = lightness.length;
  let [sum, squares] = [0, 0];
  for (const value of lightness) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / count;
  const median = levelBelow(levels, 0.5);
  const shareWithin = (from: number, to: number) =>
    levels.slice(10 * from, 10 * to).reduce((total, pixels) => total + pixels, 0) / count;
  const [shadows, highlights] = [shareWithin(0, SHADOW), shareWithin(HIGHLIGHT, 101)];
  const [dark, light] = [levelBelow(levels, 0.05), levelBelow(levels, 0.95)];
  const middle = (mean + median) / 2;
  return {
    key: middle < LOW_KEY ? 'low key' : middle > HIGH_KEY ? 'high key' : 'middle key',
    contrast: contrastOf(light - dark),
    mean,
    median,
    dark,
    light,
    shadows,
    highlights,
    midtones: Math.max(0, 1 - shadows - highlights),
    deviation: Math.sqrt(Math.max(0, squares / count - mean * mean)),
    split: splitOf(levels, count),
    keyConfidence: Math.min(1, 0.5 + Math.min(Math.abs(middle - LOW_KEY), Math.abs(middle - HIGH_KEY)) / 20),
  };
}

function contrastOf(range: number): Tone['contrast'] {
  if (range < 12) return 'very low';
  if (range < 35) return 'low';
  if (range < 62) return 'moderate';
  return range < 82 ? 'high' : 'very high';
}

/** Maximum share of between-group variance over all splits of the tones. */
function splitOf(levels: Uint32Array, total: number): number {
  let [all, squares] = [0, 0];
  for (const [level, count] of levels.entries()) {
    all += count * level;
    squares += count * level * level;
  }
  const variance = squares / total - (all / total) ** 2;
  if (variance < 100) return 0;
  let [weight, sum, best] = [0, 0, 0];
  for (const [level, count] of levels.entries()) {
    weight += count;
    sum += count * level;
    if (weight === 0 || weight === total) continue;
    const gap = sum / weight - (all - sum) / (total - weight);
    best = Math.max(best, (weight * (total - weight) * gap * gap) / (total * total));
  }
  return best / variance;
}
