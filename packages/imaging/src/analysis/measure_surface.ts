import { blurPlane, gradientOf, meanOf, type Planes } from './planes.ts';

export interface Surface {
  /** Share of the image on an edge. */
  readonly edges: number;
  /** Amount of detail in the image, not in the paint. */
  readonly texture: 'smooth' | 'little detail' | 'moderate detail' | 'dense detail';
  readonly edgeQuality: 'soft' | 'mixed' | 'crisp' | 'none';
  /** Share of edge steepness lost after slight blurring: near 1, edges are one pixel wide. */
  readonly crispness: number;
  /** Coherence of fine marks within small patches, 0 to 1. */
  readonly grain: number;
  /** Share of the image in patches of one uniform colour. */
  readonly flat: number;
  readonly cues: readonly SurfaceCue[];
}

export interface SurfaceCue {
  readonly cue:
    | 'flat areas of colour, as in graphic design or a print in few inks'
    | 'dark lines on a light ground, as in drawing, engraving or writing'
    | 'light marks on a dark ground'
    | 'one colour in many tones'
    | 'greys only, as in black-and-white photography or ink'
    | 'smooth continuous tone, as in photography or finely blended painting';
  readonly confidence: number;
}

const EDGE = 6;

/** Measures texture and edges, and derives cues about the technique. */
export function measureSurface({ width, height, lightness, a, b }: Planes): Surface {
  const gradient = gradientOf(lightness, width, height);
  const edges = meanOf(gradient.size.map((value) => (value > EDGE ? 1 : 0)));
  const softened = gradientOf(blurPlane(lightness, width, height, 1.5), width, height).size;
  const crispness = crispnessOf(gradient.size, softened);
  const flat = flatPart({ lightness, a, b }, width, height);
  const grain = grainOf(gradient, width, height);
  const detail = meanOf(gradient.size);
  return {
    edges,
    texture:
      detail < 1
        ? 'smooth'
        : detail < 2.5
          ? 'little detail'
          : detail < 5.5
            ? 'moderate detail'
            : 'dense detail',
    edgeQuality: edges < 0.004 ? 'none' : crispness > 0.68 ? 'crisp' : crispness > 0.5 ? 'mixed' : 'soft',
    crispness,
    grain,
    flat,
    cues: cuesOf({ lightness, a, b }, { flat, detail, edges }),
  };
}

function crispnessOf(sharp: Float32Array, soft: Float32Array): number {
  let [before, after] = [0, 0];
  for (let at = 0; at < sharp.length; at++) {
    const steepness = sharp[at]!;
    if (steepness <= EDGE) continue;
    before += steepness;
    after += soft[at]!;
  }
  return before > 0 ? Math.max(0, 1 - after / before) : 0;
}

type Colors = Pick<Planes, 'lightness' | 'a' | 'b'>;

/** Share of pixels identical to their right and lower neighbours. */
function flatPart({ lightness, a, b }: Colors, width: number, height: number): number {
  let same = 0;
  for (let y = 0; y < height - 1; y++)
    for (let x = 0; x < width - 1; x++) {
      const at = y * width + x;
      const isSame = (other: number) =>
        Math.abs(lightness[at]! - lightness[other]!) < 0.4 &&
        Math.abs(a[at]! - a[other]!) + Math.abs(b[at]! - b[other]!) < 0.004;
      if (isSame(at + 1) && isSame(at + width)) same++;
    }
  return same / Math.max(1, (width - 1) * (height - 1));
}

/**
 * Mean coherence of the structure tensor over patches with texture but no outline. Source: Bigün and Granlund, "Optimal orientation detection of
 * linear symmetry", 1987.
 */
