import type { Raster } from '../../pixels/raster.ts';

/** Colours of flat artwork, soft edges included; a photograph has more. */
const COLORS_MAX = 8192;

/** All colours of an image, including opacity, and the colour of each pixel. */
export interface ColorTable {
  readonly width: number;
  readonly height: number;
  /** Four channels per colour, premultiplied: mixtures are on the straight line between their two colours. */
  readonly values: Float64Array;
  readonly counts: readonly number[];
  readonly ids: Int32Array;
}

/** Returns the colours of an image. Undefined if there are too many for flat artwork. */
export function tabulateColors({ width, height, data }: Raster): ColorTable | undefined {
  const words = new Uint32Array(data.buffer, data.byteOffset, width * height);
  const known = new Map<number, number>();
  const ids = new Int32Array(words.length);
  const values: number[] = [];
  const counts: number[] = [];
  for (let pixel = 0; pixel < words.length; pixel++) {
    const alpha = data[4 * pixel + 3]!;
    const word = alpha === 0 ? 0 : words[pixel]!;
    let id = known.get(word);
    if (id === undefined) {
      id = counts.length;
      if (id === COLORS_MAX) return undefined;
      known.set(word, id);
      counts.push(0);
      for (let channel = 0; channel < 3; channel++) values.push((data[4 * pixel + channel]! * alpha) / 255);
      values.push(alpha);
    }
    counts[id]!++;
    ids[pixel] = id;
  }
  return { width, height, values: Float64Array.from(values), counts, ids };
}

/** Squared distance of two colours of a table. */
export function squareApart(values: Float64Array, one: number, other: number): number {
  let sum = 0;
  for (let channel = 0; channel < 4; channel++)
    sum += (values[4 * one + channel]! - values[4 * other + channel]!) ** 2;
  return sum;
}

/** How a colour mixes two others: the share of the second, and the squared distance from the nearest mixture. */
export function mixtureOf(values: Float64Array, mixed: number, one: number, other: number) {
  let [along, length] = [0, 0];
  for (let channel = 0; channel < 4; channel++) {
    const step = values[4 * other + channel]! - values[4 * one + channel]!;
    along += (values[4 * mixed + channel]! - values[4 * one + channel]!) * step;
    length += step * step;
  }
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, along / length));
  let off = 0;
  for (let channel = 0; channel < 4; channel++) {
    const from = values[4 * one + channel]!;
    off += (values[4 * mixed + channel]! - from - share * (values[4 * other + channel]! - from)) ** 2;
  }
  return { share, off };
}

/** Maximum deviation of a soft edge from a linear mixture, in 8-bit steps. */
const MIXTURE_OFF_MAX = 6;
/** Colours closer than this are gradient steps, not two colours of flat artwork. */
const STEP_MAX = 5;

/** Boundaries between the colours of an image, along rows and columns. */
export interface Meetings {
  /** Boundaries without a mixture, and how many of them are gradient steps. */
  readonly hard: number;
  readonly steps: number;
  /** Places where one pixel between two colours mixes them. */
  readonly soft: number;
  /** Pairs of different neighbours. */
  readonly unlike: number;
}

/** Counts how colours meet. */
export function countMeetings({ width, height, values, ids }: ColorTable): Meetings {
  const found = { hard: 0, steps: 0, soft: 0, unlike: 0 };
  const see = (before: number, one: number, other: number, after: number): void => {
    if (one === other) return;
    found.unlike++;
    if (squareApart(values, one, other) <= STEP_MAX ** 2) found.steps++;
    else if (before === one && other === after) found.hard++;
    if (before !== one && before !== other && before >= 0) {
      const { share, off } = mixtureOf(values, one, before, other);
      if (off <= MIXTURE_OFF_MAX ** 2 && share > 0 && share < 1) found.soft++;
    }
  };
  const at = (x: number, y: number): number =>
    x < 0 || y < 0 || x >= width || y >= height ? -1 : ids[y * width + x]!;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (x + 1 < width)
        see(at(x - 1, y), at(x, y), at(x + 1, y), x + 2 < width ? at(x + 2, y) : at(x + 1, y));
      if (y + 1 < height)
        see(at(x, y - 1), at(x, y), at(x, y + 1), y + 2 < height ? at(x, y + 2) : at(x, y + 1));
    }
  return found;
}

