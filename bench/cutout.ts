import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compose } from '@atelier/engines/matte/compose.ts';
import { cutOutObject } from '@atelier/engines/matte/cut_out.ts';
import { enlargePlane } from '@atelier/engines/matte/resample.ts';
import { type Segment, segmentByColor } from '@atelier/engines/matte/segment.ts';
import { segmentByNetwork } from '@atelier/engines/matte/segment_by_network.ts';
import { SEGMENTERS } from '@atelier/engines/matte/segmenters.ts';
import { openSession } from '@atelier/engines/onnx/open_session.ts';
import type { Plane } from '@atelier/engines/pixels/plane.ts';
import type { Raster } from '@atelier/engines/pixels/raster.ts';
import sharp from 'sharp';

// The engines' sharp reads no files by name; this bench does.
sharp.unblock({ operation: ['VipsForeignLoad'] });

const SHARED = fileURLToPath(new URL('../../shared/', import.meta.url));
const PAIRS = ['GT04', 'GT08', 'GT13', 'GT18', 'davis_car'];
/** With opacity of their own: laid on flat grounds and cut out again. */
const LAID = ['anime/pepper_broom_rgba.png', 'special/children-alpha.png', 'special/tree_alpha_16bit.png'];
const GROUNDS = ['white', 'lit'] as const;
const NETWORK = 'u2netp';
const LARGE = { width: 6000, height: 4000 };

/** IoU and mean error of opacity against known mattes: both engines, and the bare network; flat grounds; time and memory. */
export async function run(): Promise<string> {
  if (!existsSync(`${SHARED}images/matting`)) return 'cutout: skipped, ../shared/images is absent';
  const graph = `${SHARED}models/${NETWORK}.onnx`;
  const session = existsSync(graph) ? await openSession(readFileSync(graph)) : undefined;
  const network = session && segmentByNetwork(session, SEGMENTERS[NETWORK]);
  const pairs: string[] = [];
  for (const name of PAIRS) pairs.push(await pairLine(name, network));
  const laid: string[] = [];
  for (const name of LAID) for (const ground of GROUNDS) laid.push(await laidLine(name, ground));
  return [
    '## Cut-outs against known mattes (IoU at one half / mean error of opacity)',
    '',
    `| picture | ${NETWORK} alone | ${NETWORK} refined | without weights | halo, refined / without | ms, refined / without |`,
    '|---|---|---|---|---|---|',
    ...pairs,
    '',
    '| laid on a flat ground, without weights | IoU / mean error | halo | ms |',
    '|---|---|---|---|',
    ...laid,
    '',
    await largeLine(),
  ].join('\n');
}

interface Scored {
  readonly text: string;
  readonly halo: string;
  readonly ms: string;
}

async function pairLine(name: string, network: Segment | undefined): Promise<string> {
  const file = ['png', 'jpg']
    .map((type) => `${SHARED}images/matting/${name}_image.${type}`)
    .find(existsSync)!;
  const picture = await colorsOf(file);
  const truth = await truthOf(`${SHARED}images/matting/${name}_alpha.png`);
  const bare = network ? scores(enlargePlane((await network(picture)).mask, truth).data, truth.data) : '–';
  const refined = network ? await scored(picture, truth, network) : { text: '–', halo: '–', ms: '–' };
  const own = await scored(picture, truth, segmentByColor);
  return `| ${name} | ${bare} | ${refined.text} | ${own.text} | ${refined.halo} / ${own.halo} | ${refined.ms} / ${own.ms} |`;
}

async function laidLine(name: string, ground: (typeof GROUNDS)[number]): Promise<string> {
  const { data, info } = await sharp(`${SHARED}images/${name}`)
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const colors = new Uint8Array(width * height * 3);
  const truth = new Float32Array(width * height);
  for (let pixel = 0; pixel < truth.length; pixel++) {
    const alpha = data[pixel * 4 + 3]! / 255;
    truth[pixel] = alpha;
    const light = ground === 'white' ? 255 : 150 + (60 * pixel) / truth.length;
    for (let side = 0; side < 3; side++)
      colors[pixel * 3 + side] = Math.round(alpha * data[pixel * 4 + side]! + (1 - alpha) * light);
  }
  const picture = { width, height, channels: 3, data: colors } as const;
  const { text, halo, ms } = await scored(picture, { width, height, data: truth }, segmentByColor);
  return `| ${name.split('/').at(-1)} on ${ground} | ${text} | ${halo} | ${ms} |`;
}

async function scored(picture: Raster, truth: Plane, segment: Segment): Promise<Scored> {
  const start = performance.now();
  const found = await cutOutObject(picture, segment);
  const { data } = compose(found.cutOut, { kind: 'mask' });
  const ms = performance.now() - start;
  const alpha = Float32Array.from(data, (level) => level / 255);
  return { text: scores(alpha, truth.data), halo: found.figures.haloScore.toFixed(2), ms: ms.toFixed(0) };
}

/** A disc on a lit ground at 24 megapixels: time, and what the process held at most more than before. */
async function largeLine(): Promise<string> {
  const { width, height } = LARGE;
  const data = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    const isDisc = Math.hypot(x - width / 2, y - height / 2) < height / 3;
    data.set(isDisc ? [40, 60, 150] : [200 + (40 * y) / height, 205, 210], pixel * 3);
  }
  const start = performance.now();
  const { cutOut } = await cutOutObject({ width, height, channels: 3, data }, segmentByColor);
  compose(cutOut, { kind: 'transparent' });
  const ms = performance.now() - start;
  return `6000 × 4000: ${(ms / 1000).toFixed(1)} s, ${Math.round(process.memoryUsage().rss / 1e6)} MB held by the process, picture and result included.`;
}

async function colorsOf(file: string): Promise<Raster> {
  const { data, info } = await sharp(file)
    .toColourspace('srgb')
    .removeAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: 3, data };
}

async function truthOf(file: string): Promise<Plane> {
  const { data, info } = await sharp(file)
    .extractChannel(0)
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: Float32Array.from(data, (level) => level / 255) };
}

function scores(alpha: Float32Array, truth: Float32Array): string {
  let [both, either, error] = [0, 0, 0];
  for (let pixel = 0; pixel < truth.length; pixel++) {
    const [is, should] = [alpha[pixel]! >= 0.5, truth[pixel]! >= 0.5];
    if (is && should) both++;
    if (is || should) either++;
    error += Math.abs(alpha[pixel]! - truth[pixel]!);
  }
  return `${(both / either).toFixed(3)} / ${(error / truth.length).toFixed(4)}`;
}
