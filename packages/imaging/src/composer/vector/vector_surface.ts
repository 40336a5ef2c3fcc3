import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { sharp } from '../../codecs/sharp.ts';
import type { Rgba } from '../../color/css_color.ts';
import { planQr, type QrPlan, type QrRequest } from '../../drawing/draw_qr.ts';
import { type ShapeRequest, shapeInk } from '../../drawing/draw_shape.ts';
import { coverageMask, type Mask, regionOf, shadowOf, shadowReach } from '../../drawing/mask.ts';
import { type Affine, combine, flatten, type Outlines, rotation } from '../../drawing/outline.ts';
import { rectangle } from '../../drawing/shape_outlines.ts';
import { parseColor } from '../../editor/colors.ts';
import { copyPart, withAlpha } from '../../editor/rows.ts';
import { EngineError } from '../../errors/engine_error.ts';
import type { Size } from '../../pixels/plane.ts';
import { isOpaque, type Raster } from '../../pixels/raster.ts';
import type { Part } from '../../resample/resample.ts';
import { paintColorGlyphs } from '../../typography/color_glyphs.ts';
import {
  type Ink,
  shadowMask,
  type TextResources,
  type TextWish,
  type Typeset,
  typeset,
} from '../../typography/draw_text.ts';
import type { PlacedImage, Surface } from '../surface.ts';
import type { CodedImage, ImageMark, LineMark, Mark, Sheet } from './marks.ts';
import { inkRaster, type PageInks } from './page_inks.ts';

/** Pixels of emoji per px of the canvas and side, and the maximum for one text. */
const EMOJI_SCALE = 4;
const EMOJI_PIXELS_MAX = 16_000_000;
/** Maximum size of the encoded images of a page. */
const IMAGE_BYTES_MAX = 150_000_000;
const UPRIGHT: Affine = [1, 0, 0, 1, 0, 0];

/**
 * Collects the marks of a page: outlines, lines of text with their glyphs, images at full resolution. Shadows and emoji become images, because
 * readers render blurs and colour fonts differently.
 */
export function vectorSurface(
  resources: TextResources,
  coding: ImageCoding,
): Surface<Sheet, readonly Mark[]> {
  let imageBytes = 0;
  const counted = (mark: ImageMark): ImageMark => {
    imageBytes += mark.image.file.length + (mark.image.opacity?.length ?? 0);
    if (imageBytes > IMAGE_BYTES_MAX)
      throw new EngineError(
        'image_too_large',
        `The images have more than ${IMAGE_BYTES_MAX / 1e6} MB as ${coding.format.toUpperCase()}. Send smaller ones, or leave lossless out.`,
      );
    return mark;
  };
  return {
    sheet: ({ width, height }, background) => ({
      width,
      height,
      background: parseColor(background),
      marks: [],
    }),
    lay({ marks }, drawn, { opacity = 1, blend = 'normal', link }) {
      if (opacity === 1 && blend === 'normal') marks.push(...drawn);
      else marks.push({ kind: 'group', marks: drawn, opacity, blend });
      if (link) marks.push({ kind: 'link', ...link });
    },
    async asLayer({ width, height, marks }, part, rotate) {
      const matrix = combine(turnOf(part, rotate), [1, 0, 0, 1, part.left, part.top]);
      const clip = boxOutline({ left: 0, top: 0, width, height });
      return [{ kind: 'group', marks, matrix, clip, opacity: 1, blend: 'normal' }];
    },
    async image(placed) {
      return [counted(await imageMark(placed, coding))];
    },
    async pixels({ raster, left, top }) {
      if (!raster) return [];
      const { width, height } = raster;
      const image = await codeImage(raster, undefined, coding);
      return [counted({ kind: 'image', image, place: [width, 0, 0, height, left, top] })];
    },
    async text(wish, canvas) {
      const { set, facts, ink } = typeset(wish, resources);
      const mask = await shadowMask(ink, wish, { canvas, resources });
      const marks = [
        ...plateMarks(ink, wish),
        ...(mask && wish.shadow ? [await shadowMark(mask, wish.shadow.color, coding)] : []),
        ...(wish.stroke ? grownMarks(ink, wish.stroke.color) : []),
        ...lineMarks(set, wish),
        ...(await emojiMarks(ink, canvas, { resources, coding })),
      ];
      return { drawn: marks, facts };
    },
    shape: (wish, canvas) => shapeMarks(wish, canvas, coding),
    qr: async (wish, rotate) => qrMarks(wish, rotate),
  };
}

const turnOf = ({ left, top, width, height }: Part, degrees: number): Affine =>
  degrees === 0 ? UPRIGHT : rotation(degrees, left + width / 2, top + height / 2);