/** Colours that are drawn, and which of them each pixel has, or mostly has. */
export interface FlatAreas {
  /** Ids of the colours in the table. */
  readonly cores: readonly number[];
  /** Index of a core for each pixel. */
  readonly labels: Int16Array;
  /** Tests whether a pixel is a mixture of core colours. */
  readonly isMixed: Uint8Array;
  /** The other core of a mixture, and its share (0 to 255, below one half), which is not drawn there. */
  readonly others: Int16Array;
  readonly shares: Float32Array;
  /** The colours of all pixels. */
  readonly table: ColorTable;
}

/**
 * Share of core colour `one` in a pixel on its edge with `two`; -1 if the pixel is far from both. With a third colour
 * involved, the nearest mixture of the two.
 */
export function shareOf(areas: FlatAreas, pixel: number, one: number, two: number): number {
  const { labels, others, shares, isMixed, cores, table } = areas;
  const [label, other] = [labels[pixel]!, others[pixel]!];
  if (isMixed[pixel] === 0) return label === one ? 1 : label === two ? 0 : -1;
  if (label === one && other === two) return 1 - shares[pixel]!;
  if (label === two && other === one) return shares[pixel]!;
  const { share, off } = mixtureOf(table.values, table.ids[pixel]!, cores[one]!, cores[two]!);
  return off <= LINE_OFF_MIN ** 2 ? 1 - share : -1;
}

const CORES_MAX = 96;
/** Share of soft pixels above which an image is shaded or blurred. */
const MIXED_MAX = 0.4;
/** Minimum pixels of an artwork colour without a 2 × 2 block. */
const CORE_PIXELS_MIN = 4;
const ROUNDS = 8;
/**
 * Minimum distance of an artwork colour from every mixture, in 8-bit steps: where edges of three shapes coincide,
 * mixtures deviate up to this far.
 */
const LINE_OFF_MIN = 45;

/**
 * Finds the colours of flat artwork: those of 2 × 2 blocks, and those that no mixture of others explains. Every other
 * pixel is on a soft edge and belongs to the colour with the larger share. Undefined if no colours are found.
 */
export function findFlatAreas(table: ColorTable): FlatAreas | undefined {
  const cores = blockColors(table);
  if (cores.length === 0) return undefined;
  for (let round = 0; ; round++) {
    if (cores.length > CORES_MAX) return undefined;
    const areas = labelPixels(table, cores);
    if (areas.mixed > MIXED_MAX * table.ids.length) return undefined;
    const missing = round < ROUNDS ? mostUnexplained(table, areas) : undefined;
    if (missing === undefined) return areas.found;
    cores.push(missing);
  }
}

function blockColors({ width, height, ids, counts, values }: ColorTable): number[] {
  const blocks = new Int32Array(counts.length);
  for (let y = 0; y + 1 < height; y++)
    for (let x = 0, pixel = y * width; x + 1 < width; x++, pixel++) {
      const id = ids[pixel]!;
      if (ids[pixel + 1] === id && ids[pixel + width] === id && ids[pixel + width + 1] === id) blocks[id]!++;
    }
  const found = [...blocks.keys()].filter((id) => blocks[id]! > 0).sort((a, b) => counts[b]! - counts[a]!);
  // A translucent area is no flat colour that can be painted over another.
  return found.filter((id) => isSolid(values, id));
}

const isSolid = (values: Float64Array, id: number): boolean =>
  values[4 * id + 3] === 255 || values[4 * id + 3] === 0;

interface Labelled {
  readonly found: FlatAreas;
  /** Squared distance of each mixed pixel from its mixture. */
  readonly off: Float32Array;
  readonly mixed: number;
}

