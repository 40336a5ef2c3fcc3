import { type InkLimit, reduceInks } from './ink_limit.ts';

/** Ink statistics of a sheet. Shares are 0 to 1; ink is in per cent (four full inks are 400). */
export interface InkReport {
  /** Total area coverage that the darkest 0.01 % of the sheet reaches. */
  readonly inkMaxPercent: number;
  /** The same value before the inks were reduced to the limit. */
  readonly originalMaxPercent: number;
  readonly limit: InkLimit;
  readonly inkMeanPercent: number;
  readonly platesPercent: { cyan: number; magenta: number; yellow: number; black: number };
  /** Share of pixels whose colour is clearly outside the gamut. */
  readonly outOfGamutShare: number;
  /** Share of pixels in lines and dots that are too thin to print reliably. */
  readonly thinShare: number;
}

/** Thinner lines break up or fill in. About half a point. */
export const THIN_MM = 0.18;
/** Minimum contrast to both sides, of 255, for a thin line to count. The loss of fainter lines is not visible. */
const CONTRAST = 72;
const OUTLIERS = 1e-4;
const INKS = 4;

interface Inspection {
  readonly width: number;
  readonly dpi: number;
  /** Value of the fifth sample from which a pixel counts as out of gamut. */
  readonly gamutErrorMin: number;
  readonly limit: InkLimit;
}

/**
 * Inspects rows from the top, with five samples per pixel (four inks and the gamut error), and writes the inks, reduced
 * to the limit, to `inks`. `report` covers all rows inspected so far.
 */
export function inspectInks({ width, dpi, gamutErrorMin, limit }: Inspection) {
  const most = (limit.percent * 255) / 100;
  const found = new Float64Array(INKS * 255 + 1);
  const totals = new Float64Array(INKS * 255 + 1);
  const plates = new Float64Array(INKS);
  const reach = Math.max(1, Math.round((THIN_MM / 25.4) * dpi));
  const thin = createThinLineCounter(width, reach);
  let missed = 0;
  return {
    row(samples: Uint8ClampedArray, inks: Uint8ClampedArray): void {
      const tones = thin.nextRow();
      let [cyan, magenta, yellow, black] = [0, 0, 0, 0];
      for (let pixel = 0, from = 0, to = 0; pixel < width; pixel += 1, from += 5, to += INKS) {
        let [c, m, y, k] = [samples[from]!, samples[from + 1]!, samples[from + 2]!, samples[from + 3]!];
        found[c + m + y + k]! += 1;
        if (c + m + y + k > most)
          [c, m, y, k] = reduceInks([c, m, y, k], most).map(Math.floor) as [number, number, number, number];
        inks[to] = c;
        inks[to + 1] = m;
        inks[to + 2] = y;
        inks[to + 3] = k;
        cyan += c;
        magenta += m;
        yellow += y;
        black += k;
        totals[c + m + y + k]! += 1;
        if (samples[from + 4]! >= gamutErrorMin) missed += 1;
        // Approximate visual weight of each ink.
        const tone = ((77 * c + 150 * m + 28 * y) >> 8) + k;
        tones[pixel] = Math.min(255, tone);
      }
      plates[0]! += cyan;
      plates[1]! += magenta;
      plates[2]! += yellow;
      plates[3]! += black;
      thin.look();
    },
    report(): InkReport {
      const pixels = totals.reduce((sum, count) => sum + count, 0);
      const percent = (sum: number) => (100 * sum) / 255 / pixels;
      const [cyan, magenta, yellow, black] = [...plates].map(percent);
      return {
        inkMaxPercent: (100 * highestLevel(totals, OUTLIERS * pixels)) / 255,
        originalMaxPercent: (100 * highestLevel(found, OUTLIERS * pixels)) / 255,
        limit,
        inkMeanPercent: percent(plates.reduce((sum, ink) => sum + ink, 0)),
        platesPercent: { cyan: cyan!, magenta: magenta!, yellow: yellow!, black: black! },
        outOfGamutShare: missed / pixels,
        thinShare: thin.count() / pixels,
      };
    },
  };
}

function highestLevel(counts: Float64Array, outliers: number): number {
  let [level, above] = [counts.length - 1, 0];
  while (level > 0 && above + counts[level]! <= outliers) {
    above += counts[level]!;
    level -= 1;
  }
  return level;
}

/**
 * Counts pixels that differ in the same direction from both pixels `reach` away, horizontally or vertically. Buffers
 * only the rows that this needs.
 */
function createThinLineCounter(width: number, reach: number) {
  const rows = Array.from({ length: 2 * reach + 1 }, () => new Uint8Array(width));
  let [seen, found] = [0, 0];
  const row = (index: number): Uint8Array => rows[index % rows.length]!;
  return {
    nextRow: (): Uint8Array => row(seen),
    look(): void {
      seen += 1;
      const middle = seen - 1 - reach;
      if (middle < reach) return;
      const [above, tones, below] = [row(middle - reach), row(middle), row(middle + reach)];
      let more = 0;
      for (let x = reach; x < width - reach; x += 1) {
        const tone = tones[x]!;
        const left = tone - tones[x - reach]!;
        const up = tone - above[x]!;
        // Fast path: almost every pixel.
        if (left <= CONTRAST && left >= -CONTRAST && up <= CONTRAST && up >= -CONTRAST) continue;
        if (isExtreme(left, tone - tones[x + reach]!) || isExtreme(up, tone - below[x]!)) more += 1;
      }
      found += more;
    },
    count: (): number => found,
  };
}

/** Tests whether a tone is darker, or lighter, than both sides. */
const isExtreme = (one: number, other: number): boolean =>
  (one > CONTRAST && other > CONTRAST) || (one < -CONTRAST && other < -CONTRAST);

/** Adds ink that was measured elsewhere to a report, such as CMYK content that stays vector. */
export const withMeasuredInk = (inks: InkReport, percent: number): InkReport => ({
  ...inks,
  inkMaxPercent: Math.max(inks.inkMaxPercent, percent),
  originalMaxPercent: Math.max(inks.originalMaxPercent, percent),
});
