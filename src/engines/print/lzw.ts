const CLEAR = 256;
const END = 257;
const FIRST = 258;
const TABLE_FULL = 4094;
const HASH_BITS = 14;

/**
 * Compresses bytes as TIFF's compression 5 has it: Lempel–Ziv–Welch, codes of 9 to 12 bits, the most significant bit
 * first. Source: TIFF 6.0, section 13.
 */
export function createLzw(): (bytes: Uint8Array) => Uint8Array {
  const keys = new Int32Array(1 << HASH_BITS);
  const codes = new Uint16Array(1 << HASH_BITS);
  const mask = keys.length - 1;
  return (bytes) => {
    // A code of 12 bits for every byte is the worst there can be.
    const out = new Uint8Array(Math.ceil(bytes.length * 1.5) + 16);
    let [at, bits, held, width, next] = [0, 0, 0, 9, FIRST];
    const emit = (code: number): void => {
      bits = (bits << width) | code;
      held += width;
      while (held >= 8) {
        held -= 8;
        out[at] = bits >>> held;
        at += 1;
      }
      bits &= (1 << held) - 1;
    };
    keys.fill(-1);
    emit(CLEAR);
    let prefix = bytes[0] ?? END;
    for (let index = 1; index < bytes.length; index += 1) {
      const byte = bytes[index]!;
      const key = (prefix << 8) | byte;
      let slot = (Math.imul(key, 0x9e3779b1) >>> (32 - HASH_BITS)) & mask;
      while (keys[slot] !== -1 && keys[slot] !== key) slot = (slot + 1) & mask;
      if (keys[slot] === key) {
        prefix = codes[slot]!;
        continue;
      }
      emit(prefix);
      prefix = byte;
      keys[slot] = key;
      codes[slot] = next;
      next += 1;
      if (next === TABLE_FULL) {
        emit(CLEAR);
        keys.fill(-1);
        [width, next] = [9, FIRST];
      } else if (next === 1 << width) width += 1;
    }
    if (bytes.length > 0) {
      emit(prefix);
      if (next + 1 === 1 << width && width < 12) width += 1;
    }
    emit(END);
    if (held > 0) {
      out[at] = bits << (8 - held);
      at += 1;
    }
    return out.subarray(0, at);
  };
}
