import { ftruncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { FileOf } from '@atelier/imaging/codecs/read_reduced.ts';
import { type ResizedImage, type ResizeRequest, resizeImage } from '@atelier/imaging/resize/resize_image.ts';
import { inputPathOf } from './input_file.ts';
import { openUnnamedFile, replaceContents } from './unnamed_file.ts';

/** `resizeImage` with a file for decoders that need one. */
export const runResize = (request: Omit<ResizeRequest, 'fileOf'>): Promise<ResizedImage> =>
  withFile((fileOf) => resizeImage({ ...request, fileOf }));

/** Runs work with a file for decoders that need one, and truncates the file afterwards. */
export async function withFile<T>(work: (fileOf: FileOf) => Promise<T>): Promise<T> {
  try {
    return await work(fileOf);
  } finally {
    if (descriptor !== undefined) ftruncateSync(descriptor);
  }
}

/** In memory first, if the system has such a folder. */
const FOLDERS = ['/dev/shm', tmpdir()];

let descriptor: number | undefined;

/**
 * Provides bytes as a file, for decoders that accept options with a path only: the input file of the job, or a file of this process, which
 * has one image at a time. Undefined where no folder is writable or it is full: the image is then decoded at full size, which takes longer.
 */
function fileOf(bytes: Uint8Array): string | undefined {
  if (process.platform === 'win32') return undefined;
  const input = inputPathOf(bytes);
  if (input) return input;
  descriptor ??= openUnnamedFile(FOLDERS);
  return descriptor !== undefined && replaceContents(descriptor, bytes) ? `/dev/fd/${descriptor}` : undefined;
}
