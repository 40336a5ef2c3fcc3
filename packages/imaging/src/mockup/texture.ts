import { layeredNoise, noise } from './noise.ts';

/** A tileable brightness texture with mean 1; it repeats after `side` samples. */
export interface Texture {
  readonly data: Float32Array;
  /** Samples per side, a power of two. */
  readonly side: number;
  /** Samples per scene unit. */
  readonly density: number;
}

const SIDE = 512;
const cache = new Map<string, Texture>();

/** Cached, because a texture is the same for every artwork. */
function cachedTexture(name: string, density: number, value: (x: number, y: number) => number): Texture {
  const key = `${name} ${density}`;
  const known = cache.get(key);
  if (known) return known;
  const data = new Float32Array(SIDE * SIDE);
  for (let at = 0; at < data.length; at += 1)
    data[at] = value((at % SIDE) / density, Math.floor(at / SIDE) / density);
  const made = { data, side: SIDE, density };
  cache.set(key, made);
  return made;
}

/** Blends noise with its own start, so that tiles have no visible seam. */
const seamless = (period: number, value: (x: number, y: number) => number) => (x: number, y: number) => {
  const [h, v] = [x / period, y / period];
  const blend = (one: number, other: number, share: number) =>
    (one * (1 - share) + other * share) / Math.sqrt((1 - share) ** 2 + share ** 2);
  return blend(
    blend(value(x, y), value(x - period, y), h),
    blend(value(x, y - period), value(x - period, y - period), h),
    v,
  );
};

/** Rounds to a whole number of periods per tile. */
const wholePeriods = (period: number, threads: number) =>
  (2 * Math.PI * Math.max(1, Math.round(threads * period))) / period;

/** Knitted cotton: fine ribs of loops, and fuzz. */
export function jersey(density: number): Texture {
  const period = SIDE / density;
  const grain = seamless(
    period,
    (x, y) => 0.6 * noise(x * 1.9, y * 0.9, 23) + 0.4 * noise(x / 2.2, y / 2.6, 29),
  );
  const wales = wholePeriods(period, 0.8);
  const courses = wholePeriods(period, 0.9);
  // Ribs finer than three samples would alias into moiré; fuzz takes their place.
  const ribs = density >= 3 ? 0.05 : 0.012;
  return cachedTexture('jersey', density, (x, y) => {
    const sway = 0.9 * Math.abs(Math.sin((y * courses) / 2));
    return 1 + ribs * Math.sin(x * wales + sway) + 0.06 * grain(x, y);
  });
}

/** Plain weave of thick yarn of varying thickness, with specks of seed as in raw cotton. */
export function plainWeave(density: number): Texture {
  const period = SIDE / density;
  const threads = wholePeriods(period, 0.5);
  const thick = seamless(period, (x, y) => noise(x * 0.9, y / 14, 31));
  const thin = seamless(period, (x, y) => noise(x / 14, y * 0.9, 37));
  const grain = seamless(period, (x, y) => layeredNoise(x * 1.4, y * 1.4, 2, 41));
  return cachedTexture('plain', density, (x, y) => {
    const over = Math.cos(x * threads) * Math.cos(y * threads);
    const gaps = Math.max(0, Math.cos(2 * x * threads)) * 0.5 + Math.max(0, Math.cos(2 * y * threads)) * 0.5;
    return 1 + 0.05 * over - 0.045 * (gaps - 0.32) + 0.06 * (thick(x, y) + thin(x, y)) + 0.05 * grain(x, y);
  });
}

/** Primed canvas: a weave half filled by its coat. */
export function primedCanvas(density: number): Texture {
  const period = SIDE / density;
  const threads = wholePeriods(period, 0.34);
  const yarn = seamless(period, (x, y) => noise(x * 0.7, y / 9, 43) + noise(x / 9, y * 0.7, 47));
  return cachedTexture('primed', density, (x, y) => {
    const over = Math.sin(x * threads) * Math.sin(y * threads);
    return 1 + 0.045 * over + 0.03 * yarn(x, y);
  });
}

/** Slight unevenness of card, paint and glazed ware. */
export function unevenCoat(density: number): Texture {
  const grain = seamless(SIDE / density, (x, y) => layeredNoise(x / 3, y / 3, 2, 53));
  return cachedTexture('coat', density, (x, y) => 1 + 0.012 * grain(x, y));
}

/** Cut edges of stacked paper; the sheets run along the surface. */
export function paperEdges(density: number): Texture {
  const period = SIDE / density;
  const grain = seamless(period, (x, y) => layeredNoise(x / 60, y / 1.1, 2, 59));
  const long = seamless(period, (x, y) => noise(x / 140, y / 4, 67));
  return cachedTexture('sheets', density, (x, y) => 1 + 0.1 * grain(x, y) + 0.07 * long(x, y));
}

/** Leaves, grass and grit below the pixel size. */
export function foliage(density: number): Texture {
  const grain = seamless(
    SIDE / density,
    (x, y) => 0.7 * noise(x * 1.15, y * 1.15, 61) + 0.5 * noise(x / 1.9, y / 1.7, 62),
  );
  return cachedTexture('leafage', density, (x, y) => 1 + 0.3 * grain(x, y));
}
