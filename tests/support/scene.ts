import { sharp } from '@atelier/imaging/codecs/sharp.ts';

/**
 * An image with as much detail as a photograph: two hundred soft discs of many sizes and colours. The same in
 * every run.
 */
export async function scene(seed = 1, width = 640, height = 480): Promise<Buffer> {
  const data = new Uint8Array(width * height * 3).fill(120);
  let state = seed;
  const next = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state / 2 ** 32) * below;
  };
  for (let disc = 0; disc < 200; disc++) {
    const [x, y, radius] = [next(width), next(height), 4 + next(1) ** 3 * 90];
    const color = [next(256), next(256), next(256)];
    for (let row = Math.max(0, Math.floor(y - radius)); row < Math.min(height, y + radius); row++) {
      for (let column = Math.max(0, Math.floor(x - radius)); column < Math.min(width, x + radius); column++) {
        if (Math.hypot(column - x, row - y) > radius) continue;
        const at = 3 * (row * width + column);
        for (let side = 0; side < 3; side++) data[at + side] = (data[at + side]! + 2 * color[side]!) / 3;
      }
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}
