import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VECTOR_NODES_MAX } from '@atelier/imaging/vectorize/limits.ts';
import { type VectorizeRequest, vectorizeImage } from '@atelier/imaging/vectorize/vectorize_image.ts';
import { vectorizeRawSync } from '@neplex/vectorizer';
import ImageTracer from 'imagetracerjs';
import sharp from 'sharp';
import { optimize } from 'svgo';
import { VTRACER } from './support/vtracer.ts';

// The engines' sharp cannot read SVG or files by name, which this benchmark needs.
sharp.unblock({ operation: ['VipsForeignLoad'] });

const SHARED = fileURLToPath(new URL('../../shared/images/', import.meta.url));
/** Debian's packages python3-skimage and gnome-backgrounds. */
const SKIMAGE = '/usr/lib/python3/dist-packages/skimage/data/';
const GNOME = '/usr/share/backgrounds/gnome/';

/** The available images of those that the target names, and others of the same kinds. */
const PICTURES = [
  ['astronaut', `${SKIMAGE}astronaut.png`],
  ['coffee', `${SKIMAGE}coffee.png`],
  ['logo', `${SKIMAGE}logo.png`],
  ['page (scan)', `${SKIMAGE}page.png`],
  ['adwaita', `${GNOME}adwaita-l.webp`],
  ['dune', `${GNOME}dune-l.svg`],
  ['field', `${GNOME}field-l.svg`],
  ['blobs', `${GNOME}blobs-l.svg`],
  ['kodak_23', `${SHARED}photo/kodak_23.png`],
  ['pepper_2015', `${SHARED}anime/pepper_2015.jpg`],
  ['pepper_broom', `${SHARED}anime/pepper_broom_rgba.png`],
  ['ppt3', `${SHARED}sr/set14/x4/HR/ppt3.png`],
  ['starry_night', `${SHARED}art/starry_night.jpg`],
  ['comic', `${SHARED}sr/set14/x4/HR/comic.png`],
] as const;
const SIDE_PX = 1024;

const SETTINGS = [
  { name: 'cp6 fs4', colorPrecision: 6, filterSpeckle: 4 },
  { name: 'cp8 fs4', colorPrecision: 8, filterSpeckle: 4 },
  { name: 'cp4 fs4', colorPrecision: 4, filterSpeckle: 4 },
  { name: 'cp6 fs20', colorPrecision: 6, filterSpeckle: 20 },
] as const;
/** The tracer takes 24 s for a smooth image at this precision. */
const TOO_SLOW = new Set(['adwaita cp8 fs4']);
/** The target names settings for eight of the images; the others use the defaults. */
const TARGETED = 8;

interface Row {
  readonly svg: string;
  readonly ms: number;
  readonly nodeCount: number;
}

/** CPU time of this process, including system time. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Traces compared with those of other tracers: similarity of the trace rendered on white, paths, bytes and
 * CPU time.
 */
export async function run(): Promise<string> {
  const absent = PICTURES.filter(([, file]) => !existsSync(file)).map(([name]) => name);
  const pictures = await Promise.all(
    PICTURES.filter(([, file]) => existsSync(file)).map(async ([name, file]) => ({
      name,
      bytes: await shown(file),
    })),
  );
  if (pictures.length === 0) return 'vectorize: skipped, none of its pictures is there';
  const rows: string[] = [];
  for (const picture of pictures) {
    const isTargeted = PICTURES.findIndex(([name]) => name === picture.name) < TARGETED;
    for (const setting of isTargeted ? SETTINGS : SETTINGS.slice(0, 1))
      if (!TOO_SLOW.has(`${picture.name} ${setting.name}`)) rows.push(await againstTracer(picture, setting));
  }
  const others: string[] = [];
  for (const picture of pictures) others.push(await againstOthers(picture));
  return [
    '## Traces compared with the bare tracer (vtracer) at the same settings',
    '',
    'Gain: dB of PSNR of the drawing rendered (librsvg) on white. Ratios: ours by the tracer’s. Time: processor time.',
    ...(absent.length > 0 ? ['', `Absent here: ${absent.join(', ')}.`] : []),
    '',
    '| picture | settings | gain dB | PSNR dB ours / tracer | paths ours / tracer | nodes | bytes | time | left by svgo |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
    '## Traces in two tones compared with potrace, and in colour with imagetracerjs (16 colours)',
    '',
    '| picture | binary: PSNR dB ours / potrace | bytes | time | colour: gain dB | paths | bytes | time |',
    '|---|---|---|---|---|---|---|---|',
    ...others,
    '',
    '∞: at half brightness the picture is of one tone.',
  ].join('\n');
}

export interface Picture {
  readonly name: string;
  readonly bytes: Buffer;
}

const shown = (file: string): Promise<Buffer> =>
  sharp(file)
    .resize(SIDE_PX, SIDE_PX, { fit: 'inside', withoutEnlargement: !file.endsWith('.svg') })
    .toColourspace('srgb')
    .png()
    .toBuffer();

