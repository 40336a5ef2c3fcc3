import { createHash } from 'node:crypto';
import { type BoundedCache, createBoundedCache } from '../core/bounded_cache.ts';
import type { SourceImage } from '../core/workers/types.ts';
import { imageFieldsOf } from '../features/definitions/fields.ts';
import { imagesIn, isSourceImage, withImages } from '../features/definitions/images_in.ts';
import { PREVIEW_PIXELS_MAX } from '../features/definitions/preview.ts';
import type { AnyTool } from '../features/definitions/tool.ts';
import type { PipelineContext } from './types.ts';

/** CPU account and abort signal of the work. */
export interface Control {
  readonly signal: AbortSignal;
  readonly address: string;
  readonly callerKey: string;
}

interface Reduced {
  readonly input: Record<string, unknown>;
  /** Ratio of the sides of the reduced image to those of the original: 1 if it is small enough. */
  readonly scale: number;
  /** The middle of the image at full size instead of the whole image. */
  readonly isDetail: boolean;
}

/**
 * Returns the input of a preview, with images and lengths reduced.
 * @throws AtelierError of the image worker for an image it cannot decode
 */
export async function reduceInput(
  context: PipelineContext,
  tool: AnyTool,
  loaded: Record<string, unknown>,
  control: Control,
): Promise<Reduced> {
  const plan = tool.preview!;
  const fields = imageFieldsOf(tool.input.shape);
  const placed = imagesIn(fields, loaded).flatMap(({ name, image }) =>
    isSourceImage(image) ? [{ name, image }] : [],
  );
  const main = placed.find(({ name }) => name === 'image')?.image;
  const detailPx = plan.detailPx?.(loaded);
  if (main && detailPx !== undefined) {
    const image = await detailOf(context, main, detailPx, control);
    const input = { ...loaded, image };
    return { input: plan.scaled(input, 1, loaded), scale: 1, isDetail: image !== main };
  }
  const pixels = main ? main.width * main.height : (plan.canvasPixels?.(loaded) ?? 0);
  const scale = Math.min(1, Math.sqrt(PREVIEW_PIXELS_MAX / Math.max(1, pixels)));
  if (scale === 1) return { input: plan.scaled(loaded, 1, loaded), scale, isDetail: false };
  const images = new Map<string, SourceImage>();
  for (const { name, image } of placed) {
    // A mask has the proportions of the image, but not always its size.
    const own = fields.includes(name) ? PREVIEW_PIXELS_MAX / (image.width * image.height) : scale ** 2;
    images.set(name, await reducedImage(context, image, { scale: Math.min(1, Math.sqrt(own)), ...control }));
  }
  const reducedMain = images.get('image');
  const exact = main && reducedMain ? longerSide(reducedMain) / longerSide(main) : scale;
  const input = withImages(loaded, images);
  return { input: plan.scaled(input, exact, loaded), scale: Math.round(1e6 * exact) / 1e6, isDetail: false };
}

const longerSide = ({ width, height }: { width: number; height: number }): number => Math.max(width, height);

/** Bytes of reduced images that a process caches. */
const REDUCED_BYTES_MAX = 64 * 1024 * 1024;

interface ReducedImages {
  /** In memory only, because previews are not stored. */
  readonly kept: BoundedCache<SourceImage>;
  readonly making: Map<string, Promise<SourceImage>>;
}

const reducedOf = new WeakMap<PipelineContext, ReducedImages>();

function remember(
  context: PipelineContext,
  key: string,
  make: () => Promise<SourceImage>,
): Promise<SourceImage> {
  const all = reducedOf.get(context) ?? {
    kept: createBoundedCache<SourceImage>(REDUCED_BYTES_MAX, ({ bytes }) => bytes.length),
    making: new Map(),
  };
  reducedOf.set(context, all);
  const { kept, making } = all;
  const known = kept.get(key);
  if (known) return Promise.resolve(known);
  const begun = making.get(key);
  if (begun) return begun;
  const made = make()
    .then((image) => {
      kept.set(key, image);
      return image;
    })
    .finally(() => making.delete(key));
  making.set(key, made);
  return made;
}

const keyOf = ({ bytes }: SourceImage, how: string): string =>
  `${createHash('sha256').update(bytes).digest('base64url')} ${how}`;

/** Later previews share a reduced image, so its computation does not end with the first preview. */
const REDUCE_MS = 10_000;

/** Returns a smaller copy: JPEG if the image is opaque, else PNG. */
function reducedImage(
  context: PipelineContext,
  image: SourceImage,
  { scale, ...control }: Control & { readonly scale: number },
): Promise<SourceImage> {
  if (scale === 1) return Promise.resolve(image);
  const side = Math.max(1, Math.round(longerSide(image) * scale));
  return remember(context, keyOf(image, String(side)), async () => {
    const { pixels, images } = context.services;
    const shared = { ...control, signal: AbortSignal.timeout(REDUCE_MS) };
    const reduce = async (bytes: Uint8Array, format: 'jpeg' | 'png', count: number) =>
      (
        await pixels.run(
          'resize',
          { bytes, width: side, height: side, mode: 'contain', format, quality: REDUCED_QUALITY },
          { pixels: count, ...shared },
        )
      ).bytes;
    const count = image.width * image.height + side * side;
    if (OPAQUE.has(image.format)) return images.ofBytes(await reduce(image.bytes, 'jpeg', count), 'image');
    const png = await reduce(image.bytes, 'png', count);
    const bytes = isOpaquePng(png) ? await reduce(png, 'jpeg', 2 * side * side) : png;
    return images.ofBytes(bytes, 'image');
  });
}

const REDUCED_QUALITY = 92;
const OPAQUE: ReadonlySet<string> = new Set(['jpeg', 'raw']);

/**
 * PNG, 11.2.2 "IHDR": the colour type is the tenth byte of the data. Types 4 and 6 have an alpha channel, and
 * 3 may have one.
 */
const isOpaquePng = (bytes: Uint8Array): boolean => bytes[25] === 2 || bytes[25] === 0;

/** Operations that name no other image, text or detected region, on the first frame. */
export const PLAIN_EDIT = {
  texts: {},
  images: {},
  findings: { crops: {}, places: {} },
  frames: 'first',
  frameCount: 1,
} as const;

/** The middle of an image at full size. */
async function detailOf(
  context: PipelineContext,
  image: SourceImage,
  sidePx: number,
  control: Control,
): Promise<SourceImage> {
  const { width, height } = image;
  if (width <= sidePx && height <= sidePx) return image;
  return remember(context, keyOf(image, `detail ${sidePx}`), async () => {
    const { pixels, images } = context.services;
    const made = await pixels.run(
      'edit',
      {
        ...PLAIN_EDIT,
        bytes: image.bytes,
        operations: [{ op: 'crop', width: sidePx, height: sidePx, gravity: 'centre', padding: 0 }],
        format: 'png',
      },
      { pixels: 2 * width * height, ...control, signal: AbortSignal.timeout(REDUCE_MS) },
    );
    return images.ofBytes(made.bytes, 'image');
  });
}
