import { sharp } from '@atelier/imaging/codecs/sharp.ts';

/** Structure at all scales down to two pixels in three colours, as in a photograph; the same in every run. */
export async function cloudyPicture(side: number): Promise<Buffer> {
  let state = 0x5eed;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4_294_967_296 - 0.5;
  };
  const sums = new Float64Array(side * side * 3);
  for (let wave = 0; wave < 160; wave += 1) {
    const length = 2.5 * 60 ** (next() + 0.5);
    const [angle, phase] = [Math.PI * next(), 2 * Math.PI * next()];
    const [across, down] = [Math.cos(angle), Math.sin(angle)].map((part) => (2 * Math.PI * part) / length);
    const weights = [next(), next(), next()].map((color) => (0.7 + 0.3 * color) * Math.sqrt(length));
    for (let at = 0; at < side * side; at += 1) {
      const value = Math.sin(across! * (at % side) + down! * Math.floor(at / side) + phase);
      for (const [color, weight] of weights.entries()) sums[3 * at + color]! += 1.5 * weight * value;
    }
  }
  const data = Uint8Array.from(sums, (sum) => Math.max(0, Math.min(255, Math.round(128 + sum))));
  return sharp(data, { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();
}
