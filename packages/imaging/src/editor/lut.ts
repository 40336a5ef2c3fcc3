import { LUT_BYTES_MAX, LUT_SIDE_MAX } from './limits.ts';
import { invalidOperation } from './refuse.ts';

/** Colours of a lattice, red index fastest, as in .cube files. */
export interface Cube {
  readonly side: number;
  readonly colors: Float32Array;
  readonly least: readonly number[];
  readonly most: readonly number[];
}

const NUMBER = '[+-]?(?:\\d{1,9}(?:\\.\\d{0,12})?|\\.\\d{1,12})(?:[eE][+-]?\\d{1,2})?';
const TRIPLE = new RegExp(`^\\s*(${NUMBER})\\s+(${NUMBER})\\s+(${NUMBER})\\s*$`);

/**
 * Parses a three-dimensional .cube file. Adobe, "Cube LUT Specification 1.0", 2013.
 * @throws OperationRefused for anything else
 */
export function parseCube(text: string): Cube {
  if (text.length > LUT_BYTES_MAX)
    throw invalidOperation(`A .cube file has at most ${LUT_BYTES_MAX / 1024 / 1024} MB.`);
  let side = 0;
  let [least, most]: number[][] = [
    [0, 0, 0],
    [1, 1, 1],
  ];
  const values: number[] = [];
  for (const line of text.split(/\r?\n/)) {
    const triple = TRIPLE.exec(line)?.slice(1).map(Number);
    if (triple) values.push(...triple);
    const [, name, rest = ''] = /^\s*([A-Z_0-9]{4,20})\s+(.{1,200})$/.exec(line) ?? [];
    if (name === 'LUT_3D_SIZE') side = Number(rest);
    if (name === 'LUT_1D_SIZE')
      throw invalidOperation('The .cube file is one-dimensional. Send one with LUT_3D_SIZE.');
    const bound = TRIPLE.exec(rest)?.slice(1).map(Number);
    if (name === 'DOMAIN_MIN' && bound) least = bound;
    if (name === 'DOMAIN_MAX' && bound) most = bound;
  }
  if (!Number.isInteger(side) || side < 2 || side > LUT_SIDE_MAX)
    throw invalidOperation(`The file is not a .cube file with LUT_3D_SIZE from 2 to ${LUT_SIDE_MAX}.`);
  if (values.length !== 3 * side ** 3)
    throw invalidOperation(
      `The .cube file should have ${side ** 3} colours and has ${Math.floor(values.length / 3)}.`,
    );
  if (most!.some((value, at) => !(value > least![at]!)))
    throw invalidOperation('DOMAIN_MAX of the .cube file is not above DOMAIN_MIN.');
  return { side, colors: Float32Array.from(values), least: least!, most: most! };
}

/** Maps a row through the lattice, with trilinear interpolation. */
export function sampleCube({ side, colors, least, most }: Cube, pixels: Float32Array): void {
  const stepG = 3 * side;
  const stepB = 3 * side * side;
  const place = (value: number, channel: number): number =>
    Math.min(
      side - 1,
      Math.max(0, ((value - least[channel]!) / (most[channel]! - least[channel]!)) * (side - 1)),
    );
  for (let at = 0; at < pixels.length; at += 4) {
    const r = place(pixels[at]!, 0);
    const g = place(pixels[at + 1]!, 1);
    const b = place(pixels[at + 2]!, 2);
    const r0 = Math.min(side - 2, r | 0);
    const g0 = Math.min(side - 2, g | 0);
    const b0 = Math.min(side - 2, b | 0);
    const x = r - r0;
    const y = g - g0;
    const z = b - b0;
    const start = 3 * r0 + stepG * g0 + stepB * b0;
    for (let channel = 0; channel < 3; channel += 1) {
      const near = start + channel;
      const line = (from: number): number => colors[from]! + x * (colors[from + 3]! - colors[from]!);
      const low = line(near) + y * (line(near + stepG) - line(near));
      const high = line(near + stepB) + y * (line(near + stepB + stepG) - line(near + stepB));
      pixels[at + channel] = low + z * (high - low);
    }
  }
}
