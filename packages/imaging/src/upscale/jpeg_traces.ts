import type { Size } from '../pixels/plane.ts';

/**
 * Detects earlier JPEG compression in the pixels of an image that may have been re-encoded or cropped. JPEG quantises each coefficient of
 * its 8 × 8 blocks to a multiple of a step; after decoding, coefficients remain close to those multiples, but only on the original block
 * grid. Z. Fan, R. de Queiroz, Identification of Bitmap Compression History, 2003
 */
export interface JpegTraces {
  /** On the scale of the Independent JPEG Group, 1 to 100. */
  readonly quality: number;
  /** Position of the first complete block. */
  readonly left: number;
  readonly top: number;
}

const BLOCK = 8;
const PHASES = BLOCK ** 2;
/** Low frequencies, [down, across], with their steps at quality 50 (ITU-T T.81, table K.1): most image energy is there. */
const FREQUENCIES = [
  [0, 1, 11],
  [1, 0, 12],
  [1, 1, 12],
  [0, 2, 10],
  [2, 0, 14],
  [1, 2, 14],
  [2, 1, 13],
  [2, 2, 16],
] as const;
const HIGHEST = 2;
/** Range of detectable steps. A step of 1 leaves no trace, because decoded pixels are integers. */
const STEPS = { from: 2, to: 60 } as const;
/** Histogram bins per level, and the largest level counted. */
const PER_LEVEL = 4;
const LEVELS = 160;
/** Nonzero coefficients needed to estimate a step. */
const COUNT_MIN = 60;
/**
 * Threshold of the mean cosine of the phase between two multiples, 1 on a multiple. Rounding to whole levels leaves 0.55 at a step of 2,
 * 0.8 at 3 and 0.9 from 5 on.
 */
const combMin = (step: number): number => (step < 4 ? 0.35 : 0.6);
/** Frequencies that must agree on the quality: a drawing may have two or three coefficients that are equal in every block. */
const AGREEING_MIN = 4;
const AGREEING_FACTOR = 1.6;
/** Uniform colours show steps on any grid, a compressed image only on its own. */
const GRIDS_MAX = 2;

/**
 * Detects a block grid. Undefined if there is none: never compressed, above a quality of about 93, or resized since.
 * @param luma BT.601, 0 to 255
 */
export function findJpegTraces(luma: Float32Array, { width, height }: Size): JpegTraces | undefined {
  if (width < 4 * BLOCK || height < 4 * BLOCK) return undefined;
  const counts = countCoefficients(luma, { width, height });
  let best = { strength: 0, phase: 0, percent: 0 };
  let grids = 0;
  for (let phase = 0; phase < PHASES; phase += 1) {
    const found = FREQUENCIES.flatMap(([, , usual], at) => {
      const step = findStep(counts[at]!.subarray(phase * BINS, (phase + 1) * BINS));
      return step ? [{ comb: step.comb, percent: (100 * step.step) / usual }] : [];
    }).sort((one, other) => one.percent - other.percent);
    const percent = found[found.length >> 1]?.percent ?? 0;
    const agreeing = found.filter(
      (one) => Math.max(one.percent / percent, percent / one.percent) <= AGREEING_FACTOR,
    );
    const strength = agreeing.reduce((sum, { comb }) => sum + comb, 0);
    if (agreeing.length < AGREEING_MIN) continue;
    grids += 1;
    if (strength > best.strength) best = { strength, phase, percent };
  }
  if (grids === 0 || grids > GRIDS_MAX) return undefined;
  const { percent, phase } = best;
  return { quality: qualityOf(percent), left: phase % BLOCK, top: Math.floor(phase / BLOCK) };
}

/** Quality whose table has steps of this percentage of those at quality 50. */
export const qualityOf = (percent: number): number =>
  Math.max(1, Math.round(percent <= 100 ? 100 - percent / 2 : 5000 / percent));

interface StepEstimate {
  readonly step: number;
  readonly comb: number;
}

const BINS = 2 * LEVELS * PER_LEVEL + 1;

/** Coefficient histograms per frequency, for each of the 64 possible grid offsets. */
function countCoefficients(luma: Float32Array, { width, height }: Size): Uint32Array[] {
  const basis = Array.from({ length: HIGHEST + 1 }, (_, frequency) =>
    Float32Array.from({ length: BLOCK }, (_, at) => {
      const share = frequency === 0 ? Math.sqrt(1 / BLOCK) : Math.sqrt(2 / BLOCK);
      return share * Math.cos(((2 * at + 1) * frequency * Math.PI) / (2 * BLOCK));
    }),
  );
  const columns = width - BLOCK + 1;
  const across = basis.map((wave) => {
    const sums = new Float32Array(columns * height);
    for (let y = 0; y < height; y += 1)
      for (let x = 0; x < columns; x += 1) {
        let sum = 0;
        for (let at = 0; at < BLOCK; at += 1) sum += wave[at]! * luma[y * width + x + at]!;
        sums[y * columns + x] = sum;
      }
    return sums;
  });
  return FREQUENCIES.map(([down, right]) => {
    const counts = new Uint32Array(PHASES * BINS);
    const [wave, sums] = [basis[down]!, across[right]!];
    for (let y = 0; y + BLOCK <= height; y += 1)
      for (let x = 0; x < columns; x += 1) {
        let sum = 0;
        for (let at = 0; at < BLOCK; at += 1) sum += wave[at]! * sums[(y + at) * columns + x]!;
        const bin = Math.round(sum * PER_LEVEL) + LEVELS * PER_LEVEL;
        if (bin >= 0 && bin < BINS) counts[((y & 7) * BLOCK + (x & 7)) * BINS + bin]! += 1;
      }
    return counts;
  });
}

/**
 * Per step, the cosine of a coefficient's phase between two multiples; 0 for coefficients quantised to 0, which are the majority in any
 * image.
 */
const COMBS: readonly {
  readonly step: number;
  readonly cosines: Float32Array;
  readonly counts: Uint8Array;
}[] = Array.from({ length: STEPS.to - STEPS.from + 1 }, (_, at) => {
  const step = STEPS.to - at;
  const levels = Array.from({ length: BINS }, (_, bin) => bin / PER_LEVEL - LEVELS);
  return {
    step,
    cosines: Float32Array.from(levels, (level) => Math.cos((2 * Math.PI * level) / step)),
    counts: Uint8Array.from(levels, (level) => Number(Math.abs(level) >= step / 2)),
  };
});

/** The largest step to whose multiples the coefficients are close. */
function findStep(numbers: Uint32Array): StepEstimate | undefined {
  const bins: number[] = [];
  for (let bin = 0; bin < BINS; bin += 1) if (numbers[bin]! > 0) bins.push(bin);
  for (const { step, cosines, counts } of COMBS) {
    let [sum, count] = [0, 0];
    for (const bin of bins)
      if (counts[bin]) {
        sum += numbers[bin]! * cosines[bin]!;
        count += numbers[bin]!;
      }
    if (count >= COUNT_MIN && sum >= combMin(step) * count) return { step, comb: sum / count };
  }
  return undefined;
}
