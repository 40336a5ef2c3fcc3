/** Connected areas (sharing pixel sides) of one value. */
export interface Regions {
  readonly count: number;
  /** Region of each pixel. */
  readonly labels: Int32Array;
  /** Pixels of each region. */
  readonly areas: Int32Array;
}

/** Labels the connected areas of `values`. */
export function findRegions(values: Int16Array, width: number): Regions {
  const labels = new Int32Array(values.length).fill(-1);
  const queue = new Int32Array(values.length);
  const areas: number[] = [];
  for (let start = 0; start < values.length; start++) {
    if (labels[start]! >= 0) continue;
    areas.push(flood({ values, width, labels, queue }, start, areas.length));
  }
  return { count: areas.length, labels, areas: Int32Array.from(areas) };
}

interface Flooding {
  readonly values: Int16Array;
  readonly width: number;
  readonly labels: Int32Array;
  readonly queue: Int32Array;
}

function flood({ values, width, labels, queue }: Flooding, start: number, label: number): number {
  const value = values[start]!;
  let end = 0;
  const reach = (pixel: number) => {
    if (values[pixel] !== value || labels[pixel]! >= 0) return;
    labels[pixel] = label;
    queue[end++] = pixel;
  };
  reach(start);
  for (let next = 0; next < end; next++) eachNeighbour(queue[next]!, width, values.length, reach);
  return end;
}

function eachNeighbour(pixel: number, width: number, length: number, visit: (pixel: number) => void): void {
  const column = pixel % width;
  if (column > 0) visit(pixel - 1);
  if (column < width - 1) visit(pixel + 1);
  if (pixel >= width) visit(pixel - width);
  if (pixel + width < length) visit(pixel + width);
}

const JUST_NOTICEABLE = 0.02;

/** How unlike two values are as ΔE_OK, 0 for equal ones. */
type Distance = (one: number, other: number) => number;

/** More areas than this make a drawing nobody can edit and browsers are slow to paint. */
const AREAS_MAX = 8000;

/**
 * Removes specks, at first those smaller than `areaMin` pixels, larger ones while more than `AREAS_MAX` areas are left,
 * as in noise. Works on `values` itself; `areaMin` of the answer is what was needed.
 */
export function boundAreas(
  values: Int16Array,
  width: number,
  areaMin: number,
  distance: Distance,
): { regions: Regions; areaMin: number } {
  let bound = areaMin;
  let regions = removeSpecks(values, width, bound, distance);
  while (regions.count > AREAS_MAX) {
    bound = Math.max(2, 2 * bound);
    regions = removeSpecks(values, width, bound, distance);
  }
  return { regions, areaMin: bound };
}

/**
 * Gives each region smaller than `areaMin` pixels the value of the larger neighbour it most belongs to: much common
 * border, small `distance`. Works on `values` itself and returns the regions that are left.
 */
function removeSpecks(values: Int16Array, width: number, areaMin: number, distance: Distance): Regions {
  let regions = findRegions(values, width);
  // A doubling bound, so that specks first grow together into shapes and are then given away as what they have become.
  for (let limit = 2; regions.areas.some((area) => area < areaMin) && regions.count > 1; limit *= 2) {
    const heirs = findHeirs(values, width, regions, Math.min(limit, areaMin), distance);
    for (let pixel = 0; pixel < values.length; pixel++) {
      const heir = heirs[regions.labels[pixel]!]!;
      if (heir >= 0) values[pixel] = heir;
    }
    regions = findRegions(values, width);
  }
  return regions;
}

/** The value each small region takes over, -1 where it stays as it is. */
function findHeirs(
  values: Int16Array,
  width: number,
  regions: Regions,
  limit: number,
  distance: Distance,
): Int32Array {
  const heirs = new Int32Array(regions.count).fill(-1);
  for (const [label, { value, neighbours }] of smallBorders(values, width, regions, limit)) {
    let best = -1;
    for (const neighbour of neighbours.values()) {
      // Likeness counts for more than border, or thin strokes dissolve into what surrounds them.
      const score = Math.sqrt(neighbour.length) / (JUST_NOTICEABLE + distance(value, neighbour.value)) ** 2;
      if (score <= best) continue;
      best = score;
      heirs[label] = neighbour.value;
    }
  }
  return heirs;
}

interface Border {
  readonly value: number;
  /** By region: its value and how many pixel sides are shared with it. */
  readonly neighbours: Map<number, { value: number; length: number }>;
}

/** The borders of each small region with larger ones; among equals the earlier counts as larger, or two would swap for ever. */
function smallBorders(
  values: Int16Array,
  width: number,
  { labels, areas }: Regions,
  limit: number,
): Map<number, Border> {
  const borders = new Map<number, Border>();
  const note = (label: number, pixel: number, other: number) => {
    const region = labels[other]!;
    const isLarger = areas[region]! > areas[label]! || (areas[region] === areas[label] && region < label);
    if (!isLarger) return;
    const border = borders.get(label) ?? { value: values[pixel]!, neighbours: new Map() };
    borders.set(label, border);
    const neighbour = border.neighbours.get(region) ?? { value: values[other]!, length: 0 };
    neighbour.length++;
    border.neighbours.set(region, neighbour);
  };
  for (let pixel = 0; pixel < values.length; pixel++) {
    const label = labels[pixel]!;
    if (areas[label]! < limit)
      eachNeighbour(pixel, width, values.length, (other) => note(label, pixel, other));
  }
  return borders;
}
