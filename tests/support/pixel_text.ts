import type { Raster } from '@atelier/imaging/pixels/raster.ts';

/** Letters of 5 × 7 pixels: seven rows of two hex digits, whose lowest five bits are the pixels. Drawn for this project. */
const LETTERS = new Map(
  Object.entries({
    a: '0e11111f111111',
    b: '1e11111e11111e',
    c: '0e11101010110e',
    d: '1e11111111111e',
    e: '1f10101e10101f',
    f: '1f10101e101010',
    g: '0e11101711110f',
    h: '1111111f111111',
    i: '0e04040404040e',
    j: '0702020202120c',
    k: '11121418141211',
    l: '1010101010101f',
    m: '111b1515111111',
    n: '11111915131111',
    o: '0e11111111110e',
    p: '1e11111e101010',
    q: '0e11111115120d',
    r: '1e11111e141211',
    s: '0f10100e01011e',
    t: '1f040404040404',
    u: '1111111111110e',
    v: '11111111110a04',
    w: '11111115151b11',
    x: '11110a040a1111',
    y: '11110a04040404',
    z: '1f01020408101f',
    0: '0e11131519110e',
    1: '040c040404040e',
    2: '0e11010204081f',
    3: '1f02040201110e',
    4: '02060a121f0202',
    5: '1f101e0101110e',
    6: '0608101e11110e',
    7: '1f010204080808',
    8: '0e11110e11110e',
    9: '0e11110f01020c',
    _: '0000000000001f',
  }).map(([letter, rows]) => [letter, rows.match(/../g)!.map((row) => Number.parseInt(row, 16))]),
);
const [COLUMNS, ROWS, ADVANCE] = [5, 7, 6];

/**
 * Draws one line of letters, digits and underscores without an installed font; other characters are left
 * blank.
 * @param size pixels of the image for each pixel of a letter
 * @returns one byte per pixel: 0 or 255
 */
export function pixelText(text: string, size: number): Raster {
  const letters = [...text.toLowerCase()].map((letter) => LETTERS.get(letter));
  const [width, height] = [Math.max(1, letters.length * ADVANCE) * size, ROWS * size];
  const samples = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const column = Math.floor(x / size);
      const row = letters[Math.floor(column / ADVANCE)]?.[Math.floor(y / size)] ?? 0;
      const isInk = column % ADVANCE < COLUMNS && (row >> (COLUMNS - 1 - (column % ADVANCE))) & 1;
      if (isInk) samples[y * width + x] = 255;
    }
  return { width, height, channels: 1, data: samples };
}
