import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { countOutlines } from '@atelier/imaging/vectorize/count_outlines.ts';
import { upscalingFactor, VECTOR_NODES_MAX } from '@atelier/imaging/vectorize/limits.ts';
import { vectorizeRawSync } from '@neplex/vectorizer';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import sharp, { type Sharp } from 'sharp';
import { runVectorizeByNetwork } from '../src/core/workers/run_vectorize.ts';
import { bundledPair } from '../src/features/models/bundled.ts';
import { DRAWN, drawVectors } from '../tests/support/draw_vectors.ts';
import { MARKS, type Mark } from './support/marks.ts';
import { VTRACER } from './support/vtracer.ts';

sharp.unblock({ operation: ['VipsForeignLoad'] });

const SHARED = fileURLToPath(new URL('../../shared/images/', import.meta.url));
await initWasm(readFileSync(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')));

const FACTOR = 3;
/** Longer side of the traced images, in pixels. */
const SIDE = 400;

/** Photographs and paintings of at least 1,200 pixels, except three of 768 and more. */
export const PICTURES = [
  'photo/kodak_03.png',
  'photo/kodak_15.png',
  'photo/kodak_23.png',
  'art/starry_night.jpg',
  'art/tubingen_photo.jpg',
  'anime/pepper_2015.jpg',
  'train/budgie-kitten-on-lawn.jpg',
  'train/budgie-casa-mila.jpg',
  'train/flickr-monkey-01.jpg',
  'train/drawing-peppercarrot-kitchen.jpg',
  'train/elementary-mr-lee.jpg',
  'train/engraving-nodier-johannot.jpg',
];

/**
 * Traces evaluated at their display size, enlarged: flat artwork against its true shapes, images against
 * their larger originals.
 */
export async function run(): Promise<string> {
  return [...(await markTable(MARKS)), '', ...(await lossyTable(MARKS)), '', ...(await pictureTable())].join(
    '\n',
  );
}

interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** A trace rendered by resvg at `zoom` times its size, on white if `isOnWhite`. */
export function render(svg: string, zoom: number, isOnWhite = true): Pixels {
  const drawn = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: zoom },
    ...(isOnWhite && { background: '#fff' }),
  }).render();
  const { width, height } = drawn;
  const data = Uint8Array.from(drawn.pixels);
  drawn.free();
  return { width, height, data };
}