const boxOutline = ({ left, top, width, height }: Part, turn = UPRIGHT, radius = 0): Outlines =>
  flatten(rectangle({ x: left, y: top, width, height }, radius), turn);

async function imageMark(
  { raster, file, part, isCover, radius, rotate, mask }: PlacedImage,
  coding: ImageCoding,
): Promise<ImageMark> {
  const turn = turnOf(part, rotate);
  const shown = isCover
    ? shownPart(raster, part)
    : { left: 0, top: 0, width: raster.width, height: raster.height };
  const [across, down] = [part.width / shown.width, part.height / shown.height];
  const cut = wholePart(shown, raster);
  const place: Affine = [
    cut.width * across,
    0,
    0,
    cut.height * down,
    part.left + (cut.left - shown.left) * across,
    part.top + (cut.top - shown.top) * down,
  ];
  const shownPixels = cutOut(withAlpha(raster) as Raster, cut);
  const masked = mask ? (withAlpha(await mask(shownPixels, 1 / across)) as Raster) : shownPixels;
  const image = await codeImage(masked, file, coding);
  const isClipped = radius > 0 || isCover;
  const clip = isClipped ? boxOutline(part, turn, radius) : undefined;
  return { kind: 'image', image, place: combine(turn, place), clip };
}

/** The centre of an image with the aspect ratio of a part, in fractional pixels. */
function shownPart({ width, height }: Size, part: Size): Part {
  const scale = Math.max(part.width / width, part.height / height);
  const shown = { width: part.width / scale, height: part.height / scale };
  return { left: (width - shown.width) / 2, top: (height - shown.height) / 2, ...shown };
}

/** The pixels that a part touches: only these are in the file, so that cropped content is not. */
function wholePart({ left, top, width, height }: Part, image: Size): Part {
  const from = { left: Math.max(0, Math.floor(left)), top: Math.max(0, Math.floor(top)) };
  return {
    ...from,
    width: Math.min(image.width, Math.ceil(left + width)) - from.left,
    height: Math.min(image.height, Math.ceil(top + height)) - from.top,
  };
}

const cutOut = (raster: Raster, part: Part): Raster =>
  part.width === raster.width && part.height === raster.height ? raster : (copyPart(raster, part) as Raster);

async function shapeMarks(wish: ShapeRequest, canvas: Size, coding: ImageCoding) {
  const { fill, stroke } = shapeInk(wish);
  const parts = [fill, stroke].filter((part) => part !== undefined);
  const outlines = parts.map((part) => part.outlines);
  const drawn: Mark[] = [];
  if (wish.shadow) {
    const { x, y, blur, color } = wish.shadow;
    const region = regionOf(outlines, shadowReach(wish.shadow), canvas);
    const mask = region && shadowOf(coverageMask(outlines, region), { x, y, sigma: blur / 2 });
    if (mask) drawn.push(await shadowMark(mask, color, coding));
  }
  for (const part of parts) drawn.push({ kind: 'fill', ...part });
  const { left: x = 0, top: y = 0, width = 0, height = 0 } = regionOf(outlines, 0, canvas) ?? {};
  return { drawn, box: { x, y, width, height } };
}

function qrMarks(wish: QrRequest, rotate: number) {
  const plan = planQr(wish);
  const { x, y, width, height } = plan.facts.box;
  const part = { left: x, top: y, width, height };
  const turn = turnOf(part, rotate);
  const isCrisp = rotate === 0;
  const drawn: Mark[] = [
    { kind: 'fill', outlines: boxOutline(part, turn), color: plan.background, isCrisp },
    { kind: 'fill', outlines: moduleOutlines(plan, part, turn), color: plan.color, isCrisp },
  ];
  return { drawn, facts: plan.facts };
}

const plateMarks = ({ plate }: Ink, { background }: TextWish): Mark[] =>
  background ? [{ kind: 'fill', outlines: plate, color: background.color }] : [];

const grownMarks = ({ grown }: Ink, color: Rgba): Mark[] => [{ kind: 'fill', outlines: grown.flat(), color }];

const BLACK: Rgba = [0, 0, 0, 1];

function lineMarks(
  { lines, size }: Typeset['set'],
  { box, rotate = 0, color = BLACK }: TextWish,
): LineMark[] {
  const turn = rotation(rotate, box.x + box.width / 2, box.y + box.height / 2);
  return lines
    .filter(({ text }) => text.trim() !== '')
    .map(({ text, left, baseline, glyphs }) => ({
      kind: 'line',
      text,
      glyphs: glyphs.filter(({ font }) => !font.isColor),
      place: combine(turn, [size, 0, 0, size, left, baseline]),
      color,
    }));
}