function grainOf({ x, y, size }: ReturnType<typeof gradientOf>, width: number, height: number): number {
  const smooth = (of: (at: number) => number) =>
    blurPlane(
      size.map((_, at) => of(at)),
      width,
      height,
      3,
    );
  const [xx, yy, xy] = [
    smooth((at) => x[at]! ** 2),
    smooth((at) => y[at]! ** 2),
    smooth((at) => x[at]! * y[at]!),
  ];
  let [sum, count] = [0, 0];
  for (let at = 0; at < xx.length; at++) {
    const energy = xx[at]! + yy[at]!;
    if (energy < 2 || energy > 60) continue;
    sum += Math.sqrt((xx[at]! - yy[at]!) ** 2 + 4 * xy[at]! ** 2) / energy;
    count++;
  }
  return count > 0.1 * xx.length ? sum / count : 0;
}

interface Found {
  readonly flat: number;
  readonly detail: number;
  readonly edges: number;
}

function cuesOf(colors: Colors, { flat, detail, edges }: Found): SurfaceCue[] {
  const cues: SurfaceCue[] = [];
  const ground = groundOf(colors.lightness);
  const tint = tintOf(colors);
  // In a colourful image, a large area of one lightness is a sky, a meadow or a dress, not paper.
  const isSheet = tint !== 'several' && ground.share > 0.55 && edges > 0.03;
  if (flat > 0.7 && edges > 0.002)
    cues.push({
      cue: 'flat areas of colour, as in graphic design or a print in few inks',
      confidence: Math.min(0.9, flat),
    });
  if (isSheet && ground.level > 60 && ground.darker > 0.04)
    cues.push({ cue: 'dark lines on a light ground, as in drawing, engraving or writing', confidence: 0.6 });
  if (isSheet && ground.level < 30 && ground.lighter > 0.04)
    cues.push({ cue: 'light marks on a dark ground', confidence: 0.6 });
  if (tint === 'grey')
    cues.push({ cue: 'greys only, as in black-and-white photography or ink', confidence: 0.95 });
  if (tint === 'one')
    cues.push({
      cue: 'one colour in many tones',
      confidence: 0.7,
    });
  if (flat < 0.6 && detail < 1.3 && cues.length === 0)
    cues.push({
      cue: 'smooth continuous tone, as in photography or finely blended painting',
      confidence: 0.5,
    });
  return cues;
}

/** The most common lightness, the share of the image within 10 of it, and the shares that are clearly darker and lighter. */
function groundOf(lightness: Float32Array) {
  const histogram = new Float64Array(101);
  for (const value of lightness) histogram[Math.round(Math.min(100, Math.max(0, value)))]!++;
  const near = (level: number) =>
    histogram.slice(Math.max(0, level - 10), level + 11).reduce((sum, count) => sum + count, 0);
  let level = 0;
  for (let candidate = 0; candidate <= 100; candidate++) if (near(candidate) > near(level)) level = candidate;
  const part = (from: number, to: number) =>
    histogram.slice(Math.max(0, from), Math.max(0, to)).reduce((sum, count) => sum + count, 0) /
    lightness.length;
  return {
    level,
    share: near(level) / lightness.length,
    darker: part(0, level - 25),
    lighter: part(level + 25, 101),
  };
}

/** Minimum OKLab chroma of a coloured pixel. */
const COLOURED = 0.015;

/** Whether the image has no hue, one faint hue as with inks and old papers, or several. */
function tintOf({ a, b }: Colors): 'grey' | 'one' | 'several' {
  let [sumA, sumB, all, coloured, strength] = [0, 0, 0, 0, 0];
  for (let at = 0; at < a.length; at++) {
    const chroma = Math.sqrt(a[at]! ** 2 + b[at]! ** 2);
    sumA += a[at]!;
    sumB += b[at]!;
    all += chroma;
    if (chroma < COLOURED) continue;
    coloured++;
    strength += chroma;
  }
  if (all / a.length < 0.006) return 'grey';
  const isFaint = strength < 0.06 * Math.max(1, coloured) && all / a.length < 0.045;
  return isFaint && Math.hypot(sumA, sumB) / all > 0.985 ? 'one' : 'several';
}
