import { gunzipSync } from 'node:zlib';
import { brokenPicture } from '../codecs/headers/header.ts';
import { readHeader } from '../codecs/read_header.ts';
import { parseCssColor } from '../color/css_color.ts';
import { EngineError } from '../errors/engine_error.ts';
import type { Size } from '../pixels/plane.ts';
import { refuseSize } from './bounds.ts';
import { SVG_BYTES_MAX, SVG_DPI, SVG_IMAGES_MAX, SVG_PIXELS_MAX } from './limits.ts';
import type { DecodedPicture, DecodeOptions, DecoderResources } from './types.ts';
import { compileModule } from './webassembly_modules.ts';

type Resvg = typeof import('@resvg/resvg-wasm');
let opened: Promise<Resvg> | undefined;

const GZIP = 0x1f8b;

/**
 * Renders an SVG at its intrinsic size, or at the size needed to cover `drawnFor`, with transparency. Nothing outside the file is read: linked images
 * are omitted, and text uses the fonts of the service.
 * @param options.dpi default: 96, the CSS pixel
 */
export async function decodeSvg(
  bytes: Uint8Array,
  { dpi = SVG_DPI, drawnFor, resources }: DecodeOptions,
): Promise<DecodedPicture> {
  const text = readSvgText(bytes);
  refuseEmbeddedImages(text);
  const resvg = await openResvg(resources);
  try {
    const { text: plain, unread } = plainSvgColors(text);
    const drawn = draw(resvg, plain, { zoom: dpi / SVG_DPI, drawnFor, fonts: resources.readFonts() });
    return { ...drawn, warnings: [...drawn.warnings, ...unread.map(unreadColor)] };
  } catch (error) {
    if (error instanceof EngineError) throw error;
    // resvg throws its own messages, or traps.
    throw brokenPicture('the SVG is damaged, or nested too deeply');
  }
}

const unreadColor = (name: string): string =>
  `A colour ${name}(…) of the SVG is not known here and was drawn black. Write it as #rrggbb.`;

/** Loads the library once per process. */
export async function openResvg(resources: Pick<DecoderResources, 'readModule'>): Promise<Resvg> {
  const module = compileModule('@resvg/resvg-wasm', 'SVG', resources);
  opened ??= import('@resvg/resvg-wasm').then(async (library) => {
    await library.initWasm(module);
    return library;
  });
  return opened;
}

/** @throws EngineError image_too_large, undecodable_image */
export function readSvgText(bytes: Uint8Array): string {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isPacked = file.length > 2 && file.readUInt16BE(0) === GZIP;
  const unpacked = isPacked ? gunzip(file) : file;
  if (unpacked.length > SVG_BYTES_MAX) throw tooLong();
  return new TextDecoder(encodingOf(unpacked)).decode(unpacked);
}

/** From the byte order mark, else the XML declaration, else UTF-8. */
function encodingOf(file: Buffer): string {
  const mark = file.toString('hex', 0, 2);
  if (mark === 'fffe') return 'utf-16le';
  if (mark === 'feff') return 'utf-16be';
  const named = /^[^<]{0,3}<\?xml[^>]{0,200}?encoding=["']([\w-]{1,40})["']/.exec(
    file.toString('latin1', 0, 300),
  )?.[1];
  try {
    return new TextDecoder(named).encoding;
  } catch {
    return 'utf-8';
  }
}

function gunzip(file: Buffer): Buffer {
  try {
    return gunzipSync(file, { maxOutputLength: SVG_BYTES_MAX });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLong();
    throw brokenPicture('the compressed SVG is damaged');
  }
}

const tooLong = () =>
  new EngineError(
    'image_too_large',
    `The SVG has more than ${SVG_BYTES_MAX / 1024 / 1024} MiB of text. Send a simpler one, or a PNG of it.`,
  );