async function emojiMarks(
  { emoji }: Ink,
  canvas: Size,
  { resources, coding }: { resources: TextResources; coding: ImageCoding },
): Promise<Mark[]> {
  const region = regionOf([emoji.map(({ corners }) => corners)], 0, canvas);
  if (!region) return [];
  const { left, top, width, height } = region;
  const scale = Math.max(1, Math.min(EMOJI_SCALE, Math.sqrt(EMOJI_PIXELS_MAX / (width * height))));
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  const larger: Affine = [size.width / width, 0, 0, size.height / height, 0, 0];
  const moved = combine(larger, [1, 0, 0, 1, -left, -top]);
  const glyphs = emoji.map((glyph) => ({ ...glyph, place: combine(moved, glyph.place) }));
  const data = await paintColorGlyphs(glyphs, { left: 0, top: 0, ...size }, resources);
  const image = await codeImage({ ...size, channels: 4, data }, undefined, coding);
  return [{ kind: 'image', image, place: [width, 0, 0, height, left, top] }];
}

async function shadowMark(
  { data: shares, left, top, width, height }: Mask,
  [red, green, blue, alpha]: Rgba,
  coding: ImageCoding,
): Promise<Mark> {
  const data = new Uint8Array(4 * width * height);
  const color = [red, green, blue].map((value) => Math.round(255 * value));
  for (let at = 0; at < shares.length; at += 1) {
    data.set(color, 4 * at);
    data[4 * at + 3] = Math.round(shares[at]! * alpha);
  }
  const image = await codeImage({ width, height, channels: 4, data }, undefined, coding);
  return { kind: 'image', image, place: [width, 0, 0, height, left, top] };
}

/** One rectangle per run of dark modules in a row. */
function moduleOutlines({ rows, margin, modulePx }: QrPlan, { left, top }: Part, turn: Affine): Outlines {
  const outlines: number[][] = [];
  for (const [down, row] of rows.entries())
    for (let start = 0; start < row.length; start += 1) {
      if (!row[start]) continue;
      let end = start;
      while (row[end]) end += 1;
      const run = {
        left: left + margin + start * modulePx,
        top: top + margin + down * modulePx,
        width: (end - start) * modulePx,
        height: modulePx,
      };
      outlines.push(...boxOutline(run, turn));
      start = end;
    }
  return outlines;
}

interface ImageCoding {
  readonly format: 'svg' | 'pdf';
  /** For images from lossy files, 1 to 100. Default: 92. */
  readonly quality?: number | undefined;
  /** Encodes all images losslessly. */
  readonly isLossless?: boolean | undefined;
  /** Inks of a print PDF; such images are encoded losslessly. */
  readonly inks?: PageInks | undefined;
}

const QUALITY = 92;
/** JPEG, WebP and HEIF files, which are assumed to be lossy. */
const LOSSY = /^(?:ffd8ff|52494646|.{8}66747970)/;

const deflated = promisify(deflate);

/**
 * Encodes an image for a page: as JPEG if its file is lossy and it is opaque, else losslessly.
 * @param file original file; undefined for a drawn image
 */
async function codeImage(
  raster: Raster,
  file: Uint8Array | undefined,
  { format, quality = QUALITY, isLossless = false, inks }: ImageCoding,
): Promise<CodedImage> {
  const { width, height, channels, data } = raster;
  const source = () => sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
  const isWhole = isOpaque(raster);
  if (inks) {
    const rows = inkRaster(raster, file ? inks.photo : inks.drawn);
    return { kind: 'inks', width, height, file: await deflated(rows), opacity: await opacityOf() };
  }
  const isPhoto =
    !isLossless && file !== undefined && LOSSY.test(Buffer.from(file.subarray(0, 12)).toString('hex'));
  if (isPhoto && (isWhole || format === 'pdf')) {
    const jpeg = source().removeAlpha().jpeg({ quality, chromaSubsampling: '4:4:4' }).toBuffer();
    return { kind: 'jpeg', width, height, file: await jpeg, opacity: await opacityOf() };
  }
  const colors = isWhole || format === 'pdf' ? source().removeAlpha() : source();
  const png = await colors.png({ compressionLevel: 6 }).toBuffer();
  return { kind: 'png', width, height, file: png, opacity: await opacityOf() };

  async function opacityOf(): Promise<Uint8Array | undefined> {
    if (isWhole || format === 'svg') return undefined;
    return source().extractChannel(3).toColourspace('b-w').png({ compressionLevel: 6 }).toBuffer();
  }
}
