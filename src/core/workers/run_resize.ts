import { randomUUID } from 'node:crypto';
import { ftruncateSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileOf } from '@atelier/imaging/codecs/read_reduced.ts';
import { type ResizedImage, type ResizeRequest, resizeImage } from '@atelier/imaging/resize/resize_image.ts';

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
 * Provides bytes as a file, for decoders that accept options with a path only. The file is unlinked, so nothing is left of it if this
 * process is killed; a process has one image at a time, and one file.
 */
function fileOf(bytes: Uint8Array): string | undefined {
  if (process.platform === 'win32') return undefined;
  try {
    descriptor ??= openUnnamed();
    for (let written = 0; written < bytes.length; )
      written += writeSync(descriptor, bytes, written, bytes.length - written, written);
    return `/dev/fd/${descriptor}`;
  } catch {
    // The folder is full or read-only: the image is decoded at full size, which takes longer.
    return undefined;
  }
}

/** @throws Error if no folder is writable */
function openUnnamed(): number {
  for (const folder of FOLDERS) {
    const path = join(folder, `atelier-image-${process.pid}-${randomUUID()}`);
    try {
      const opened = openSync(path, 'wx+', 0o600);
      unlinkSync(path);
      return opened;
    } catch {
      // The next folder may be writable.
    }
  }
  throw new Error('No folder for temporary files is writable');
}
