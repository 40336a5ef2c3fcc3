import sharp from 'sharp';

/**
 * An image that costs as much to process as a photograph: soft shapes under film grain, as JPEG. Generated
 * from a seed, so that a benchmark needs no file; about 0.6 MB at 2000 × 1333.
 */
export async function photo(width: number, height: number): Promise<Buffer> {
  const data = Buffer.alloc(width * height * 3);
  const grain = randomBytes(0x5eed);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const shape = 90 * Math.sin(x / 97 + Math.sin(y / 61)) * Math.cos(y / 83);
      const noise = (grain() % 25) - 12;
      const at = (y * width + x) * 3;
      data[at] = clamp(140 + shape + noise);
      data[at + 1] = clamp(120 + shape * 0.6 + noise);
      data[at + 2] = clamp(100 - shape * 0.4 + noise);
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 88 })
    .toBuffer();
}

const clamp = (value: number): number => Math.max(0, Math.min(255, Math.round(value)));

/** xorshift32 (Marsaglia 2003): the same numbers in every run. */
function randomBytes(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 8;
  };
}
