/** A polar code: `length` coded bits (a power of two), of which the rows marked in `isInformation` carry the message. */
export interface PolarCode {
  readonly length: number;
  readonly information: number;
  readonly isInformation: Uint8Array;
}

const CODES = new Map<string, PolarCode>();

/**
 * The code of `length` bits for `information` of them. Rows are ranked by their erasure probability on an erasure channel
 * of that rate, which needs only sums and products and so comes out alike on every machine.
 * E. Arıkan, Channel Polarization, IEEE Trans. Inf. Theory 55 (2009).
 */
export function polarCode(length: number, information: number): PolarCode {
  const key = `${length}/${information}`;
  const known = CODES.get(key);
  if (known) return known;
  let erasures = Float64Array.of(1 - Math.min(0.95, (information / length) * 1.25 + 0.02));
  while (erasures.length < length) {
    const split = new Float64Array(erasures.length * 2);
    for (let row = 0; row < erasures.length; row++) {
      const z = erasures[row]!;
      split[2 * row] = 2 * z - z * z;
      split[2 * row + 1] = z * z;
    }
    erasures = split;
  }
  const ranked = Array.from(erasures.keys()).sort((a, b) => erasures[a]! - erasures[b]! || b - a);
  const isInformation = new Uint8Array(length);
  for (const row of ranked.slice(0, information)) isInformation[row] = 1;
  const code = { length, information, isInformation };
  CODES.set(key, code);
  return code;
}

/** `message` holds one bit a byte, `code.information` of them; so does the coded word. */
export function encodePolar(code: PolarCode, message: Uint8Array): Uint8Array {
  const word = new Uint8Array(code.length);
  let at = 0;
  for (let row = 0; row < code.length; row++) if (code.isInformation[row]) word[row] = message[at++]!;
  return polarTransform(word);
}

/** In place; its own inverse. */
export function polarTransform(word: Uint8Array): Uint8Array {
  for (let half = 1; half < word.length; half *= 2) {
    for (let start = 0; start < word.length; start += 2 * half) {
      for (let at = start; at < start + half; at++) word[at]! ^= word[at + half]!;
    }
  }
  return word;
}
