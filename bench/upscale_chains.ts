import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decodeRaster } from '@atelier/engines/picture/read_raster.ts';
import { sharp } from '@atelier/engines/picture/sharp.ts';
import { enlarge } from '@atelier/engines/resize/enlarge.ts';
import { bundledPair } from '../src/services/models/bundled.ts';
import { createModels } from '../src/services/models/models.ts';
import type { ModelFile } from '../src/workers/open_models.ts';
import { runUpscale } from '../src/workers/run_upscale.ts';
import { lumaPsnr } from '../tests/support/luma_psnr.ts';

const SHARED = new URL('../../shared/', import.meta.url);
const SCALES = [3, 6, 8];
type Pair = readonly [twice: ModelFile, four: ModelFile];

/** Enlarging by one network after the other, and reducing what is too large, against plain resampling. */
export async function run(): Promise<string> {
  if (!existsSync(SHARED)) return 'upscale_chains: skipped, ../shared is absent';
  const folder = mkdtempSync(join(tmpdir(), 'atelier-chains-'));
  const models = createModels({ folder, provider: 'cpu', fetch });
  for (const scale of [2, 4])
    await models.add(fileURLToPath(new URL(`models/span/spanx${scale}_ch48.bin`, SHARED)), { accept: false });
  const span: Pair = [(await models.faithful(2))!, (await models.faithful(4))!];
  const own: Pair = [bundledPair(2, 'cpu').clean, bundledPair(4, 'cpu').clean];
  const rows: string[] = [];
  for (const scale of SCALES) rows.push(await measured(scale, span, own));
  rmSync(folder, { recursive: true });
  return [
    '## Enlarging three, six and eight times',
    '',
    'Set5, reduced by a bicubic filter; PSNR of the luma in dB, a border of `scale` pixels left out, networks as gain over Lanczos-3. ×3 is ×4 reduced, ×6 is ×4 and ×2 reduced, ×8 is ×4 and ×2.',
    '',
    "| | Lanczos | the project's own | SPAN |",
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
}

async function measured(scale: number, span: Pair, own: Pair): Promise<string> {
  const paths = globSync(fileURLToPath(new URL('images/sr/set5/x4/HR/*.png', SHARED)));
  const sums = [0, 0, 0];
  for (const path of paths) {
    const { small, large } = await pairOf(path, scale);
    const made = [
      await byLanczos(small, scale),
      await byChain(small, scale, own),
      await byChain(small, scale, span),
    ];
    for (const [at, bytes] of made.entries()) sums[at]! += await lumaPsnr(bytes, large, scale);
  }
  const [lanczos, byOwn, bySpan] = sums.map((sum) => sum / paths.length) as [number, number, number];
  return `| ×${scale} | ${lanczos.toFixed(2)} | +${(byOwn - lanczos).toFixed(2)} | +${(bySpan - lanczos).toFixed(2)} |`;
}

async function byChain(bytes: Buffer, scale: number, [twice, four]: Pair): Promise<Uint8Array> {
  return (await runUpscale({ bytes, model: four, ...(scale > 4 && { next: twice }), scale })).bytes;
}

async function byLanczos(bytes: Buffer, scale: number): Promise<Uint8Array> {
  const picture = await decodeRaster(sharp(bytes).toColourspace('srgb').removeAlpha());
  const size = { width: picture.width * scale, height: picture.height * scale };
  const { data, ...raw } = enlarge(picture, size);
  return sharp(data, { raw }).png().toBuffer();
}

async function pairOf(path: string, scale: number): Promise<{ small: Buffer; large: Buffer }> {
  const source = sharp(readFileSync(path)).removeAlpha().toColourspace('srgb');
  const { width, height } = await source.metadata();
  const [columns, rows] = [Math.floor(width / scale), Math.floor(height / scale)];
  const large = await source
    .extract({ left: 0, top: 0, width: columns * scale, height: rows * scale })
    .png()
    .toBuffer();
  const small = await sharp(large).resize(columns, rows, { kernel: 'cubic', fit: 'fill' }).png().toBuffer();
  return { small, large };
}
