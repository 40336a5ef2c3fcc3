import { lumaPlane } from '../pixels/luma.ts';
import type { Raster } from '../pixels/raster.ts';
import { meanOf, type Planes, quantile } from './planes.ts';

/** Plain margins, as fractions of the sides. */
export interface Margins {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

/** Technical quality of the file as a reproduction. */
export interface Reproduction {
  /** Shares of the image at the top and bottom of the scale. */
  readonly clippedLight: number;
  readonly clippedDark: number;
  /** Standard deviation of grain or noise in 8-bit steps. */
  readonly noise: number;
  /** 0 sharp to 1 blurred. */
  readonly blur: number;
  /** Ratio of the steps on JPEG's 8-pixel grid to those next to it; 1 is no difference. */
  readonly blocks: number;
  readonly margins?: Margins;
  /** Tint of near-white areas, if the image has any. */
  readonly cast?: 'yellowish' | 'reddish' | 'bluish' | 'greenish';
  readonly flaws: readonly string[];
}

const SCALED = 640;

/**
 * Measures noise, blur, block artefacts, margins and colour cast. @param whole at up to 640 pixels @param light L* above which its lightest twentieth
 * is @param detail a central part at full resolution
 */
export function measureReproduction(
  whole: Planes,
  light: number,
  rgb: Uint8Array,
  detail: Raster,
  longSide: number,
): Reproduction {
  const clipped = clippingOf(rgb);
  const grey = lumaPlane(detail).data;
  const noise = noiseOf(grey, detail.width, detail.height);
  const blur = blurOf(grey, detail.width, detail.height);
  const blocks = blocksOf(grey, detail.width, detail.height);
  const margins = marginsOf(whole);
  const cast = castOf(whole, light);
  const found = { ...clipped, noise, blur, blocks, ...(margins && { margins }), ...(cast && { cast }) };
  return { ...found, flaws: flawsOf(found, longSide) };
}

function clippingOf(rgb: Uint8Array) {
  let [light, dark] = [0, 0];
  for (let at = 0; at < rgb.length; at += 3) {
    const [red, green, blue] = [rgb[at]!, rgb[at + 1]!, rgb[at + 2]!];
    if (red >= 254 && green >= 254 && blue >= 254) light++;
    else if (red <= 1 && green <= 1 && blue <= 1) dark++;
  }
  return { clippedLight: (3 * light) / rgb.length, clippedDark: (3 * dark) / rgb.length };
}

const ALIKE = 0.5;

/**
 * Source: Immerkær, "Fast noise variance estimation", 1996: the difference of two Laplacians, which is insensitive to slopes. Applied to the flattest
 * tenth of all 8 × 8 patches, because the texture of a painting is not noise.
 */
function noiseOf(grey: Float32Array, width: number, height: number): number {
  const patches: number[] = [];
  for (let top = 1; top + 8 < height; top += 8)
    for (let left = 1; left + 8 < width; left += 8) {
      let sum = 0;
      for (let y = top; y < top + 8; y++)
        for (let x = left; x < left + 8; x++) {
          const at = y * width + x;
          const [above, below] = [at - width, at + width];
          const cross = grey[at - 1]! + grey[at + 1]! + grey[above]! + grey[below]!;
          const corners = grey[above - 1]! + grey[above + 1]! + grey[below - 1]! + grey[below + 1]!;
          sum += Math.abs(corners - 2 * cross + 4 * grey[at]!);
        }
      patches.push((Math.sqrt(Math.PI / 2) * sum) / (6 * 64));
    }
  if (patches.length < 16) return 0;
  patches.sort((one, other) => one - other);
  const quiet = meanOf(patches.slice(0, Math.ceil(patches.length / 10)));
  // Noise is uniform; variation between patches is image content.
  return quiet > ALIKE * quantile(patches, 0.5) || quiet < 2 ? quiet : 0;
}

/**
 * How little the differences between neighbours shrink when the image is blurred again. Source: Crété-Roffet and others, "The blur effect", 2007,
 * with its mean over nine neighbours.
 */
function blurOf(grey: Float32Array, width: number, height: number): number {
  if (Math.min(width, height) < 24) return 0;
  const blurAlong = (step: number) => {
    let [all, lost] = [0, 0];
    for (let y = 5; y < height - 5; y++)
      for (let x = 5; x < width - 5; x++) {
        const at = y * width + x;
        const here = Math.abs(grey[at]! - grey[at - step]!);
        // Adjacent means of nine share all but their ends.
        const blurred = Math.abs(grey[at + 4 * step]! - grey[at - 5 * step]!) / 9;
        all += here;
        lost += Math.max(0, here - blurred);
      }
    return all > 0 ? 1 - lost / all : 0;
  };
  return Math.max(blurAlong(1), blurAlong(width));
}

/** Source: Wang, Sheikh and Bovik, "No-reference perceptual quality assessment of JPEG compressed images", 2002. */
function blocksOf(grey: Float32Array, width: number, height: number): number {
  const sums = new Float64Array(8);
  const counts = new Float64Array(8);
  for (let y = 0; y < height; y++)
    for (let x = 1; x < width; x++) {
      sums[x % 8]! += Math.abs(grey[y * width + x]! - grey[y * width + x - 1]!);
      counts[x % 8]!++;
    }
  if (width < 32 || height < 32) return 1;
  const means = Array.from(sums, (sum, phase) => sum / counts[phase]!).sort((one, other) => one - other);
  const typical = (means[3]! + means[4]!) / 2;
  return typical > 0.05 ? means[7]! / typical : 1;
}

const MARGIN_MIN = 0.015;

/** Width of the plain border at each side. */
function marginsOf({ width, height, lightness, a, b }: Planes): Reproduction['margins'] {
  const isPlain = (place: (along: number) => number, length: number) => {
    let [sum, squares, tint] = [0, 0, 0];
    const first = place(0);
    for (let along = 0; along < length; along++) {
      const at = place(along);
      sum += lightness[at]!;
      squares += lightness[at]! ** 2;
      tint = Math.max(tint, Math.abs(a[at]! - a[first]!) + Math.abs(b[at]! - b[first]!));
    }
    return squares / length - (sum / length) ** 2 < 4 && tint < 0.05;
  };
  const depth = (plain: (step: number) => boolean, most: number) => {
    let step = 0;
    while (step < most && plain(step)) step++;
    return step === most ? 0 : step / most / 2;
  };
  const row = (y: number) => isPlain((x) => y * width + x, width);
  const column = (x: number) => isPlain((y) => y * width + x, height);
  const margins = {
    top: depth((step) => row(step), height >> 1),
    right: depth((step) => column(width - 1 - step), width >> 1),
    bottom: depth((step) => row(height - 1 - step), height >> 1),
    left: depth((step) => column(step), width >> 1),
  };
  const has = (part: number) => part >= MARGIN_MIN;
  const opposite = (has(margins.top) && has(margins.bottom)) || (has(margins.left) && has(margins.right));
  return opposite ? margins : undefined;
}

/** Mean tint of the lightest twentieth, if it is light and nearly white. */
function castOf({ lightness, a, b }: Planes, light: number): Reproduction['cast'] {
  const bound = Math.max(80, light);
  let [sumA, sumB, count] = [0, 0, 0];
  for (let at = 0; at < lightness.length; at++) {
    const value = lightness[at]!;
    if (value < bound || value > 99.5 || a[at]! ** 2 + b[at]! ** 2 > 0.07 ** 2) continue;
    sumA += a[at]!;
    sumB += b[at]!;
    count++;
  }
  if (count < 0.01 * lightness.length) return undefined;
  const [meanA, meanB] = [sumA / count, sumB / count];
  if (Math.hypot(meanA, meanB) < 0.02) return undefined;
  if (Math.abs(meanB) > Math.abs(meanA)) return meanB > 0 ? 'yellowish' : 'bluish';
  return meanA > 0 ? 'reddish' : 'greenish';
}

function flawsOf(found: Omit<Reproduction, 'flaws'>, longSide: number): string[] {
  const { clippedLight, clippedDark, noise, blur, blocks } = found;
  const percent = (part: number) => `${Math.round(100 * part)}%`;
  return [
    ...(longSide < SCALED ? [`small: ${longSide} pixels on the long side`] : []),
    ...(clippedLight > 0.02 ? [`${percent(clippedLight)} pure white without detail`] : []),
    ...(clippedDark > 0.02 ? [`${percent(clippedDark)} pure black without detail`] : []),
    ...(noise > 5 ? ['visible noise'] : []),
    ...(blur > 0.55 ? ['soft at full size'] : []),
    ...(blocks > 1.35 ? ['visible compression blocks'] : []),
  ];
}
