import { RAW_PREVIEWS_MAX } from './limits.ts';

/** A JPEG embedded in another file. */
export interface Preview {
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
}

const START = Buffer.of(0xff, 0xd8, 0xff);
const END = Buffer.of(0xff, 0xd9);
const START_OF_SCAN = 0xda;
/** Baseline, extended and progressive. Lossless ones (C3) are sensor data. */
const FRAMES = [0xc0, 0xc1, 0xc2];
const SEGMENTS_MAX = 1000;

/** The largest JPEG preview; undefined if there is none. */
export function largestPreview(file: Buffer): Preview | undefined {
  let largest: Preview | undefined;
  let found = 0;
  for (let at = file.indexOf(START); at >= 0 && found < RAW_PREVIEWS_MAX; at = file.indexOf(START, at + 1)) {
    const preview = jpegAt(file, at);
    if (!preview) continue;
    found += 1;
    if (!largest || preview.width * preview.height > largest.width * largest.height) largest = preview;
  }
  return largest;
}

/** A complete JPEG with its size. ITU-T T.81, B.1: after the first scan, the bytes FF D9 are its end. */
function jpegAt(file: Buffer, start: number): Preview | undefined {
  let at = start + 2;
  let size: { width: number; height: number } | undefined;
  for (
    let segments = 0;
    segments < SEGMENTS_MAX && at + 9 < file.length && file[at] === 0xff;
    segments += 1
  ) {
    const marker = file[at + 1]!;
    if (FRAMES.includes(marker) && file[at + 4] === 8)
      size = { height: file.readUInt16BE(at + 5), width: file.readUInt16BE(at + 7) };
    if (marker === START_OF_SCAN) {
      const end = size ? file.indexOf(END, at) : -1;
      return size && end >= 0 ? { ...size, bytes: file.subarray(start, end + 2) } : undefined;
    }
    const length = file.readUInt16BE(at + 2);
    if (length < 2) return undefined;
    at += 2 + length;
  }
  return undefined;
}
