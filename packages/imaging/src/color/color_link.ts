import { rankByFraction } from './rank_by_fraction.ts';

/** A device link: a conversion of 8-bit colours, precomputed at grid nodes and interpolated between them. */
export interface ColorLink {
  readonly inputs: 3 | 4;
  readonly outputs: number;
  /** Nodes per axis. */
  readonly grid: number;
  /** `grid ** inputs * outputs` values from 0 to 255, the first input slowest. */
  readonly nodes: Float32Array;
}

/** Nodes per axis: fine enough that the interpolation error is below 8-bit precision for nearly all colours. */
const GRIDS = { 3: 33, 4: 15 } as const;

/** Computes a device link. `convert` takes 8-bit samples (unrounded) and writes its results into `out`. */
export function computeLink(
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
 * Converts interleaved pixels by simplex interpolation (tetrahedral for three inputs).
 * @returns one byte per sample, in `into` if it is given
 */
export function applyLink(
  link: ColorLink,
  pixels: Uint8Array | Uint8ClampedArray,
  into = new Uint8ClampedArray((pixels.length / link.inputs) * link.outputs),
): Uint8ClampedArray {
  if (link.inputs === 3) mixTetrahedra(link, pixels, into);
  else mixSimplices(link, pixels, into);
  return into;
}

type Convert = (link: ColorLink, from: Uint8Array | Uint8ClampedArray, to: Uint8ClampedArray) => void;

/** For each byte value: the node below it and the fractional distance beyond that node. */
function gridPositionsOf(grid: number): { below: Int32Array; beyond: Float64Array } {
  const [below, beyond] = [new Int32Array(256), new Float64Array(256)];
  for (let byte = 0; byte < 256; byte += 1) {
    const place = (byte * (grid - 1)) / 255;
    below[byte] = Math.min(grid - 2, Math.floor(place));
    beyond[byte] = place - below[byte]!;
  }
  return { below, beyond };
}
const GRID_POSITIONS = { 3: gridPositionsOf(GRIDS[3]), 4: gridPositionsOf(GRIDS[4]) } as const;

/** The common case, without loops over inputs: it handles hundreds of millions of pixels, many equal to their predecessor. */
const mixTetrahedra: Convert = ({ nodes, grid, outputs }, from, to) => {
  const { below, beyond } = GRID_POSITIONS[3];
  const [x1, y1, z1] = [grid * grid * outputs, grid * outputs, outputs];
  let [lastR, lastG, lastB] = [-1, -1, -1];
  for (let at = 0, out = 0; out < to.length; at += 3, out += outputs) {
    const r = from[at]!;
    const g = from[at + 1]!;
    const b = from[at + 2]!;
    if (r === lastR && g === lastG && b === lastB) {
      for (let output = out; output < out + outputs; output += 1) to[output] = to[output - outputs]!;
      continue;
    }
    lastR = r;
    lastG = g;
    lastB = b;
    const x = beyond[r]!;
    const y = beyond[g]!;
    const z = beyond[b]!;
    // The axis with the largest fraction is walked first, the one with the smallest last.
    const large = Math.max(x, y, z);
    const small = Math.min(x, y, z);
    const first = large === x ? x1 : large === y ? y1 : z1;
    const last = small === z ? z1 : small === y ? y1 : x1;
    const n0 = below[r]! * x1 + below[g]! * y1 + below[b]! * z1;
    const n1 = n0 + first;
    const n3 = n0 + x1 + y1 + z1;
    const n2 = n3 - last;
    const middle = x + y + z - large - small;
    const w0 = 1 - large;
    const w1 = large - middle;
    const w2 = middle - small;
    for (let output = 0; output < outputs; output += 1)
      to[out + output] =
        w0 * nodes[n0 + output]! +
        w1 * nodes[n1 + output]! +
        w2 * nodes[n2 + output]! +
        small * nodes[n3 + output]!;
  }
};

const mixSimplices: Convert = ({ nodes, grid, inputs, outputs }, from, to) => {
  const { below, beyond } = GRID_POSITIONS[4];
  const steps = Array.from({ length: inputs }, (_, input) => grid ** (inputs - 1 - input) * outputs);
  const order = new Int32Array(inputs);
  const fractions = new Float64Array(inputs);
  for (let at = 0, out = 0; out < to.length; at += inputs, out += outputs) {
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
  }
};
