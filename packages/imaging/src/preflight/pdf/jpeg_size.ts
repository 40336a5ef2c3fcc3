/** Start of frame: all but DHT (C4), JPG (C8) and DAC (CC). ISO/IEC 10918-1, table B.1 */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
const START_OF_SCAN = 0xda;

/**
 * Pixels and scans of a JPEG, which a decoder multiplies: each scan of a progressive one may touch every pixel. Counted by markers alone;
 * what is packed otherwise has neither, and a thumbnail within counts too.
 */
export function readJpegSize(bytes: Uint8Array): { pixels: number; scans: number } {
  let [pixels, scans] = [0, 0];
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === START_OF_SCAN) scans += 1;
    if (!isFrame(marker) || at + 9 > bytes.length) continue;
    const height = (bytes[at + 5]! << 8) | bytes[at + 6]!;
    const width = (bytes[at + 7]! << 8) | bytes[at + 8]!;
    pixels = Math.max(pixels, width * height);
  }
  return { pixels, scans: Math.max(1, scans) };
}
