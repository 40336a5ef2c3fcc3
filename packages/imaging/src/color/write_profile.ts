import type { ColorCoding, Primaries, Transfer } from './color_coding.ts';

/**
 * Writes a version 4 ICC profile for a colour coding: a matrix and three curves, or one curve for grey. HDR curves are tone-mapped to SDR:
 * light above white is compressed into the uppermost fifth. ICC.1:2022, 8.3.3 and 8.3.4.
 */
export function writeProfile(coding: ColorCoding, kind: 'rgb' | 'grey'): Buffer {
  const curve = curveTag(coding);
  const common: Tag[] = [
    ['desc', text(coding.name)],
    ['cprt', text('No copyright, use freely')],
    ['wtpt', xyz(D50)],
  ];
  if (kind === 'grey') return profileOf('GRAY', [...common, ['kTRC', curve]]);
  const { columns, adaptation } = matrixOf(coding.primaries);
  const [red, green, blue] = columns;
  return profileOf('RGB ', [
    ...common,
    ['chad', Buffer.concat([head('sf32'), ...adaptation.flat().map(fixed)])],
    ['rXYZ', xyz(red!)],
    ['gXYZ', xyz(green!)],
    ['bXYZ', xyz(blue!)],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ]);
}

type Tag = readonly [signature: string, data: Buffer];
type Vector = readonly [number, number, number];
type Matrix = readonly [Vector, Vector, Vector];

const HEADER_BYTES = 128;
const D50: Vector = [0.9642, 1, 0.8249];

function profileOf(space: string, tags: readonly Tag[]): Buffer {
  const table = Buffer.alloc(4 + 12 * tags.length);
  table.writeUInt32BE(tags.length);
  const datas: Buffer[] = [];
  const placed = new Map<Buffer, number>();
  let end = HEADER_BYTES + table.length;
  for (const [index, [signature, data]] of tags.entries()) {
    if (!placed.has(data)) {
      placed.set(data, end);
      datas.push(data, Buffer.alloc(-data.length & 3));
      end += data.length + (-data.length & 3);
    }
    table.write(signature, 4 + 12 * index, 'latin1');
    table.writeUInt32BE(placed.get(data)!, 8 + 12 * index);
    table.writeUInt32BE(data.length, 12 + 12 * index);
  }
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(end, 0);
  header.writeUInt32BE(0x04400000, 8);
  header.write(`mntr${space}XYZ `, 12, 'latin1');
  // Fixed date, 1 January 2000: the same coding always gives the same bytes.
  header.set([0x07, 0xd0, 0, 1, 0, 1], 24);
  header.write('acsp', 36, 'latin1');
  header.set(Buffer.concat(D50.map(fixed)), 68);
  return Buffer.concat([header, table, ...datas]);
}

const head = (type: string): Buffer => Buffer.from(`${type}\0\0\0\0`, 'latin1');

function fixed(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(Math.round(Math.max(-32_768, Math.min(32_767, value)) * 65_536));
  return bytes;
}

const xyz = (value: Vector): Buffer => Buffer.concat([head('XYZ '), ...value.map(fixed)]);

function text(words: string): Buffer {
  const letters = Buffer.from(words, 'utf16le').swap16();
  const record = Buffer.alloc(20);
  record.writeUInt32BE(1, 0);
  record.writeUInt32BE(12, 4);
  record.write('enUS', 8, 'latin1');
  record.writeUInt32BE(letters.length, 12);
  record.writeUInt32BE(28, 16);
  return Buffer.concat([head('mluc'), record, letters]);
}

/** Entries of a tabulated curve: fine enough for 12 bits. */
const ENTRIES = 4096;

function curveTag({ transfer, isNarrow = false }: ColorCoding): Buffer {
  if (!isNarrow && typeof transfer === 'object')
    return Buffer.concat([head('para'), Buffer.alloc(4), fixed(transfer.gamma)]);
  const table = Buffer.alloc(4 + 2 * ENTRIES);
  table.writeUInt32BE(ENTRIES);
  for (let entry = 0; entry < ENTRIES; entry += 1) {
    const sample = entry / (ENTRIES - 1);
    const full = isNarrow ? Math.min(1, Math.max(0, (255 * sample - 16) / 219)) : sample;
    table.writeUInt16BE(
      Math.round(65_535 * Math.min(1, Math.max(0, lightOf(transfer, full)))),
      4 + 2 * entry,
    );
  }
  return Buffer.concat([head('curv'), table]);
}

