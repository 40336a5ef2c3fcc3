import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Metadata that ExifTool (libimage-exiftool-perl of Debian) reads from a file, by group and tag, with
 * structures and lists unchanged.
 */
export function exiftool(bytes: Uint8Array): Record<string, unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-exiftool-'));
  try {
    const path = join(folder, 'picture');
    writeFileSync(path, bytes);
    const text = execFileSync('exiftool', ['-j', '-G1', '-struct', '-a', path], {
      maxBuffer: 64 * 1024 * 1024,
    });
    return JSON.parse(text.toString())[0];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