const EMBEDDED = /data:image\/(?:png|jpe?g|gif|webp)[^,"'>]{0,100};base64,([\s\w+/=&;#]{1,})/gi;

/** Rejects large embedded images, which are decoded with the SVG: together they may be as large as one image. */
export function refuseEmbeddedImages(text: string): void {
  let [count, pixels] = [0, 0];
  for (const [, data = ''] of text.matchAll(EMBEDDED)) {
    const { width, height } = readHeader(Buffer.from(data, 'base64'));
    count += 1;
    pixels += width * height;
    if (count > SVG_IMAGES_MAX || pixels > SVG_PIXELS_MAX)
      throw new EngineError(
        'image_too_large',
        `The images inside the SVG are too many or too large; at most ${SVG_IMAGES_MAX} of ${SVG_PIXELS_MAX / 1e6} million pixels together are read.`,
      );
  }
}

function draw(
  { Resvg }: Resvg,
  text: string,
  {
    zoom: asked,
    drawnFor,
    fonts,
  }: Pick<DecodeOptions, 'drawnFor'> & { zoom: number; fonts: readonly Uint8Array[] },
): DecodedPicture {
  const open = (value: number) =>
    new Resvg(text, { dpi: SVG_DPI, fitTo: { mode: 'zoom', value }, font: { fontBuffers: [...fonts] } });
  let drawing = open(asked);
  const zoom = zoomFor(drawing, asked, drawnFor);
  if (zoom !== asked) {
    drawing.free();
    drawing = open(zoom);
  }
  try {
    const size = { width: Math.ceil(drawing.width * zoom), height: Math.ceil(drawing.height * zoom) };
    refuseSize('SVG', size, SVG_PIXELS_MAX);
    const isLinked = drawing.imagesToResolve().length > 0;
    const image = drawing.render();
    const { width, height } = image;
    const data = divideByAlpha(image.pixels);
    image.free();
    return { width, height, channels: 4, data, warnings: warningsOf(text, isLinked) };
  } finally {
    drawing.free();
  }
}

/** The zoom at which an SVG covers a size, within the pixel limit and at least as requested. */
function zoomFor({ width, height }: Size, asked: number, drawnFor: Size | undefined): number {
  if (!drawnFor) return asked;
  const covering = Math.max(drawnFor.width / width, drawnFor.height / height);
  // Sides are rounded up.
  const most = Math.sqrt(SVG_PIXELS_MAX / ((width + 1) * (height + 1)));
  return Math.max(asked, Math.min(covering, most));
}

const warningsOf = (text: string, isLinked: boolean): string[] => [
  ...(isLinked ? ['Images that the SVG links to were left out. Embed them to have them drawn.'] : []),
  ...(/<(?:\w+:)?text[\s>]/.test(text)
    ? ['Text in the SVG was set in a font of this server. Convert it to paths to keep its own.']
    : []),
];

/** Converts premultiplied colours, as returned by resvg. */
export function divideByAlpha(data: Uint8Array): Uint8Array {
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3]!;
    if (alpha === 0 || alpha === 255) continue;
    for (let channel = at; channel < at + 3; channel += 1)
      data[channel] = Math.min(255, Math.round((data[channel]! * 255) / alpha));
  }
  return data;
}

/** Colours in an SVG: attributes and CSS declarations. */
const COLORS =
  /\b((?:fill|stroke|color|stop-color|flood-color|lighting-color)\s{0,20}[:=]\s{0,20}["']?\s{0,20})(rebeccapurple\b|[a-z-]{3,12}\([^()"';]{1,200}\))/gi;
const UNREAD_MAX = 5;

/**
 * Rewrites CSS Color 4 colours in CSS 2 notation: resvg reads no others and draws them black. Supports rebeccapurple, rgb(255 0 0 / 50%), hwb, lab,
 * oklch.
 * @returns also the names of unsupported colour functions
 */
export function plainSvgColors(text: string): { readonly text: string; readonly unread: readonly string[] } {
  const unread = new Set<string>();
  const plain = text.replace(COLORS, (whole, before: string, sent: string) => {
    if (/^url\(/i.test(sent)) return whole;
    const color = parseCssColor(sent);
    if (!color) {
      if (unread.size < UNREAD_MAX) unread.add(sent.slice(0, sent.indexOf('(')));
      return whole;
    }
    const [red, green, blue] = color.slice(0, 3).map((value) => Math.round(255 * value));
    return `${before}rgba(${red},${green},${blue},${color[3]})`;
  });
  return { text: plain, unread: [...unread] };
}
