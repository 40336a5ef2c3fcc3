import { awaitDecoding, openPicture } from '../codecs/open_picture.ts';
import { readHeader } from '../codecs/read_header.ts';
import { readRaster } from '../codecs/read_raster.ts';
import { type FileOf, readReduced } from '../codecs/read_reduced.ts';
import { sharp } from '../codecs/sharp.ts';
import { type ConvertedImage, framesLost, transparencyLost } from '../convert/convert_image.ts';
import { decodeFrames } from '../decoders/frames.ts';
import { ANIMATION_PIXELS_MAX } from '../decoders/limits.ts';
import type { AnimationFrame } from '../decoders/types.ts';
import { type EncodeSource, type PictureSource, sourceOf } from '../encoders/encode_picture.ts';
import { FORMAT_TRAITS, type OutputFormat } from '../encoders/formats.ts';
import { type Finish, type SaveRequest, savePicture } from '../encoders/save_picture.ts';
import { EngineError } from '../errors/engine_error.ts';
import { type DeepRaster, depthOf, type Raster } from '../pixels/raster.ts';
import type { Part } from '../resample/resample.ts';
import { Canvas, type PixelSource } from './canvas.ts';
import type { Done, EditContext, Findings, Perform } from './context.ts';
import { LENGTH_DPI_DEFAULT } from './limits.ts';
import { blur, pixelate, redact } from './operations/area.ts';
import { adjust, curve, lut, tone } from './operations/color.ts';
import { crop, resize, trim } from './operations/cut.ts';
import { denoise, sharpen } from './operations/detail.ts';
import { qr, shape, text } from './operations/draw.ts';
import { background, border, pad, round, shadow } from './operations/extend.ts';
import { aiLabel, flatten, mask, opacity, overlay } from './operations/layer.ts';
import { flip, perspective, rotate, straighten } from './operations/turn.ts';
import type { Operation, OperationName, OperationOf } from './operations.ts';
import { engineErrorOf, invalidOperation, OperationRefused } from './refuse.ts';
import { withColors, withoutOpaqueAlpha } from './rows.ts';
import { sourceOfRaster } from './source.ts';

export interface EditRequest extends Omit<SaveRequest, 'isCompact'> {
  /** The image as decoded for the engines. */
  readonly bytes: Uint8Array;
  /** The original file, whose frames are read. Default: `bytes`. */
  readonly file?: Uint8Array | undefined;
  readonly operations: readonly Operation[];
  /** The format was not requested explicitly: if the result is transparent and the format does not support it, PNG is used. */
  readonly mayBePng?: boolean | undefined;
  /** Frames of an animation to edit, if the output format supports animation. */
  readonly frames: 'all' | 'first';
  readonly frameCount: number;
  /** Other images and files that operations reference, as sent. */
  readonly images: Readonly<Record<string, Uint8Array>>;
  readonly texts: Readonly<Record<string, string>>;
  readonly findings: Findings;
}

/** Dependencies from the worker process. */
export interface EditResources extends Pick<EditContext, 'labelTypeface' | 'textResources'> {
  readonly fileOf?: FileOf | undefined;
  /** Decodes another image of any format to sRGB with alpha. Default: formats that libvips reads. */
  readImage?(bytes: Uint8Array): Promise<DeepRaster>;
}

export interface AppliedOperation {
  readonly op: string;
  /** In pixels of the canvas before the operation. */
  readonly boxes: readonly Part[];
  readonly reason?: string | undefined;
  /** The operation with all detected values resolved. */
  readonly used: Operation;
  /** Size of the canvas after the operation. */
  readonly width: number;
  readonly height: number;
}

export interface EditedImage extends ConvertedImage {
  readonly format: OutputFormat;
  readonly applied: readonly AppliedOperation[];
}

const ENGINE = { name: 'atelier-editor', version: '1' } as const;

/**
 * Applies operations to an image in order, or to each frame, and encodes it. Consecutive geometry is one resampling, consecutive per-pixel operations
 * are one pass; intermediate results have 16 bits up to 24 megapixels and 8 above. Colours become sRGB.
 * @throws EngineError undecodable_image, unsupported_image, image_too_large, unsuitable_image; invalid_input with the index of the operation
 */
