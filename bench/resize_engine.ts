/**
 * Claim: handing a resize to a process costs less than 5 % of bare sharp's throughput.
 * 2000 × 1333 JPEG → fit 500, JPEG quality 80, four at a time. Rounds of the two alternate, as the machine's speed drifts.
 */
import { openPicture } from '../src/engines/picture/open_picture.ts';
import { sharp } from '../src/engines/picture/sharp.ts';
import { createPixels } from '../src/workers/index.ts';

const AT_A_TIME = 4;
const ROUNDS = 9;
const CALLS_A_ROUND = 200;
const WANTED = { width: 500, height: 500, mode: 'contain', format: 'jpeg', quality: 80 } as const;

const bytes = await texturedPhoto(2000, 1333);
const pool = createPixels({ workers: 0, pixelsInFlightMax: 1e9, queueLengthMax: 64 });
const control = { pixels: 2000 * 1333, signal: new AbortController().signal };
const inPool = () => pool.run('resize', { bytes, ...WANTED }, control);
const bare = () => openPicture(bytes).resize(500, 500, { fit: 'inside' }).jpeg({ quality: 80 }).toBuffer();

await callsPerSecond(bare);
await callsPerSecond(inPool);
const rounds = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const [bareRate, poolRate] = [await callsPerSecond(bare), await callsPerSecond(inPool)];
  rounds.push({ bare: bareRate, pool: poolRate, ratio: poolRate / bareRate });
}
await pool.close();
console.table(
  rounds.map(({ bare, pool, ratio }) => ({
    bare: bare.toFixed(1),
    pool: pool.toFixed(1),
    ratio: ratio.toFixed(3),
  })),
);
const ratios = rounds.map(({ ratio }) => ratio).sort((a, b) => a - b);
console.log(`resize in a process / bare sharp, median of ${ROUNDS}: ${ratios[ROUNDS >> 1]!.toFixed(3)}`);

async function callsPerSecond(call: () => Promise<unknown>): Promise<number> {
  let left = CALLS_A_ROUND;
  const start = performance.now();
  const worker = async () => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  return (CALLS_A_ROUND / (performance.now() - start)) * 1000;
}

/** Smooth colours with film grain: about 0.5 MB, as a camera's picture of this size. */
async function texturedPhoto(width: number, height: number): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3);
  let noise = 1;
  for (let at = 0; at < pixels.length; at += 1) {
    const x = Math.floor(at / 3) % width;
    const y = Math.floor(at / 3 / width);
    noise = (noise * 1_103_515_245 + 12_345) & 0x7fffffff;
    const wave = Math.sin(x / (30 + (at % 3) * 9)) * 50 + Math.cos(y / 41) * 50;
    pixels[at] = 128 + wave + ((noise >> 16) % 25) - 12;
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 85 })
    .toBuffer();
}