async function ours(bytes: Buffer, wanted: Partial<VectorizeRequest>): Promise<Row> {
  const started = processorMs();
  const { svg, nodeCount } = await vectorizeImage({
    bytes,
    mode: 'color',
    colorPrecision: 6,
    filterSpeckle: 4,
    palette: [],
    gradients: true,
    nodesMax: VECTOR_NODES_MAX,
    force: true,
    ...wanted,
  });
  return { svg, nodeCount, ms: processorMs() - started };
}

/** A row of the table against the bare tracer. */
export async function againstTracer(
  { name, bytes }: Picture,
  setting: (typeof SETTINGS)[number],
): Promise<string> {
  const { colorPrecision, filterSpeckle } = setting;
  const drawn = await ours(bytes, { colorPrecision, filterSpeckle });
  const started = processorMs();
  // Decoding is part of the work, as in the service.
  const { data, info } = await decodedRgba(bytes);
  const svg = vectorizeRawSync(data, info, { ...VTRACER, colorPrecision, filterSpeckle });
  const peer = { svg, nodeCount: svg.match(/[CL]/g)?.length ?? 0, ms: processorMs() - started };
  const [likeness, peerLikeness] = [await psnr(drawn.svg, bytes), await psnr(svg, bytes)];
  const left = Buffer.byteLength(optimize(drawn.svg).data) / Buffer.byteLength(drawn.svg);
  return `| ${name} | ${setting.name} | ${signed(likeness - peerLikeness)} | ${likeness.toFixed(1)} / ${peerLikeness.toFixed(1)} | ${paths(drawn.svg)} / ${paths(svg)} | ${drawn.nodeCount} / ${peer.nodeCount} | ${ratio(drawn.svg.length, svg.length)} | ${ratio(drawn.ms, peer.ms)} | ${(100 * left).toFixed(1)} % |`;
}

async function againstOthers({ name, bytes }: Picture): Promise<string> {
  const potraceCells = await againstPotrace(bytes);
  const drawn = await ours(bytes, {});
  const started = processorMs();
  const { data, info } = await decodedRgba(bytes);
  const image = { width: info.width, height: info.height, data: new Uint8ClampedArray(data) };
  const svg: string = ImageTracer.imagedataToSVG(image, { numberofcolors: 16 });
  const ms = processorMs() - started;
  const gain = (await psnr(drawn.svg, bytes)) - (await psnr(svg, bytes));
  return `| ${name} | ${potraceCells} | ${signed(gain)} | ${paths(drawn.svg)} / ${paths(svg)} | ${ratio(drawn.svg.length, svg.length)} | ${ratio(drawn.ms, ms)} |`;
}

/** PSNR, bytes and time in two tones. */
export async function againstPotrace(bytes: Buffer): Promise<string> {
  const two = await potrace(bytes);
  if (!two) return 'potrace absent | – | –';
  const binary = await ours(two.page, { mode: 'binary', filterSpeckle: 2 });
  return `${decibels(await psnr(binary.svg, two.page))} / ${decibels(await psnr(two.svg, two.page))} | ${ratio(binary.svg.length, two.svg.length)} | ${ratio(binary.ms, two.ms)}`;
}

/**
 * The trace of potrace for the image in black and white, and that bitmap. Its time is that of the whole
 * program.
 */
async function potrace(bytes: Buffer): Promise<(Omit<Row, 'nodeCount'> & { page: Buffer }) | undefined> {
  const page = await sharp(bytes).flatten({ background: '#fff' }).greyscale().threshold(128).png().toBuffer();
  const { data, info } = await sharp(page).greyscale().raw().toBuffer({ resolveWithObject: true });
  const folder = mkdtempSync(join(tmpdir(), 'potrace-'));
  try {
    const [input, output] = [join(folder, 'page.pgm'), join(folder, 'page.svg')];
    writeFileSync(input, Buffer.concat([Buffer.from(`P5 ${info.width} ${info.height} 255\n`), data]));
    const started = performance.now();
    execFileSync('potrace', ['-s', '-t', '3', input, '-o', output]);
    return { svg: readFileSync(output, 'utf8'), ms: performance.now() - started, page };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const decodedRgba = (bytes: Buffer) =>
  sharp(bytes)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });

async function psnr(svg: string, bytes: Uint8Array): Promise<number> {
  const meant = await onWhite(bytes);
  const drawn = await onWhite(Buffer.from(svg), meant.info);
  let error = 0;
  for (let at = 0; at < drawn.data.length; at++) error += (drawn.data[at]! - meant.data[at]!) ** 2;
  return 10 * Math.log10(255 ** 2 / (error / drawn.data.length));
}

function onWhite(picture: Uint8Array, size?: { width: number; height: number }) {
  const source = sharp(picture, { unlimited: true });
  if (size) source.resize(size.width, size.height, { fit: 'fill' });
  return source
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
}

const paths = (svg: string): number => svg.split('<path').length - 1;
const decibels = (value: number): string => (value === Infinity ? '∞' : value.toFixed(1));
const ratio = (one: number, other: number): string => (one / other).toFixed(2);
const signed = (gain: number): string => (gain < 0 ? gain.toFixed(1) : `+${gain.toFixed(1)}`);