export const asPng = ({ width, height, data }: Pixels): Promise<Buffer> =>
  sharp(data, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();

/** The renderer returns premultiplied colour; a file has straight alpha. */
function divideOpacity({ width, height, data }: Pixels): Pixels {
  const divided = new Uint8Array(data);
  for (let at = 0; at < data.length; at += 4)
    for (let channel = 0; channel < 3; channel++)
      divided[at + channel] =
        data[at + 3] === 0 ? 0 : Math.round((255 * data[at + channel]!) / data[at + 3]!);
  return { width, height, data: divided };
}

export function psnr(one: Uint8Array, other: Uint8Array): number {
  let error = 0;
  for (let at = 0; at < one.length; at += 4)
    for (let channel = 0; channel < 3; channel++) error += (one[at + channel]! - other[at + channel]!) ** 2;
  return Math.min(99, 10 * Math.log10(255 ** 2 / Math.max((4 * error) / (3 * one.length), 1e-12)));
}

/** Share of pixels whose channels each differ by at most this many levels. */
function shareWithin(one: Uint8Array, other: Uint8Array, levels: number): number {
  let within = 0;
  for (let at = 0; at < one.length; at += 4)
    if ([0, 1, 2].every((channel) => Math.abs(one[at + channel]! - other[at + channel]!) <= levels)) within++;
  return (4 * within) / one.length;
}

export const draw = (bytes: Uint8Array) => drawVectors(bytes, { nodesMax: VECTOR_NODES_MAX, force: true });

/** Settings of the tool for images of at most 300,000 pixels. */
const drawPicture = (bytes: Uint8Array, size: { width: number; height: number }) =>
  runVectorizeByNetwork({
    ...DRAWN,
    bytes,
    networks: bundledPair(upscalingFactor(size), 'cpu'),
  });

/**
 * Weights of the four nearest samples of a cubic kernel (Catmull and Rom, 1974) at a fraction between the
 * middle two.
 */
const cubicWeights = (t: number): readonly number[] => [
  ((2 - t) * t - 1) * t * 0.5,
  ((3 * t - 5) * t * t + 2) * 0.5,
  ((4 - 3 * t) * t + 1) * t * 0.5,
  (t - 1) * t * t * 0.5,
];

/**
 * Bicubic enlargement of four channels. That of libvips is shifted by a fraction of a pixel, which costs 0.2
 * to 1.1 dB here.
 */
export function enlargeBicubic({ width, height, data }: Pixels): Uint8Array {
  const along = (from: ArrayLike<number>, count: number, length: number, step: number, across: number) => {
    const made = new Float32Array(from.length * FACTOR);
    for (let line = 0; line < count; line++)
      for (let at = 0; at < FACTOR * length; at++) {
        const place = (at + 0.5) / FACTOR - 0.5;
        const weights = cubicWeights(place - Math.floor(place));
        const start = line * across;
        for (const [k, weight] of weights.entries()) {
          const near = Math.min(length - 1, Math.max(0, Math.floor(place) + k - 1));
          for (let channel = 0; channel < step; channel++)
            made[start * FACTOR + at * step + channel]! += weight * from[start + near * step + channel]!;
        }
      }
    return made;
  };
  const wide = along(data, height, width, 4, 4 * width);
  return Uint8ClampedArray.from(along(wide, 1, height, 4 * FACTOR * width, 0)) as unknown as Uint8Array;
}

const elementsOf = (svg: string): number => svg.match(/<(path|rect|circle|ellipse|line|use) /g)?.length ?? 0;

/** Accuracy of marks. */
export async function markTable(marks: readonly Mark[]): Promise<string[]> {
  const rows: string[] = [];
  let exact = 0;
  let equal = 0;
  for (const mark of marks) {
    const small = divideOpacity(render(mark.svg, 1, false));
    const { svg } = await draw(await asPng(small));
    const at = (zoom: number) => [render(svg, zoom).data, render(mark.svg, zoom).data] as const;
    const once = at(1);
    const within = shareWithin(...once, mark.isSoft ? 2 : 0);
    const isExact = mark.isSoft ? within >= 0.995 : within === 1;
    if (isExact) exact++;
    if (shareWithin(...once, 0) === 1) equal++;
    rows.push(
      `| ${mark.name} | ${mark.side} | ${isExact ? 'yes' : 'no'} | ${(100 * within).toFixed(2)} % | ${[1, 4, 8].map((zoom) => psnr(...at(zoom)).toFixed(1)).join(' / ')} | ${elementsOf(svg)} | ${svg.length} |`,
    );
  }
  return [
    '## Flat artwork, traced from pixels, compared with its true shapes (resvg)',
    '',
    `Exact: hard edges equal in every pixel, soft ones within 2 levels in 99.5 % of pixels: ${exact} of ${marks.length}. Equal in every pixel: ${equal}.`,
    '',
    '| mark | px | exact | pixels within | PSNR dB at 1× / 4× / 8× | elements | bytes |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ];
}

/** Lossy files of marks, as in e-mails and web pages. */
const LOSSY = {
  'JPEG, quality 75': (picture: Sharp) => picture.jpeg({ quality: 75 }),
  'JPEG, quality 50': (picture: Sharp) => picture.jpeg({ quality: 50 }),
  'WebP, quality 80': (picture: Sharp) => picture.webp({ quality: 80 }),
};
/** Approximate side, in pixels, at which marks are compressed, and the factor at which they are evaluated. */
const LOSSY_SIDE = 200;
const LOSSY_ZOOM = 4;

/** Marks that were compressed lossily and traced, at four times their size against their true shapes. */
async function lossyTable(marks: readonly Mark[]): Promise<string[]> {
  const rows: string[] = [];
  for (const [name, compress] of Object.entries(LOSSY)) {
    const found = { ours: 0, plain: 0, above: 0, flat: 0, elements: 0 };
    for (const mark of marks) {
      const zoom = Math.max(1, Math.round(LOSSY_SIDE / mark.side));
      const bytes = await compress(sharp(await asPng(render(mark.svg, zoom))).flatten()).toBuffer();
      const truth = render(mark.svg, LOSSY_ZOOM * zoom);
      const { svg } = await draw(bytes);
      const enlarged = sharp(bytes).ensureAlpha().resize(truth.width, truth.height, { kernel: 'cubic' });
      const [ours, plain] = [render(svg, LOSSY_ZOOM).data, await enlarged.raw().toBuffer()].map((data) =>
        psnr(data, truth.data),
      ) as [number, number];
      found.ours += ours / marks.length;
      found.plain += plain / marks.length;
      found.elements += elementsOf(svg) / marks.length;
      if (ours > plain) found.above++;
      if (svg.includes('<g id="color-')) found.flat++;
    }
    rows.push(
      `| ${name} | ${found.ours.toFixed(1)} | ${found.plain.toFixed(1)} | ${found.above} | ${found.flat} | ${found.elements.toFixed(0)} |`,
    );
  }
  return [
    `## The same marks compressed at about ${LOSSY_SIDE} px, traced, and rendered at ${LOSSY_ZOOM}×, compared with their true shapes`,
    '',
    `| file | mean PSNR dB | bicubic enlargement | above it, of ${marks.length} | drawn as flat artwork | elements, mean |`,
    '|---|---|---|---|---|---|',
    ...rows,
  ];
}

/** Similarity of enlarged images. */
export async function pictureTable(): Promise<string[]> {
  const rows: string[] = [];
  let above = 0;
  const there = PICTURES.filter((name) => existsSync(SHARED + name));
  for (const name of there) {
    const { large, small } = await reduced(SHARED + name);
    const bytes = await asPng(small);
    const { svg } = await drawPicture(bytes, small);
    const peer = vectorizeRawSync(
      Buffer.from(small.data),
      { width: small.width, height: small.height },
      VTRACER,
    );
    const [ours, theirs, plain] = [
      render(svg, FACTOR).data,
      render(peer, FACTOR).data,
      enlargeBicubic(small),
    ].map((data) => psnr(data, large.data)) as [number, number, number];
    if (ours > plain) above++;
    rows.push(
      `| ${name.replace(/^.*\/|\.\w+$/g, '')} | ${small.width} × ${small.height} | ${psnr(render(svg, 1).data, small.data).toFixed(1)} / ${psnr(render(peer, 1).data, small.data).toFixed(1)} | ${ours.toFixed(2)} | ${signed(ours - plain)} | ${signed(ours - theirs)} | ${countOutlines(svg)} / ${countOutlines(peer)} | ${svg.match(/<(linear|radial)Gradient/g)?.length ?? 0} | ${Math.round(svg.length / 1000)} / ${Math.round(peer.length / 1000)} |`,
    );
  }
  return [
    `## Photographs and paintings, reduced by ${FACTOR}, traced, and rendered at ${FACTOR}×, compared with the original`,
    '',
    `Above bicubic enlargement: ${above} of ${there.length}.`,
    '',
    '| picture | drawn from | PSNR dB at 1× ours / vtracer | at 3× | against bicubic | against vtracer | subpaths ours / vtracer | gradients | kB ours / vtracer |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows,
  ];
}

const signed = (gain: number): string => (gain < 0 ? gain.toFixed(2) : `+${gain.toFixed(2)}`);

/** An image and its reduced copy: its sides are multiples of the factor. */
export async function reduced(file: string): Promise<{ large: Pixels; small: Pixels }> {
  const { width: across, height: down } = await sharp(file).metadata();
  const scale = Math.min(1, (FACTOR * SIDE) / Math.max(across, down));
  const [width, height] = [across, down].map((side) => Math.floor((side * scale) / FACTOR)) as [
    number,
    number,
  ];
  const read = (picture: ReturnType<typeof sharp>): Promise<Buffer> =>
    picture.flatten({ background: '#fff' }).toColourspace('srgb').ensureAlpha().raw().toBuffer();
  const large = await read(sharp(file).resize(FACTOR * width, FACTOR * height, { fit: 'fill' }));
  const small = await read(
    sharp(large, { raw: { width: FACTOR * width, height: FACTOR * height, channels: 4 } }).resize(
      width,
      height,
      {
        fit: 'fill',
        kernel: 'cubic',
      },
    ),
  );
  return {
    large: { width: FACTOR * width, height: FACTOR * height, data: large },
    small: { width, height, data: small },
  };
}