function labelPixels(table: ColorTable, cores: readonly number[]): Labelled {
  const { width, height, ids, counts } = table;
  const indexOf = new Int16Array(counts.length).fill(-1);
  for (const [index, id] of cores.entries()) indexOf[id] = index;
  const labels = Int16Array.from(ids, (id) => indexOf[id]!);
  const others = new Int16Array(ids.length).fill(-1);
  const isMixed = Uint8Array.from(labels, (label) => (label < 0 ? 1 : 0));
  const shares = new Float32Array(ids.length);
  const off = new Float32Array(ids.length);
  const pure = labels.slice();
  let mixed = 0;
  for (let pixel = 0; pixel < ids.length; pixel++) {
    if (isMixed[pixel] === 0) continue;
    const near = coresNear(pure, pixel, width, height);
    const best = bestMixture(table, cores, ids[pixel]!, near);
    const isSecond = best.share > 0.5;
    labels[pixel] = isSecond ? best.other : best.one;
    others[pixel] = isSecond ? best.one : best.other;
    shares[pixel] = isSecond ? 1 - best.share : best.share;
    off[pixel] = best.off;
    mixed++;
  }
  return { found: { cores, labels, isMixed, others, shares, table }, off, mixed };
}

/** Maximum distance to the two sides of a soft edge, in pixels. */
const NEAR = 2;

/** Core pixels around a pixel: its eight neighbours, or the next ring if fewer than two are cores. */
function coresNear(labels: Int16Array, pixel: number, width: number, height: number): number[] {
  const x = pixel % width;
  const y = (pixel - x) / width;
  const found: number[] = [];
  for (let reach = 1; reach <= NEAR && found.length < 2; reach++)
    for (let down = Math.max(0, y - reach); down <= Math.min(height - 1, y + reach); down++)
      for (let across = Math.max(0, x - reach); across <= Math.min(width - 1, x + reach); across++) {
        const label = labels[down * width + across]!;
        if (label >= 0 && !found.includes(label)) found.push(label);
      }
  return found;
}

/** Factor (squared distance) by which a mixture with a distant colour must fit better than one of adjacent colours. */
const FAR_GAIN = 16;

function bestMixture(
  { values }: ColorTable,
  cores: readonly number[],
  id: number,
  near: readonly number[],
): { one: number; other: number; share: number; off: number } {
  let best = { one: near[0] ?? 0, other: near[0] ?? 0, share: 0, off: Infinity };
  const weigh = (one: number, other: number, most: number): void => {
    const { share, off } = mixtureOf(values, id, cores[one]!, cores[other]!);
    if (off < Math.min(best.off, most)) best = { one, other, share, off };
  };
  for (const [index, one] of near.entries())
    for (const other of near.slice(index + (near.length > 1 ? 1 : 0))) weigh(one, other, Infinity);
  if (best.off <= MIXTURE_OFF_MAX ** 2) return best;
  const most = Math.min(MIXTURE_OFF_MAX ** 2, best.off / FAR_GAIN);
  for (const one of near) for (let other = 0; other < cores.length; other++) weigh(one, other, most);
  if (near.length === 0) for (let one = 0; one < cores.length; one++) weigh(one, one, Infinity);
  return best;
}

/**
 * Finds the colour that explains most unexplained pixels: pixels of lines, rather than single pixels where edges of
 * several shapes coincide.
 */
function mostUnexplained(
  { width, ids, counts, values }: ColorTable,
  { off, found }: Labelled,
): number | undefined {
  const missed = new Float64Array(counts.length);
  for (let pixel = 0; pixel < ids.length; pixel++) {
    if (found.isMixed[pixel] === 0 || off[pixel]! <= LINE_OFF_MIN ** 2) continue;
    const id = ids[pixel]!;
    const isAlone = [pixel - 1, pixel + 1, pixel - width, pixel + width].every((other) => ids[other] !== id);
    missed[id]! += (isAlone ? -1 : 1) * Math.sqrt(off[pixel]!);
  }
  let best: number | undefined;
  for (const [id, sum] of missed.entries())
    if (
      counts[id]! >= CORE_PIXELS_MIN &&
      isSolid(values, id) &&
      sum > (best === undefined ? 0 : missed[best]!)
    )
      best = id;
  return best;
}
