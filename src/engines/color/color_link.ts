import { rankByFraction } from './rank_by_fraction.ts';

/** A conversion between colours of 8-bit samples, worked out at the nodes of a grid and interpolated between them. */
export interface ColorLink {
  readonly inputs: 3 | 4;
  readonly outputs: number;
  /** Nodes a side. */
  readonly grid: number;
  /** `grid ** inputs * outputs` values from 0 to 255, the first input slowest. */
  readonly nodes: Float32Array;
}

/** Nodes a side: fine enough that the error against the exact way is below what 8 bits hold for nearly all colours. */
const GRIDS = { 3: 33, 4: 15 } as const;

/** Works a link out. `convert` takes 8-bit samples (not rounded) and writes its results into `out`. */
export function linkOf(
  inputs: 3 | 4,
  outputs: number,
  convert: (samples: Readonly<Float64Array>, out: Float64Array) => void,
): ColorLink {
  const grid = GRIDS[inputs];
  const count = grid ** inputs;
  const nodes = new Float32Array(count * outputs);
  const samples = new Float64Array(inputs);
  const out = new Float64Array(outputs);
  for (let node = 0; node < count; node += 1) {
    let rest = node;
    for (let input = inputs - 1; input >= 0; input -= 1) {
      samples[input] = (255 * (rest % grid)) / (grid - 1);
      rest = Math.floor(rest / grid);
    }
    convert(samples, out);
    nodes.set(out, node * outputs);
  }
  return { inputs, outputs, grid, nodes };
}

/**
 * Converts pixels, samples side by side, by interpolation over the simplex each colour lies in (tetrahedra where there
 * are three inputs). @returns one byte a sample
 */
export function applyLink(link: ColorLink, pixels: Uint8Array | Uint8ClampedArray): Uint8ClampedArray {
  const { inputs, outputs } = link;
  const count = pixels.length / inputs;
  const converted = new Uint8ClampedArray(count * outputs);
  const write = inputs === 3 ? throughTetrahedra(link) : throughSimplices(link);
  for (let pixel = 0; pixel < count; pixel += 1) write(pixels, pixel * inputs, converted, pixel * outputs);
  return converted;
}

type Write = (from: Uint8Array | Uint8ClampedArray, at: number, to: Uint8ClampedArray, out: number) => void;

/** For each byte: the node below it, and how far beyond that it lies. */
function placesOf(grid: number): { below: Int32Array; beyond: Float32Array } {
  const [below, beyond] = [new Int32Array(256), new Float32Array(256)];
  for (let byte = 0; byte < 256; byte += 1) {
    const place = (byte * (grid - 1)) / 255;
    below[byte] = Math.min(grid - 2, Math.floor(place));
    beyond[byte] = place - below[byte]!;
  }
  return { below, beyond };
}

/** The common case, without loops: millions of pixels pass through it. */
function throughTetrahedra({ nodes, grid, outputs }: ColorLink): Write {
  const { below, beyond } = placesOf(grid);
  const [x1, y1, z1] = [grid * grid * outputs, grid * outputs, outputs];
  return (from, at, to, out) => {
    const [r, g, b] = [from[at]!, from[at + 1]!, from[at + 2]!];
    const x = beyond[r]!;
    const y = beyond[g]!;
    const z = beyond[b]!;
    const n0 = below[r]! * x1 + below[g]! * y1 + below[b]! * z1;
    const n3 = n0 + x1 + y1 + z1;
    let n1: number;
    let n2: number;
    let [large, middle, small] = [x, y, z];
    if (x >= y) {
      if (y >= z) [n1, n2] = [n0 + x1, n0 + x1 + y1];
      else if (x >= z) [n1, n2, middle, small] = [n0 + x1, n0 + x1 + z1, z, y];
      else [n1, n2, large, middle, small] = [n0 + z1, n0 + z1 + x1, z, x, y];
    } else if (x >= z) [n1, n2, large, middle, small] = [n0 + y1, n0 + y1 + x1, y, x, z];
    else if (y >= z) [n1, n2, large, middle, small] = [n0 + y1, n0 + y1 + z1, y, z, x];
    else [n1, n2, large, middle, small] = [n0 + z1, n0 + z1 + y1, z, y, x];
    const [w0, w1, w2] = [1 - large, large - middle, middle - small];
    for (let output = 0; output < outputs; output += 1)
      to[out + output] =
        w0 * nodes[n0 + output]! +
        w1 * nodes[n1 + output]! +
        w2 * nodes[n2 + output]! +
        small * nodes[n3 + output]!;
  };
}

function throughSimplices({ nodes, grid, inputs, outputs }: ColorLink): Write {
  const { below, beyond } = placesOf(grid);
  const steps = Array.from({ length: inputs }, (_, input) => grid ** (inputs - 1 - input) * outputs);
  const order = new Int32Array(inputs);
  const fractions = new Float64Array(inputs);
  return (from, at, to, out) => {
    let node = 0;
    for (let input = 0; input < inputs; input += 1) {
      const byte = from[at + input]!;
      node += below[byte]! * steps[input]!;
      fractions[input] = beyond[byte]!;
      rankByFraction(order, fractions, input);
    }
    for (let output = 0; output < outputs; output += 1) {
      let place = node + output;
      let value = nodes[place]!;
      for (let rank = 0; rank < inputs; rank += 1) {
        const next = place + steps[order[rank]!]!;
        value += fractions[order[rank]!]! * (nodes[next]! - nodes[place]!);
        place = next;
      }
      to[out + output] = value;
    }
  };
}
