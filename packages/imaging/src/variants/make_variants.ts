import { basicMetadata } from '../codecs/basic_metadata.ts';
import { readHeader } from '../codecs/read_header.ts';
import { readReduced } from '../codecs/read_reduced.ts';
import { chooseCrop } from '../crop/choose_crop.ts';
import { encodePicture, sourceOf } from '../encoders/encode_picture.ts';
import { FORMAT_TRAITS, type OutputFormat } from '../encoders/formats.ts';
import { ICON_SIDES_PX } from '../encoders/limits.ts';
import { writeIco } from '../encoders/write_ico.ts';
import type { Box } from '../pixels/box.ts';
import type { Size } from '../pixels/plane.ts';
import { hasAlpha, type Raster } from '../pixels/raster.ts';
import { resample } from '../resample/resample.ts';

/** One image of a set. */
export interface Variant {
  /** File name with extension. */
  readonly name: string;
  readonly width: number;
  /** Default: from the aspect ratio of the image; such a variant is never enlarged. */
  readonly height?: number | undefined;
  readonly format: OutputFormat;
  /** 1 to 100, for lossy encoding. Default: that of the format. */
  readonly quality?: number | undefined;
  /** Padding of an isolated subject as a fraction of each side. Default: padding only if a crop would cut the subject. */
  readonly margin?: number | undefined;
  /** The variant must not be transparent. */
  readonly isOpaque?: boolean | undefined;
}

/** Detected regions, as fractions of width and height. */
export interface Located {
  readonly faces: readonly Box[];
  readonly places: readonly Box[];
  /** The surroundings are transparent or of one colour, so the canvas can be extended. */
  readonly isIsolated: boolean;
}

export interface VariantsRequest {
  readonly bytes: Uint8Array;
  readonly variants: readonly Variant[];
  /**
   * `pad`: nothing is cropped, the rest is background. `cover`: the centre. `subject`: the largest crop around the detected regions, or all
   * of an isolated subject on its background.
   */
  readonly fit: 'subject' | 'cover' | 'pad';
  readonly located?: Located | undefined;
  /** Hex colour. Default: transparent if the image is and the format supports it, otherwise the common colour of the corners, or white. */
  readonly background?: string | undefined;
}

export interface MadeVariant extends Size {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** The visible region, in image pixels. */
  readonly box: Box;
  /** Enlargement factor; absent if not enlarged. */
  readonly enlarged?: number;
  /** Number of faces cut by the edge. */
  readonly facesCut: number;
}

/** A variant is made from a level at least this many times as large, so that the remaining reduction filters finely. */
const SPARE = 2;

/**
 * Makes images of several sizes from one that is decoded once. Reductions average linear light, from a level at least twice as large;
 * enlargements work in gamma, like `resizeImage`. Metadata is dropped.
 * @throws EngineError undecodable_image, unsupported_image, image_too_large, unsuitable_image
 */
export async function makeVariants(request: VariantsRequest): Promise<MadeVariant[]> {
  const { bytes } = request;
  const { orientation, upright } = await basicMetadata(bytes);
  const variants = withoutRepeats(request.variants, upright);
  const shapes = variants.map((variant) => shapeOf(variant, request, upright));
  const shrink = Math.min(
    ...shapes.map(({ box, content }) => Math.min(box.width / content.width, box.height / content.height)),
  );
  const header = readHeader(bytes);
  const { raster, part } = await readReduced(bytes, { header, orientation, shrink: Math.max(1, shrink) });
  const picture: Decoded = { levels: [raster], part, whole: upright };
  const background = request.background ?? cornerColor(raster);
  const made: MadeVariant[] = [];
  for (const [at, variant] of variants.entries()) {
    const shape = shapes[at]!;
    const { box, content, facesCut } = shape;
    const isBare = request.background === undefined && hasAlpha(raster) && !variant.isOpaque;
    const ground = isBare ? undefined : background;
    const file = await write(variant, shape, { picture, ground });
    const enlarged = Math.max(content.width / box.width, content.height / box.height);
    made.push({ name: variant.name, ...file, box, facesCut, ...(enlarged > 1.01 && { enlarged }) });
  }
  return made;
}

/** Of the variants that would be enlarged at the image's own aspect ratio, only the first stays, at the size of the image. */
const withoutRepeats = (variants: readonly Variant[], picture: Size): readonly Variant[] => {
  const first = variants.find((variant) => isWider(variant, picture));
  return variants.filter((variant) => variant === first || !isWider(variant, picture));
};
const isWider = ({ width, height }: Variant, picture: Size): boolean =>
  height === undefined && width > picture.width;