/** Display light, 0 to 1, for a sample from 0 to 1. */
function lightOf(transfer: Transfer, sample: number): number {
  if (typeof transfer === 'object') return sample ** transfer.gamma;
  if (transfer === 'linear') return sample;
  if (transfer === 'pq') return toneMapped(pqNits(sample) / WHITE_NITS);
  if (transfer === 'hlg') return toneMapped(hlgNits(sample) / WHITE_NITS);
  return sample <= 0.04045 ? sample / 12.92 : ((sample + 0.055) / 1.055) ** 2.4;
}

/** HDR reference white, cd/m². ITU-R BT.2408, 2.2 */
const WHITE_NITS = 203;
/** Fraction of white below which light is unchanged. */
const KNEE = 0.8;

/** Light above the knee approaches 1, with a continuous slope at the knee. */
const toneMapped = (light: number): number =>
  light <= KNEE ? light : KNEE + (1 - KNEE) * (1 - Math.exp((KNEE - light) / (1 - KNEE)));

/** SMPTE ST 2084. */
function pqNits(sample: number): number {
  const [m1, m2, c1, c2, c3] = [2610 / 16_384, 2523 / 32, 3424 / 4096, 2413 / 128, 2392 / 128];
  const power = sample ** (1 / m2);
  return 10_000 * (Math.max(0, power - c1) / (c2 - c3 * power)) ** (1 / m1);
}

/** ITU-R BT.2100, table 5, on a 1000 cd/m² display, per channel. */
function hlgNits(sample: number): number {
  const [a, b, c] = [0.17883277, 0.28466892, 0.55991073];
  const scene = sample <= 0.5 ? sample ** 2 / 3 : (Math.exp((sample - c) / a) + b) / 12;
  return 1000 * scene ** 1.2;
}

/** XYZ of the primaries at full intensity, adapted to D50 with the Bradford transform. ICC.1:2022, annex E. */
function matrixOf({ red, green, blue, white }: Primaries): { columns: Matrix; adaptation: Matrix } {
  const ofCorner = ([x, y]: readonly [number, number]): Vector =>
    y === 0 ? [x, 0, 1 - x] : [x / y, 1, (1 - x - y) / y];
  const corners = transposed([ofCorner(red), ofCorner(green), ofCorner(blue)]);
  const whiteXyz = ofCorner(white);
  const shares = times(inverse(corners), whiteXyz);
  const cones = times(BRADFORD, whiteXyz);
  const target = times(BRADFORD, D50);
  const scale: Matrix = [
    [target[0] / cones[0], 0, 0],
    [0, target[1] / cones[1], 0],
    [0, 0, target[2] / cones[2]],
  ];
  const adaptation = product(product(inverse(BRADFORD), scale), BRADFORD);
  const columns = transposed(corners).map((column, index) =>
    times(adaptation, column.map((value) => value * shares[index]!) as unknown as Vector),
  ) as unknown as Matrix;
  return { columns, adaptation };
}

const BRADFORD: Matrix = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
];

const times = (matrix: Matrix, [x, y, z]: Vector): Vector =>
  matrix.map(([a, b, c]) => a * x + b * y + c * z) as unknown as Vector;

const transposed = (matrix: Matrix): Matrix =>
  [0, 1, 2].map((row) => matrix.map((column) => column[row]!)) as unknown as Matrix;

const product = (one: Matrix, other: Matrix): Matrix =>
  transposed(transposed(other).map((column) => times(one, column)) as unknown as Matrix);

function inverse([[a, b, c], [d, e, f], [g, h, i]]: Matrix): Matrix {
  const [x, y, z] = [e * i - f * h, f * g - d * i, d * h - e * g];
  const determinant = a * x + b * y + c * z;
  const rows: Matrix = [
    [x, c * h - b * i, b * f - c * e],
    [y, a * i - c * g, c * d - a * f],
    [z, b * g - a * h, a * e - b * d],
  ];
  return rows.map((row) => row.map((value) => value / determinant)) as unknown as Matrix;
}
