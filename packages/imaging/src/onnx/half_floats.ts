/**
 * 16-bit floats (IEEE 754-2019, binary16). Float16Array does the same, but Node has it from 24 on, and this package runs on 20 too.
 */

const HALVES = 2 ** 16;
let floats: Float32Array | undefined;

/** The numbers of bytes that hold 16-bit floats, little-endian; a last odd byte is left out. */
export function floatsOfHalves(bytes: Uint8Array): Float32Array {
  floats ??= Float32Array.from({ length: HALVES }, (_, half) => floatOf(half));
  const answer = new Float32Array(bytes.length >> 1);
  for (let i = 0; i < answer.length; i += 1) answer[i] = floats[bytes[2 * i]! | (bytes[2 * i + 1]! << 8)]!;
  return answer;
}

function floatOf(half: number): number {
  const [sign, exponent, fraction] = [half & 0x8000 ? -1 : 1, (half >> 10) & 0x1f, half & 0x3ff];
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** The nearest 16-bit floats, of two as near the even one. */
export function halvesOfFloats(data: Float32Array): Uint16Array {
  const bits = new Uint32Array(data.slice().buffer);
  return Uint16Array.from(bits, halfOf);
}

/** @param bits of a 32-bit float: a sign, 8 of exponent, 23 of fraction */
function halfOf(bits: number): number {
  const sign = (bits >>> 16) & 0x8000;
  const exponent = ((bits >>> 23) & 0xff) - 127;
  const fraction = bits & 0x7fffff;
  if (exponent === 128) return sign | 0x7c00 | (fraction ? 0x200 : 0);
  if (exponent > 15) return sign | 0x7c00;
  if (exponent >= -14) return sign | roundedShift(((exponent + 15) << 23) | fraction, 13);
  // Below 2⁻¹⁴ the leading one is written out; below half of the least, 2⁻²⁵, nothing is left.
  return exponent < -25 ? sign : sign | roundedShift(0x800000 | fraction, -1 - exponent);
}

function roundedShift(value: number, places: number): number {
  const [kept, rest, half] = [value >>> places, value & (2 ** places - 1), 2 ** (places - 1)];
  return rest > half || (rest === half && kept & 1) ? kept + 1 : kept;
}
