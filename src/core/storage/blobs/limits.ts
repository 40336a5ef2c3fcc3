/** Bytes that one checksum covers: what is read and checked before the first byte of a part is sent. */
export const CHUNK_BYTES = 1024 * 1024;
