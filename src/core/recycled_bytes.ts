const MIB = 1024 * 1024;
/** Below this, memory is not mapped anew for each buffer. */
const RECYCLED_BYTES_MIN = 128 * 1024;
/** Bytes that are kept for later buffers, in all. */
const KEPT_BYTES_MAX = 4 * MIB;

const kept: ArrayBuffer[] = [];

/**
 * A buffer with any contents, in memory that was given back where there is some: mapping a megabyte anew takes 0.4 ms, longer than
 * reading JSON of that length.
 * @param length bytes
 */
export function takeBytes(length: number): Buffer {
  if (length < RECYCLED_BYTES_MIN || length > KEPT_BYTES_MAX) return Buffer.allocUnsafeSlow(length);
  const at = kept.findIndex(({ byteLength }) => byteLength >= length);
  const [memory] = at < 0 ? [] : kept.splice(at, 1);
  // Whole MiB, so that they serve similar lengths; pages that are not written to take no memory.
  return Buffer.from(memory ?? Buffer.allocUnsafeSlow(Math.ceil(length / MIB) * MIB).buffer, 0, length);
}

/** Gives the memory of a buffer back. Every view of it has no bytes from then on, so none shows what comes next. */
export function giveBackBytes({ buffer }: Uint8Array): void {
  const memory = (buffer as ArrayBuffer).transfer();
  const keptBytes = kept.reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (
    memory.byteLength % MIB === 0 &&
    memory.byteLength > 0 &&
    keptBytes + memory.byteLength <= KEPT_BYTES_MAX
  )
    kept.push(memory);
  else memory.transfer(0);
}
