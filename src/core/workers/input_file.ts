import { closeSync, readSync } from 'node:fs';
import { openUnnamedFile, replaceContents } from './unnamed_file.ts';

/**
 * The input file of an image process: an unnamed file in memory, in which the pool puts the image of a job. A pipe takes an image in pieces
 * of 146 kB, and each of them wakes both processes. docs/decisions/0020-image-processes-and-fixed-costs.md
 */

/** Only memory: the main process must not wait for a disk. */
const FOLDERS = ['/dev/shm'];
/** Copied within about a millisecond; longer images take the pipe, beside which the main process serves other requests. */
const INPUT_FILE_BYTES_MAX = 4 * 1024 * 1024;
const MIB = 1024 * 1024;

export interface InputFile {
  readonly descriptor: number;
  /** Replaces the contents. False for an image that does not fit. */
  put(image: Uint8Array): boolean;
  close(): void;
}

/** Undefined where there is no folder in memory. */
export function openInputFile(): InputFile | undefined {
  const descriptor = process.platform === 'linux' ? openUnnamedFile(FOLDERS) : undefined;
  if (descriptor === undefined) return undefined;
  let isOpen = true;
  return {
    descriptor,
    put: (image) => isOpen && image.length <= INPUT_FILE_BYTES_MAX && replaceContents(descriptor, image),
    close() {
      // The system gives the number to another file.
      if (isOpen) closeSync(descriptor);
      isOpen = false;
    },
  };
}

let last: { readonly image: Uint8Array; readonly path: string } | undefined;
let buffer = new Uint8Array(0);

/** Reads the image of the current job, in the image process, into a buffer that the next job reuses. */
export function readInputFile(descriptor: number, bytes: number): Uint8Array {
  if (buffer.length < bytes) buffer = new Uint8Array(Math.ceil(bytes / MIB) * MIB);
  for (let at = 0; at < bytes; ) {
    const read = readSync(descriptor, buffer, at, bytes - at, at);
    if (read === 0) throw new Error('The input file is shorter than its image');
    at += read;
  }
  const image = buffer.subarray(0, bytes);
  last = { image, path: `/dev/fd/${descriptor}` };
  return image;
}

/** Path of the input file if it contains exactly these bytes, which are those of the current job. */
export function inputPathOf({ buffer: memory, byteOffset, length }: Uint8Array): string | undefined {
  const isInput = memory === last?.image.buffer && byteOffset === 0 && length === last.image.length;
  return isInput ? last?.path : undefined;
}
