/** Regions of about equal size and uniform colour, with the properties that saliency needs. */
export interface Superpixels {
  readonly count: number;
  /** Superpixel of every pixel. */
  readonly labels: Int32Array;
  /** Interleaved OKLab. */
  readonly colors: Float32Array;
  /** Interleaved centres, as fractions of the longest side. */
  readonly centres: Float32Array;
  /** Border pixels of each superpixel; the lower border has less weight. */
  readonly edgePixels: Float32Array;
  /** Pairs of adjacent superpixels, each once, interleaved. */
  readonly touching: Int32Array;
}

interface Lab {
  readonly width: number;
  readonly height: number;
  /** Interleaved OKLab. */
  readonly lab: Float32Array;
}

const ROUNDS = 6;
/** SLIC compactness: an OKLab distance of 0.1 weighs as much as one grid step. */
const COMPACTNESS = 0.1;
/** Objects usually stand on something, so the lower border is less reliable background than the others. */
const LOWER_EDGE = 0.2;

/**
 * Source: Achanta and others, "SLIC superpixels", 2012: k-means over colour and position, each centre searching two grid steps around it;
 * fragments join a neighbour.
 */
export function superpixels(picture: Lab, target: number): Superpixels {
  const { width, height } = picture;
  const step = Math.max(2, Math.sqrt((width * height) / target));
  const columns = Math.max(1, Math.round(width / step));
  const rows = Math.max(1, Math.round(height / step));
  let centres = startingCentres(picture, columns, rows);
  let labels: Int32Array = new Int32Array(width * height);
  for (let round = 0; round < ROUNDS; round++) {
    labels = assign(picture, centres, { step, columns, rows });
    centres = means(picture, labels, columns * rows, centres);
  }
  return describe(picture, connectPieces(labels, picture, (step * step) / 4));
}

/** Five values per centre: three of colour, two of position. */
function startingCentres({ width, height, lab }: Lab, columns: number, rows: number): Float32Array {
  const centres = new Float32Array(columns * rows * 5);
  for (let at = 0; at < columns * rows; at++) {
    const x = Math.floor((((at % columns) + 0.5) * width) / columns);
    const y = Math.floor(((Math.floor(at / columns) + 0.5) * height) / rows);
    centres.set(lab.subarray((y * width + x) * 3, (y * width + x) * 3 + 3), at * 5);
    centres.set([x, y], at * 5 + 3);
  }
  return centres;
}

/** Each pixel considers the nine centres of the surrounding grid cells. */
function assign(
  { width, height, lab }: Lab,
  centres: Float32Array,
  { step, columns, rows }: { step: number; columns: number; rows: number },
): Int32Array {
  const labels = new Int32Array(width * height);
  const nearness = (COMPACTNESS / step) ** 2;
  for (let pixel = 0; pixel < labels.length; pixel++) {
    const x = pixel % width;
    const y = Math.floor(pixel / width);
    const column = Math.floor((x * columns) / width);
    const row = Math.floor((y * rows) / height);
    const light = lab[pixel * 3]!;
    const a = lab[pixel * 3 + 1]!;
    const b = lab[pixel * 3 + 2]!;
    const right = Math.min(columns - 1, column + 1);
    const bottom = Math.min(rows - 1, row + 1);
    let minimum = Number.POSITIVE_INFINITY;
    let nearest = 0;
    for (let v = Math.max(0, row - 1); v <= bottom; v++) {
      for (let u = Math.max(0, column - 1); u <= right; u++) {
        const at = (v * columns + u) * 5;
        const distance =
          (light - centres[at]!) ** 2 +
          (a - centres[at + 1]!) ** 2 +
          (b - centres[at + 2]!) ** 2 +
          nearness * ((x - centres[at + 3]!) ** 2 + (y - centres[at + 4]!) ** 2);
        if (distance >= minimum) continue;
        minimum = distance;
        nearest = v * columns + u;
      }
    }
    labels[pixel] = nearest;
  }
  return labels;
}

function means({ width, lab }: Lab, labels: Int32Array, count: number, before: Float32Array): Float32Array {
  const sums = new Float32Array(count * 5);
  const sizes = new Float32Array(count);
  for (let pixel = 0; pixel < labels.length; pixel++) {
    const at = labels[pixel]! * 5;
    sizes[labels[pixel]!]!++;
    sums[at]! += lab[pixel * 3]!;
    sums[at + 1]! += lab[pixel * 3 + 1]!;
    sums[at + 2]! += lab[pixel * 3 + 2]!;
    sums[at + 3]! += pixel % width;
    sums[at + 4]! += Math.floor(pixel / width);
  }
  return sums.map((sum, at) =>
    sizes[Math.floor(at / 5)]! > 0 ? sum / sizes[Math.floor(at / 5)]! : before[at]!,
  );
}

/** Labels connected components; those smaller than `least` take the label of the component before them. */
function connectPieces(
  labels: Int32Array,
  { width, height }: Lab,
  minimum: number,
): { labels: Int32Array; count: number } {
  const pieces = new Int32Array(labels.length).fill(-1);
  const stack = new Int32Array(labels.length);
  let count = 0;
  for (let start = 0; start < labels.length; start++) {
    if (pieces[start]! >= 0) continue;
    const before = start % width > 0 ? pieces[start - 1]! : start >= width ? pieces[start - width]! : -1;
    let [size, done] = [1, 0];
    stack[0] = start;
    pieces[start] = count;
    while (done < size) {
      const pixel = stack[done++]!;
      const x = pixel % width;
      for (const other of [
        x > 0 ? pixel - 1 : -1,
        x < width - 1 ? pixel + 1 : -1,
        pixel - width,
        pixel + width,
      ]) {
        if (other < 0 || other >= width * height || pieces[other]! >= 0 || labels[other] !== labels[start])
          continue;
        pieces[other] = count;
        stack[size++] = other;
      }
    }
    if (size < minimum && before >= 0) for (let at = 0; at < size; at++) pieces[stack[at]!] = before;
    else count++;
  }
  return { labels: pieces, count };
}

function describe(picture: Lab, { labels, count }: { labels: Int32Array; count: number }): Superpixels {
  const { width, height } = picture;
  const centres = means(picture, labels, count, new Float32Array(count * 5));
  const longest = Math.max(width, height);
  const edgePixels = new Float32Array(count);
  const touching = new Set<number>();
  const touch = (one: number, other: number) => {
    if (one !== other) touching.add(Math.min(one, other) * count + Math.max(one, other));
  };
  for (let pixel = 0; pixel < labels.length; pixel++) {
    const x = pixel % width;
    const y = Math.floor(pixel / width);
    const label = labels[pixel]!;
    if (x === 0 || y === 0 || x === width - 1) edgePixels[label]!++;
    else if (y === height - 1) edgePixels[label]! += LOWER_EDGE;
    if (x < width - 1) touch(label, labels[pixel + 1]!);
    if (y < height - 1) touch(label, labels[pixel + width]!);
  }
  return {
    count,
    labels,
    colors: Float32Array.from({ length: count * 3 }, (_, at) => centres[Math.floor(at / 3) * 5 + (at % 3)]!),
    centres: Float32Array.from(
      { length: count * 2 },
      (_, at) => centres[Math.floor(at / 2) * 5 + 3 + (at % 2)]! / longest,
    ),
    edgePixels,
    touching: Int32Array.from([...touching].flatMap((pair) => [Math.floor(pair / count), pair % count])),
  };
}
