/** Bytes of a vector in a block before its bits: its number and the factor. */
const HEAD_BYTES = 8;

export const bytesOfVector = (dimensions: number): number => HEAD_BYTES + Math.ceil(dimensions / 8);

/**
 * What of a vector lies in the same direction as another is told from a bit a dimension: on which side of the centre of its cell it lies.
 * The sum of the other's members with these signs, times the factor, is on the average the product with what the vector has beside
 * the centre (Gao and Long 2024, RaBitQ, without its turning of all vectors).
 */
export function packBits(number: number, unit: Float32Array, centre: Float32Array): Uint8Array {
  const packed = new Uint8Array(bytesOfVector(unit.length));
  const head = new DataView(packed.buffer);
  let [squares, sides] = [0, 0];
  for (let at = 0; at < unit.length; at += 1) {
    const beside = unit[at]! - centre[at]!;
    squares += beside * beside;
    sides += Math.abs(beside);
    if (beside > 0) packed[HEAD_BYTES + (at >> 3)]! |= 1 << (at & 7);
  }
  head.setUint32(0, number, true);
  head.setFloat32(4, sides === 0 ? 0 : squares / sides, true);
  return packed;
}

/** What each byte of bits is worth to a question: for each byte of a vector 256 sums. */
export function sumsOfBytes(asked: Float32Array): Float32Array {
  const bytes = Math.ceil(asked.length / 8);
  const sums = new Float32Array(256 * bytes);
  for (let byte = 0; byte < bytes; byte += 1) {
    for (let bits = 0; bits < 256; bits += 1) {
      let sum = 0;
      for (let bit = 0; bit < 8; bit += 1) {
        const value = asked[8 * byte + bit] ?? 0;
        sum += bits & (1 << bit) ? value : -value;
      }
      sums[256 * byte + bits] = sum;
    }
  }
  return sums;
}

/** Vectors whose cosines with a question were estimated. */
export interface Estimated {
  readonly numbers: Uint32Array;
  readonly cosines: Float32Array;
}

/**
 * Estimates the cosines of a question with the vectors of some blocks.
 * @param blocks each with the product of the question and the centre of its cell
 */
export function estimate(
  blocks: readonly { readonly packed: Uint8Array; readonly ofCentre: number }[],
  dimensions: number,
  sums: Float32Array,
): Estimated {
  const stride = bytesOfVector(dimensions);
  const vectors = blocks.reduce((sum, { packed }) => sum + packed.length / stride, 0);
  const [numbers, cosines] = [new Uint32Array(vectors), new Float32Array(vectors)];
  let at = 0;
  for (const { packed, ofCentre } of blocks) {
    const head = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
    for (let start = 0; start < packed.length; start += stride) {
      let sum = 0;
      for (let byte = HEAD_BYTES; byte < stride; byte += 1)
        sum += sums[((byte - HEAD_BYTES) << 8) + packed[start + byte]!]!;
      numbers[at] = head.getUint32(start, true);
      cosines[at] = ofCentre + sum * head.getFloat32(start + 4, true);
      at += 1;
    }
  }
  return { numbers, cosines };
}
