import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ColorMode, Hierarchical, PathSimplifyMode, vectorizeRawSync } from '@neplex/vectorizer';
import sharp from 'sharp';
import { vectorizeImage } from '../src/engines/vectorize/vectorize_image.ts';

// The engines' sharp reads no SVG and no files by name; this bench does.
sharp.unblock({ operation: ['VipsForeignLoad'] });

const PICTURES = [
  'photo/kodak_23.png',
  'art/starry_night.jpg',
  'anime/pepper_2015.jpg',
  'anime/pepper_broom_rgba.png',
  'sr/set14/x4/HR/ppt3.png',
  'sr/set14/x4/HR/comic.png',
];
const SIDE_PX = 768;
/** The bare tracer at its own defaults. */
const PEER = {
  colorMode: ColorMode.Color,
  hierarchical: Hierarchical.Stacked,
  filterSpeckle: 4,
  colorPrecision: 6,
  layerDifference: 16,
  mode: PathSimplifyMode.Spline,
  cornerThreshold: 60,
  lengthThreshold: 4,
  maxIterations: 10,
  spliceThreshold: 45,
  pathPrecision: 2,
};

/** Default drawings against the bare tracer at its defaults: PSNR of the drawing rendered on white, shapes, bytes, time. */
export async function run(): Promise<string> {
  const folder = fileURLToPath(new URL('../../shared/images/', import.meta.url));
  const present = PICTURES.filter((name) => existsSync(folder + name));
  if (present.length === 0) return 'vectorize: skipped, ../shared/images is absent';
  const rows: string[] = [];
  for (const name of present) rows.push(await measure(folder + name, name.split('/').at(-1)!));
  return [
    '## Drawings at the default settings, against the bare tracer at its own',
    '',
    '| picture | PSNR dB ours / tracer | gain | paths ours / tracer | bytes ratio | ms ours / tracer |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

async function measure(file: string, name: string): Promise<string> {
  const bytes = await sharp(file)
    .resize(SIDE_PX, SIDE_PX, { fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer();
  const { data, info } = await sharp(bytes)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const started = performance.now();
  const ours = await vectorizeImage({ bytes, mode: 'color', colorPrecision: 6, filterSpeckle: 4 });
  const between = performance.now();
  const peer = vectorizeRawSync(data, info, PEER);
  const [ms, peerMs] = [between - started, performance.now() - between];
  const [likeness, peerLikeness] = [await psnr(ours.svg, bytes), await psnr(peer, bytes)];
  const peerPaths = peer.split('<path').length - 1;
  return `| ${name} | ${likeness.toFixed(1)} / ${peerLikeness.toFixed(1)} | ${(likeness - peerLikeness).toFixed(1)} | ${ours.pathCount} / ${peerPaths} | ${(ours.sizeBytes / peer.length).toFixed(2)} | ${ms.toFixed(0)} / ${peerMs.toFixed(0)} |`;
}

async function psnr(svg: string, bytes: Uint8Array): Promise<number> {
  const [drawn, meant] = [await onWhite(Buffer.from(svg)), await onWhite(bytes)];
  const error = drawn.reduce((sum, value, index) => sum + (value - meant[index]!) ** 2, 0) / drawn.length;
  return 10 * Math.log10(255 ** 2 / error);
}

const onWhite = (picture: Uint8Array): Promise<Buffer> =>
  sharp(picture, { unlimited: true })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer();
