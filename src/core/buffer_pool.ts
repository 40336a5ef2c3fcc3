const MIB = 1024 * 1024;
/** Smaller buffers do not cause a separate memory mapping. */
const RECYCLED_BYTES_MIN = 128 * 1024;
/** Size of the largest pooled buffer. */
const POOLED_BYTES_MAX = 4 * MIB;
/** Total size of the pool: a body and an image of four clients. */
const KEPT_BYTES_MAX = 8 * MIB;

const kept: ArrayBuffer[] = [];
/** Memory that may be returned to the pool. */
const lent = new WeakSet<ArrayBufferLike>();

/**
 * Returns an uninitialised buffer, from the pool if available: mapping 1 MB takes 0.4 ms, longer than reading JSON of that length.
 * @param length bytes
 */
export function acquireBuffer(length: number): Buffer {
  if (length < RECYCLED_BYTES_MIN || length > POOLED_BYTES_MAX) return Buffer.allocUnsafeSlow(length);
  const at = kept.findIndex(({ byteLength }) => byteLength >= length);
  const [memory] = at < 0 ? [] : kept.splice(at, 1);
  // Whole MiB, so that buffers can be reused for similar lengths; untouched pages take no memory.
  const buffer = memory ?? Buffer.allocUnsafeSlow(Math.ceil(length / MIB) * MIB).buffer;
  lent.add(buffer);
  return Buffer.from(buffer, 0, length);
}

/** `recycleBuffer` for bytes of any origin: only those from `acquireBuffer` return to the pool, and others are left alone. */
export function recycleIfPooled(bytes: Uint8Array): void {
  if (lent.has(bytes.buffer)) recycleBuffer(bytes);
}

/** Returns the memory of a buffer to the pool. Its views are detached, so that none shows later contents. */
export function recycleBuffer({ buffer }: Uint8Array): void {
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