export async function editPicture(
  request: EditRequest,
  resources: EditResources,
  finish?: Finish,
): Promise<EditedImage> {
  const { frames, frameCount } = request;
  const isAnimated = frameCount > 1 && frames === 'all' && FORMAT_TRAITS[request.format].hasFrames === true;
  const edited = isAnimated ? await editFrames(request, resources) : await editStill(request, resources);
  const { source, format, applied, isTransparent } = edited;
  const saved = await savePicture(source, { ...request, format }, finish);
  return {
    ...saved,
    format,
    applied,
    dropped: frameCount > 1 && !isAnimated ? framesLost(frameCount, { format, frames }) : [],
    changed: isTransparent ? transparencyLost({ format, background: request.background }) : [],
    readsParts: isAnimated,
    engine: ENGINE,
  };
}

interface Edited {
  readonly source: EncodeSource;
  readonly format: OutputFormat;
  readonly applied: readonly AppliedOperation[];
  readonly isTransparent: boolean;
}

async function editStill(request: EditRequest, resources: EditResources): Promise<Edited> {
  const { source, density } = await openSource(request.bytes, resources.fileOf);
  const canvas = new Canvas(source);
  const context = contextOf(request, resources, density);
  const { applied } = await applyOperations(canvas, request.operations, context);
  const isDeep = canvas.sourceDepth === 16 && (request.format === 'png' || request.format === 'tiff');
  const raster = withoutOpaqueAlpha(await canvas.pixels(isDeep ? 16 : 8));
  const isTransparent = raster.channels === 4;
  const format =
    isTransparent && request.mayBePng && !FORMAT_TRAITS[request.format].alpha ? 'png' : request.format;
  return { source: { kind: 'pages', pages: [pictureOf(raster)] }, format, applied, isTransparent };
}

/** Values detected on the first frame are reused for the others. */
async function editFrames(request: EditRequest, resources: EditResources): Promise<Edited> {
  const { frames, loop, ...size } = await decodeFrames(request.file ?? request.bytes);
  const context = contextOf(request, resources, undefined);
  const made: AnimationFrame[] = [];
  let operations = request.operations;
  let first: Applied | undefined;
  let canvasSize = size;
  for (const { data, delayMs } of frames) {
    const canvas = new Canvas(sourceOfRaster({ ...size, channels: 4, data: Uint8Array.from(data) }));
    const done = await applyOperations(canvas, operations, context);
    first ??= done;
    operations = first.settled;
    canvasSize = { width: canvas.width, height: canvas.height };
    refuseLargeAnimation(canvasSize, frames.length);
    made.push({ data: rgbaOf(await canvas.pixels(8)), delayMs });
  }
  return {
    source: { kind: 'frames', animation: { ...canvasSize, loop, frames: made } },
    format: request.format,
    applied: first!.applied,
    isTransparent: false,
  };
}

function refuseLargeAnimation({ width, height }: { width: number; height: number }, count: number): void {
  if (width * height * count <= ANIMATION_PIXELS_MAX) return;
  throw new EngineError(
    'image_too_large',
    `${count} frames of ${width} × ${height} px are more than ${ANIMATION_PIXELS_MAX / 1e6} million pixels. Make it smaller with resize, or send frames: "first".`,
  );
}

function rgbaOf({ width, height, channels, data }: DeepRaster): Uint8Array {
  if (channels === 4) return data as Uint8Array;
  const result = new Uint8Array(width * height * 4).fill(255);
  for (let at = 0, to = 0; at < data.length; at += 3, to += 4) result.set(data.subarray(at, at + 3), to);
  return result;
}

interface Applied {
  readonly applied: readonly AppliedOperation[];
  /** Resolved operations for the next frame. */
  readonly settled: readonly Operation[];
}

/** Applies operations to a canvas. @throws EngineError like `editPicture` */
export async function applyOperations(
  canvas: Canvas,
  operations: readonly Operation[],
  context: EditContext,
): Promise<Applied> {
  const applied: AppliedOperation[] = [];
  const settled: Operation[] = [];
  for (const [index, operation] of operations.entries()) {
    const done = await perform(canvas, operation, { context, index, operations });
    const steps = Array.isArray(done.settled)
      ? (done.settled as readonly Operation[])
      : [done.settled as Operation];
    settled.push(...steps);
    const [only] = steps;
    applied.push({
      op: operation.op,
      boxes: (done.boxes ?? []).map(rounded),
      reason: done.reason,
      used: only?.op === operation.op ? ({ ...operation, ...only } as Operation) : operation,
      width: canvas.width,
      height: canvas.height,
    });
  }
  return { applied, settled };
}

