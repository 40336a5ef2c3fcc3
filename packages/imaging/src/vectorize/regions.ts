/** Connected areas (sharing pixel sides) of one value. */
export interface Regions {
  readonly count: number;
  /** Region of each pixel. */
  readonly labels: Int32Array;
  /** Pixels grouped by region; those of region r are from `starts[r]` up to `starts[r + 1]`. */
  readonly pixels: Int32Array;
  readonly starts: Int32Array;
}

/** Difference of two values as ΔE_OK; 0 if equal. */
type Distance = (one: number, other: number) => number;

const JUST_NOTICEABLE = 0.02;
/**
 * Gives each region smaller than `areaMin` pixels the value of the larger neighbour it most belongs to: much common
 * border, small `distance`. Works on `values` itself.
 */
export function removeSpecks(
  values: Int16Array,
  width: number,
  areaMin: number,
  distance: Distance,
): Regions {
  let regions = findRegions(values, width);
  // The limit doubles, so that specks first merge with each other and the result is then reassigned.
  for (let limit = 2; hasSpecks(regions, areaMin); limit *= 2) {
    const heirs = findReplacements(values, width, regions, Math.min(limit, areaMin), distance);
    for (let pixel = 0; pixel < values.length; pixel++) {
      const heir = heirs[regions.labels[pixel]!]!;
      if (heir >= 0) values[pixel] = heir;
    }
    regions = findRegions(values, width);
  }
  return regions;
}

function hasSpecks({ count, starts }: Regions, areaMin: number): boolean {
  for (let region = 0; count > 1 && region < count; region++) {
    if (starts[region + 1]! - starts[region]! < areaMin) return true;
  }
  return false;
}

/** The connected areas of one value. */
export function findRegions(values: Int16Array, width: number): Regions {
  const labels = new Int32Array(values.length).fill(-1);
  const pixels = new Int32Array(values.length);
  const starts = new Int32Array(values.length + 1);
  let count = 0;
  let end = 0;
  for (let seed = 0; seed < values.length; seed++) {
    if (labels[seed]! >= 0) continue;
    starts[count] = end;
    end = flood({ values, width, labels, pixels }, seed, count++, end);
  }
  starts[count] = end;
  return { count, labels, pixels, starts };
}

interface Flooding {
  readonly values: Int16Array;
  readonly width: number;
  readonly labels: Int32Array;
  readonly pixels: Int32Array;
}

/** Labels everything connected to `seed`, listing it in `pixels` from `start`; returns where the list ends. */
function flood(
  { values, width, labels, pixels }: Flooding,
  seed: number,
  label: number,
  start: number,
): number {
  const value = values[seed]!;
  labels[seed] = label;
  pixels[start] = seed;
  let end = start + 1;
  for (let next = start; next < end; next++) {
    const pixel = pixels[next]!;
    for (let side = 0; side < 4; side++) {
      const other = neighbour(pixel, side, width, values.length);
      if (other < 0 || labels[other]! >= 0 || values[other] !== value) continue;
      labels[other] = label;
      pixels[end++] = other;
    }
  }
  return end;
}

/** Neighbour on one of the four sides; -1 outside the image. */
function neighbour(pixel: number, side: number, width: number, length: number): number {
  if (side === 0) return pixel >= width ? pixel - width : -1;
  if (side === 1) return pixel + width < length ? pixel + width : -1;
  const column = pixel % width;
  if (side === 2) return column > 0 ? pixel - 1 : -1;
  return column < width - 1 ? pixel + 1 : -1;
}

/** New value of each region below `limit` pixels; -1 if unchanged. */
function findReplacements(
  values: Int16Array,
  width: number,
  regions: Regions,
  limit: number,
  distance: Distance,
): Int32Array {
  const { count, starts, pixels } = regions;
  const heirs = new Int32Array(count).fill(-1);
  /** Length of the common border with each region; reset to zero between regions. */
  const borders = new Int32Array(count);
  for (let region = 0; region < count; region++) {
    if (starts[region + 1]! - starts[region]! >= limit) continue;
    const value = values[pixels[starts[region]!]!]!;
    let best = -1;
    for (const other of findLargerNeighbours(width, regions, region, borders)) {
      const otherValue = values[pixels[starts[other]!]!]!;
      // Likeness counts for more than border, or thin strokes dissolve into what surrounds them.
      const score = Math.sqrt(borders[other]!) / (JUST_NOTICEABLE + distance(value, otherValue)) ** 2;
      borders[other] = 0;
      if (score <= best) continue;
      best = score;
      heirs[region] = otherValue;
    }
  }
  return heirs;
}

/**
 * The larger neighbours of a region, with the length of the common border counted into `borders`. Among equals the
 * earlier counts as larger, or two would swap values for ever.
 */
function findLargerNeighbours(
  width: number,
  regions: Regions,
  region: number,
  borders: Int32Array,
): number[] {
  const { starts, pixels, labels } = regions;
  const area = starts[region + 1]! - starts[region]!;
  const found: number[] = [];
  for (let index = starts[region]!; index < starts[region + 1]!; index++) {
    for (let side = 0; side < 4; side++) {
      const pixel = neighbour(pixels[index]!, side, width, labels.length);
      if (pixel < 0) continue;
      const other = labels[pixel]!;
      const otherArea = starts[other + 1]! - starts[other]!;
      if (otherArea < area || (otherArea === area && other >= region)) continue;
      if (borders[other] === 0) found.push(other);
      borders[other]! += 1;
    }
  }
  return found;
}
