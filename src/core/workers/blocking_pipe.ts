import { readSync, writeSync } from 'node:fs';
import { frameOf, IN_FILE, LENGTH_BYTES, readUint32, valueIn } from './frames.ts';

const FIRST_BUFFER_BYTES = 1024 * 1024;

/**
 * Every value another process sends over a descriptor that blocks, until that process is gone. A picture comes in a few
 * reads, without a copy, into one buffer that is used for every frame: the typed arrays of a value are views of it, and
 * hold what the next value overwrites.
 * @param readInput reads the part of a frame that is in the input file
 */
export function* valuesFrom(
  fd: number,
  readInput: (bytes: number) => Uint8Array = refuseInput,
): Generator<unknown> {
  let buffer = new Uint8Array(FIRST_BUFFER_BYTES);
  let [at, end] = [0, 0];
  const take = (bytes: number): Uint8Array | undefined => {
    if (at + bytes > buffer.length) buffer = enlargeBuffer(buffer.subarray(0, end), at + bytes);
    while (end < at + bytes) {
      const read = readSync(fd, buffer, end, buffer.length - end, null);
      if (read === 0) return undefined;
      end += read;
    }
    at += bytes;
    return buffer.subarray(at - bytes, at);
  };

  for (let count = take(LENGTH_BYTES); count; count = take(LENGTH_BYTES)) {
    const parts: Uint8Array[] = [];
    for (let left = readUint32(count); left > 0; left -= 1) {
      const head = take(LENGTH_BYTES);
      if (!head) return;
      const length = readUint32(head);
      const part = length >= IN_FILE ? readInput(length - IN_FILE) : take(length);
      if (!part) return;
      parts.push(part);
    }
    yield valueIn(parts);
    buffer.copyWithin(0, at, end);
    [at, end] = [0, end - at];
  }
}

function refuseInput(): never {
  throw new Error('This process has no input file');
}

/** Returns when the other process, or the kernel for it, has taken everything. */
export function writeValue(fd: number, value: unknown): void {
  for (const piece of frameOf(value)) {
    for (let written = 0; written < piece.length; ) written += writeSync(fd, piece, written);
  }
}

function enlargeBuffer(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length);
  larger.set(bytes);
  return larger;
}