/** Rounds to hundredths of a pixel. */
const rounded = ({ left, top, width, height }: Part): Part => ({
  left: Math.round(100 * left) / 100,
  top: Math.round(100 * top) / 100,
  width: Math.round(100 * width) / 100,
  height: Math.round(100 * height) / 100,
});

async function perform(
  canvas: Canvas,
  operation: Operation,
  { context, index, operations }: { context: EditContext; index: number; operations: readonly Operation[] },
): Promise<Done> {
  try {
    return await (PERFORM[operation.op] as Perform<Operation>)(canvas, operation, context);
  } catch (error) {
    const isOurs = error instanceof EngineError && error.code === 'invalid_input';
    const refused = isOurs ? new OperationRefused(error.message) : error;
    if (!(refused instanceof OperationRefused)) throw error;
    throw engineErrorOf(refused, { index, op: operation.op, operations });
  }
}

const contextOf = (
  request: EditRequest,
  resources: EditResources,
  density: number | undefined,
): EditContext => ({
  ...createContext(request, resources),
  findings: request.findings,
  dpi: request.dpi ?? density ?? LENGTH_DPI_DEFAULT,
});

/** Shared resources of operations, independent of the frame. Each image is decoded once. */
export function createContext(
  { images, texts }: Pick<EditRequest, 'images' | 'texts'>,
  { readImage = readRaster, labelTypeface, textResources }: Omit<EditResources, 'fileOf'>,
): Omit<EditContext, 'findings' | 'dpi'> {
  const opened = new Map<string, Promise<DeepRaster>>();
  const open = async (name: string): Promise<DeepRaster> => {
    const bytes = images[name];
    if (!bytes) throw invalidOperation('The image of this operation was not found.');
    return withColors(await readImage(bytes));
  };
  return {
    ...(labelTypeface && { labelTypeface }),
    textResources,
    image(name) {
      const found = opened.get(name) ?? open(name);
      opened.set(name, found);
      return found;
    },
    text(name) {
      const found = texts[name];
      if (found === undefined) throw invalidOperation('The file of this operation was not found.');
      return found;
    },
  };
}

/** Default density written by most programs if none is known. */
const DENSITY_OF_NOTHING = 72;

/** Opens a file without decoding it. */
async function openSource(
  bytes: Uint8Array,
  fileOf: FileOf | undefined,
): Promise<{ source: PixelSource; density: number | undefined }> {
  const metadata = await awaitDecoding(openPicture(bytes).metadata());
  const { depth, space, hasAlpha, autoOrient, orientation = 1, density } = metadata;
  const isDeep = depth === 'ushort' && space !== 'cmyk';
  const read: PixelSource['read'] = async (shrink) => {
    if (isDeep || shrink < SHRINK_READ_MIN) {
      const raster = withColors(await readRaster(bytes));
      return { raster, part: { left: 0, top: 0, width: raster.width, height: raster.height } };
    }
    const { raster, part } = await readReduced(bytes, {
      header: readHeader(bytes),
      orientation,
      shrink,
      fileOf,
    });
    return { raster: withColors(raster), part };
  };
  const source = {
    width: autoOrient.width,
    height: autoOrient.height,
    hasAlpha,
    depth: isDeep ? 16 : 8,
    isOwned: true,
    read,
  } as const;
  const isKnown = density !== undefined && density > DENSITY_OF_NOTHING;
  return { source, density: isKnown ? density : undefined };
}

/** Below this, reduced decoding gains nothing. */
const SHRINK_READ_MIN = 3;

/** Wraps a raster of 8 or 16 bits for the encoders. */
function pictureOf(raster: DeepRaster): PictureSource {
  if (depthOf(raster) === 8) return sourceOf(raster as Raster);
  const { data, ...raw } = raster;
  const open = () => sharp(data, { raw, limitInputPixels: false }).toColourspace('rgb16');
  return { width: raw.width, height: raw.height, open };
}

/** Implementation of each operation. */
const PERFORM: { readonly [Name in OperationName]: Perform<OperationOf<Name>> } = {
  crop,
  trim,
  rotate,
  straighten,
  flip,
  resize,
  pad,
  border,
  round,
  shadow,
  background,
  adjust,
  curve,
  tone,
  lut,
  sharpen,
  denoise,
  blur,
  pixelate,
  redact,
  overlay,
  mask,
  opacity,
  flatten,
  perspective,
  text,
  shape,
  qr,
  ai_label: aiLabel,
};
