import { closeSync, fsyncSync, mkdirSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { HammingIndex } from '../../engines/hamming/hamming_index.ts';

/** What the first bytes of a file say: the format with its version. */
const FORMAT = 0x41_48_53_31;
/** Format, place of the segment, checksum of the segment before, checksum of this one. */
const HEADER_BYTES = 16;

/**
 * The built segments of one index on the disk, a file each, so that a start reads them instead of making them again. They are a
 * copy: each has a checksum, its own and that of the file before, and whatever does not fit is made again from the table.
 */
export class SegmentFiles {
  readonly #path: (at: number) => string;
  /** Of the segments in use. */
  readonly #checksums: number[] = [];

  constructor(folder: string, room: string) {
    this.#path = (at) => join(folder, `${room}-${at}.segment`);
  }

  /** Reads as many segments as fit into an empty index. */
  restore(index: HammingIndex): void {
    while (this.#restored(index, this.#checksums.length));
  }

  #restored(index: HammingIndex, at: number): boolean {
    let file: number | undefined;
    try {
      file = openSync(this.#path(at), 'r');
      const header = new Uint32Array(HEADER_BYTES / 4);
      let position = readWhole(file, new Uint8Array(header.buffer), 0);
      const [format, place, before, own] = header;
      if (format !== FORMAT || place !== at || before !== this.#before(at)) return false;
      let checksum = 0;
      index.restore((part) => {
        position += readWhole(file!, part, position);
        checksum = crc32(part, checksum);
      });
      if (checksum !== own) {
        index.truncate(at);
        return false;
      }
      this.#checksums.push(own);
      return true;
    } catch {
      index.truncate(at);
      return false;
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }

  /** Keeps the segments built since. Where the disk has no room, they are made again at the next start. */
  save(index: HammingIndex): void {
    for (let at = this.#checksums.length; at < index.builtSegments; at++) {
      const { codes, refs } = index.built(at);
      const parts = [codes, new Uint8Array(refs.buffer)];
      const checksum = parts.reduce((sum, part) => crc32(part, sum), 0);
      const header = Uint32Array.of(FORMAT, at, this.#before(at), checksum);
      try {
        writeDurably(this.#path(at), [new Uint8Array(header.buffer), ...parts]);
      } catch {
        // The table has them all: without the file (a full disk, say) the next start is slower and as right.
        return;
      }
      this.#checksums.push(checksum);
    }
  }

  /** Drops all but the first so many. */
  truncate(segments: number): void {
    for (let at = segments; at < this.#checksums.length; at++) rmSync(this.#path(at), { force: true });
    this.#checksums.length = Math.min(segments, this.#checksums.length);
  }

  #before(at: number): number {
    return at === 0 ? 0 : this.#checksums[at - 1]!;
  }
}

/** @throws Error where the file ends before */
function readWhole(file: number, into: Uint8Array, position: number): number {
  for (let done = 0; done < into.length; ) {
    const read = readSync(file, into, done, into.length - done, position + done);
    if (read === 0) throw new Error('the file is too short');
    done += read;
  }
  return into.length;
}

function writeDurably(path: string, parts: readonly Uint8Array[]): void {
  const temporary = `${path}.${process.pid}.new`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(temporary, 'w', 0o600);
  try {
    for (const part of parts) {
      for (let done = 0; done < part.length; ) done += writeSync(file, part, done);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
}