interface Decoded {
  /** Image pyramid, each level half the previous one; extended on demand. */
  readonly levels: Raster[];
  /** Position of the whole image, in pixels of the first level. */
  readonly part: Size & { readonly left: number; readonly top: number };
  readonly whole: Size;
}

interface Shape {
  /** Source region, in image pixels. */
  readonly box: Box;
  /** Size and position of that region in the variant. */
  readonly content: Size & { readonly left: number; readonly top: number };
  readonly size: Size;
  readonly facesCut: number;
}

/** Chooses the visible region of a variant and its position. */
function shapeOf(variant: Variant, { fit, located }: VariantsRequest, picture: Size): Shape {
  const whole = { x: 0, y: 0, ...picture };
  if (variant.height === undefined) {
    const width = Math.min(variant.width, picture.width);
    const size = { width, height: Math.max(1, Math.round((picture.height * width) / picture.width)) };
    return { box: whole, content: { left: 0, top: 0, ...size }, size, facesCut: 0 };
  }
  const size = { width: variant.width, height: variant.height };
  const inPixels = (boxes: readonly Box[] = []) =>
    boxes.map(({ x, y, width, height }) => ({
      x: x * picture.width,
      y: y * picture.height,
      width: width * picture.width,
      height: height * picture.height,
    }));
  const pad = (box: Box, margin: number): Shape => ({
    box,
    content: contentOf(box, size, margin),
    size,
    facesCut: 0,
  });
  if (fit === 'pad') return pad(whole, 0);
  const [faces, places] = [inPixels(located?.faces), inPixels(located?.places)];
  const { box, cut } = chooseCrop({
    picture,
    aspect: size.width / size.height,
    ...(fit === 'subject' && { faces, places }),
  });
  const isPadded =
    fit === 'subject' && located?.isIsolated && (variant.margin !== undefined || cut.places > 0);
  if (isPadded) return pad(chooseCrop({ picture, places, padding: 0 }).box, variant.margin ?? PAD_MARGIN);
  return { box, content: { left: 0, top: 0, ...size }, size, facesCut: cut.faces };
}

/** Padding around an isolated subject that a crop would cut, as a fraction of each side. */
const PAD_MARGIN = 0.06;

function contentOf(box: Box, size: Size, margin: number): Shape['content'] {
  const room = { width: size.width * (1 - 2 * margin), height: size.height * (1 - 2 * margin) };
  const scale = Math.min(room.width / box.width, room.height / box.height);
  const width = Math.min(size.width, Math.max(1, Math.round(box.width * scale)));
  const height = Math.min(size.height, Math.max(1, Math.round(box.height * scale)));
  return {
    width,
    height,
    left: Math.floor((size.width - width) / 2),
    top: Math.floor((size.height - height) / 2),
  };
}

interface Painting {
  readonly picture: Decoded;
  /** Hex colour; absent means transparent. */
  readonly ground: string | undefined;
}

async function write(variant: Variant, shape: Shape, painting: Painting) {
  const { format, quality, isOpaque } = variant;
  const { contentType, coding, quality: usual } = FORMAT_TRAITS[format];
  if (format === 'ico') {
    const sizes = ICON_SIDES_PX.filter((side) => side <= Math.max(shape.size.width, shape.size.height));
    const sides = sizes.length > 0 ? sizes : ICON_SIDES_PX.slice(0, 1);
    const drawn = new Map(sides.map((side) => [side as number, paint(scaled(shape, side), painting, false)]));
    const { bytes, side } = await writeIco((asked) => sourceOf(drawn.get(asked)!).open(), shape.size);
    return { bytes, contentType, width: side, height: side };
  }
  const raster = paint(shape, painting, isOpaque ?? !FORMAT_TRAITS[format].alpha);
  const encoded = await encodePicture(
    { kind: 'pages', pages: [sourceOf(raster)] },
    {
      format,
      quality: quality ?? usual ?? 100,
      isLossless: coding !== 'lossy' && format !== 'webp' && format !== 'avif',
    },
  );
  return { bytes: encoded.bytes, contentType, width: encoded.width, height: encoded.height };
}

/** The same shape, scaled to a longer side in pixels. */
function scaled({ box, content, facesCut, size }: Shape, side: number): Shape {
  const scale = side / Math.max(size.width, size.height);
  const [width, height] = [
    Math.max(1, Math.round(content.width * scale)),
    Math.max(1, Math.round(content.height * scale)),
  ];
  const left = Math.floor((side - width) / 2);
  const top = Math.floor((side - height) / 2);
  return { box, facesCut, size: { width: side, height: side }, content: { width, height, left, top } };
}

