/** 16-bit floats (IEEE 754-2019, binary16). Float16Array requires Node.js 24, but this package supports 20. */

const HALVES = 2 ** 16;
let floats: Float32Array | undefined;

/** Decodes little-endian 16-bit floats; ignores an odd last byte. */
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

/** Rounds to the nearest 16-bit floats, ties to even. */
export function halvesOfFloats(data: Float32Array): Uint16Array {
  const bits = new Uint32Array(data.slice().buffer);
  return Uint16Array.from(bits, halfOf);
}

/** @param bits of a 32-bit float: sign, 8-bit exponent, 23-bit fraction */
function halfOf(bits: number): number {
  const sign = (bits >>> 16) & 0x8000;
  const exponent = ((bits >>> 23) & 0xff) - 127;
  const fraction = bits & 0x7fffff;
  if (exponent === 128) return sign | 0x7c00 | (fraction ? 0x200 : 0);
  if (exponent > 15) return sign | 0x7c00;
  if (exponent >= -14) return sign | roundedShift(((exponent + 15) << 23) | fraction, 13);
  // Below 2⁻¹⁴ the leading one becomes explicit; below half of the smallest, 2⁻²⁵, the result is zero.
  return exponent < -25 ? sign : sign | roundedShift(0x800000 | fraction, -1 - exponent);
}

function roundedShift(value: number, places: number): number {
  const [kept, rest, half] = [value >>> places, value & (2 ** places - 1), 2 ** (places - 1)];
  return rest > half || (rest === half && kept & 1) ? kept + 1 : kept;
}