/** Renders the pixels of a variant. */
function paint({ box, content, size }: Shape, { picture, ground }: Painting, isOpaque: boolean): Raster {
  const shown = resampled(picture, box, content);
  const isWhole = content.width === size.width && content.height === size.height;
  if (isWhole && (!hasAlpha(shown) || (!isOpaque && ground === undefined))) return shown;
  const channels = ground === undefined && !isOpaque ? 4 : 3;
  const [red, green, blue] = samplesOf(ground ?? '#ffffff');
  const data = new Uint8Array(size.width * size.height * channels);
  if (channels === 3) for (let at = 0; at < data.length; at += 3) data.set([red, green, blue], at);
  const canvas: Raster = { ...size, channels, data };
  lay(shown, canvas, content);
  return canvas;
}

/** Composites an image onto an opaque or empty canvas, in encoded sRGB as browsers do. */
function lay(picture: Raster, canvas: Raster, { left, top }: { left: number; top: number }): void {
  const colors = picture.channels < 3 ? 1 : 3;
  for (let y = 0; y < picture.height; y++)
    for (let x = 0; x < picture.width; x++) {
      const from = (y * picture.width + x) * picture.channels;
      const to = ((top + y) * canvas.width + left + x) * canvas.channels;
      const alpha = hasAlpha(picture) ? picture.data[from + picture.channels - 1]! : 255;
      for (let channel = 0; channel < 3; channel++) {
        const own = picture.data[from + (colors === 1 ? 0 : channel)]!;
        canvas.data[to + channel] =
          canvas.channels === 4
            ? own
            : Math.round((own * alpha + canvas.data[to + channel]! * (255 - alpha)) / 255);
      }
      if (canvas.channels === 4) canvas.data[to + 3] = alpha;
    }
}

function resampled({ levels, part, whole }: Decoded, box: Box, { width, height }: Size): Raster {
  const [first] = levels;
  const scale = { across: part.width / whole.width, down: part.height / whole.height };
  const inFirst = {
    left: part.left + box.x * scale.across,
    top: part.top + box.y * scale.down,
    width: box.width * scale.across,
    height: box.height * scale.down,
  };
  const shrink = Math.min(inFirst.width / width, inFirst.height / height);
  let at = 0;
  for (; shrink / 2 ** (at + 1) >= SPARE; at++) levels[at + 1] ??= halfOf(levels[at]!);
  const level = levels[at]!;
  const [across, down] = [level.width / first!.width, level.height / first!.height];
  const shown = {
    left: inFirst.left * across,
    top: inFirst.top * down,
    width: inFirst.width * across,
    height: inFirst.height * down,
  };
  const light = width <= shown.width && height <= shown.height ? 'linear' : 'gamma';
  return resample(level, { width, height, part: shown, light });
}

const halfOf = (raster: Raster): Raster =>
  resample(raster, {
    width: Math.max(1, Math.ceil(raster.width / 2)),
    height: Math.max(1, Math.ceil(raster.height / 2)),
    light: 'linear',
  });

/** Largest difference, in levels, between corners of the same background. */
const CORNER_LEVELS = 12;

/** The common colour of the four corners; white if they differ or are transparent. */
function cornerColor({ width, height, channels, data }: Raster): string {
  const last = { x: width - 1, y: height - 1 };
  const corners = [0, last.x, last.y * width, last.y * width + last.x].map((pixel) => {
    const at = pixel * channels;
    const alpha = hasAlpha({ channels }) ? data[at + channels - 1]! : 255;
    return alpha < 255
      ? undefined
      : channels < 3
        ? [data[at]!, data[at]!, data[at]!]
        : [...data.subarray(at, at + 3)];
  });
  const [first] = corners;
  const areAlike = corners.every(
    (corner) => corner && first && corner.every((level, at) => Math.abs(level - first[at]!) <= CORNER_LEVELS),
  );
  if (!first || !areAlike) return '#ffffff';
  const mean = [0, 1, 2].map((at) => Math.round(corners.reduce((sum, corner) => sum + corner![at]!, 0) / 4));
  return `#${mean.map((level) => level.toString(16).padStart(2, '0')).join('')}`;
}

function samplesOf(hex: string): [number, number, number] {
  const digits = hex.replace('#', '');
  const long = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
  const [red, green, blue] = [0, 2, 4].map((at) => Number.parseInt(long.slice(at, at + 2), 16));
  return [red!, green!, blue!];
}
