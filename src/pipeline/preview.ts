import { createHash } from 'node:crypto';
import type { Operation } from '@atelier/imaging/editor/operations.ts';
import { type BoundedCache, createBoundedCache } from '../core/bounded_cache.ts';
import { AtelierError } from '../core/errors/atelier_error.ts';
import type { EngineName } from '../core/workers/engines.ts';
import type { PixelControl, SourceImage } from '../core/workers/types.ts';
import { operationSchema } from '../features/definitions/edit_operations/operation_fields.ts';
import { imageFieldsOf } from '../features/definitions/fields.ts';
import { imagesIn, isSourceImage, withImages } from '../features/definitions/images_in.ts';
import { PREVIEW_CROP_PX, PREVIEW_PIXELS_MAX } from '../features/definitions/preview.ts';
import { costOf } from '../features/definitions/price.ts';
import type { AnyTool } from '../features/definitions/tool.ts';
import type { Services } from '../features/services.ts';
import { callerKey } from './authenticate.ts';
import { loadImages, type RunNotes, runTool } from './execute.ts';
import type { CallResponse, PipelineContext, ToolCall } from './types.ts';

/** A page cancels a preview when its settings change; this deadline ends the others. */
const PREVIEW_DEADLINE_MS = 60_000;

/**
 * Answers `preview: true`: runs the tool on a reduced image, and stores, charges and signs nothing. For a
 * paid tool, returns a marked crop of the result. Ends when the client disconnects.
 * @throws AtelierError as the call itself would; timed_out
 */
export async function previewTool(context: PipelineContext, call: ToolCall): Promise<CallResponse> {
  const { tool, input, client, principal, controls } = call;
  const deadlineMs = Math.min(PREVIEW_DEADLINE_MS, context.deadlineMs);
  const deadline = AbortSignal.timeout(deadlineMs);
  const signal = AbortSignal.any([client.signal, deadline]);
  const { wallet, proof } = principal;
  const { images } = context.services;
  const loaded = await loadImages(images, tool, input, { wallet, signal, expected: controls.expected });
  const control: Control = { signal, address: client.address, callerKey: callerKey(client.address, wallet) };
  const reduced = await reduceInput(context, tool, loaded, control);
  const files: PreviewFile[] = [];
  const notes: RunNotes = { warnings: [...call.warnings] };
  const terms = { client, wallet, proof, hold: undefined, signal, deadline, deadlineMs, notes };
  const output = await runTool(withoutTraces(context.services, files), tool, reduced.input, terms);
  const warnings = notes.warnings.filter((warning) => !ABOUT_FILES.test(warning));
  const answer = call.isPriced
    ? await markedPart(context.services, { output, files, control })
    : { ...answerOf(output, files), isMarked: false };
  const { isMarked, ...fields } = answer;
  const body = {
    preview: { scale: reduced.scale, is_detail: reduced.isDetail, is_marked: isMarked },
    ...fields,
    cost: { ...costOf(0), note: 'A preview is free.' },
    next_steps: [],
    ...(warnings.length > 0 && { warnings }),
  };
  return { body, headers: {} };
}

/** Warnings about the file format of the preview, which is not that of the result. */
const ABOUT_FILES = /\bdots per inch\b/;

/** @throws AtelierError invalid_input if the tool or the interface has no previews */
export function requirePreview(tool: AnyTool, { isModel }: { readonly isModel?: boolean | undefined }): void {
  if (tool.preview && !isModel) return;
  const message = isModel
    ? 'preview is only for pages that show an image while its settings change, over REST. Omit it.'
    : `${tool.name} has no preview. Omit preview.`;
  throw new AtelierError('invalid_input', message, {
    errors: [{ field: 'preview', code: 'invalid', message }],
  });
}

/** A file that the tool would have stored. */
interface PreviewFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

const HANDLE = 'preview:';

/** The services of a tool whose results exist only for this response, and whose images are not signed. */
function withoutTraces(services: Services, files: PreviewFile[]): Services {
  const results: Services['results'] = Object.assign(Object.create(services.results), {
    keep: async (bytes: Uint8Array, contentType: string) => {
      const handle = `${HANDLE}${files.push({ bytes, contentType }) - 1}`;
      return { handle, url: handle, expiresAt: new Date(0) };
    },
    make: async () => {
      throw new Error('A preview cannot write files.');
    },
  });
  const manifests: Services['manifests'] = Object.assign(Object.create(services.manifests), {
    sign: undefined,
  });
  const pixels: Services['pixels'] = Object.assign(Object.create(services.pixels), {
    run: (engine: EngineName, input: object, control: PixelControl) =>
      services.pixels.run(
        engine,
        (QUICK.has(engine) ? { ...input, isQuick: true } : input) as never,
        control,
      ),
  });
  return { ...services, pixels, results, manifests };
}

/** Engines that can encode their image in a faster way. */
const QUICK: ReadonlySet<EngineName> = new Set<EngineName>(['edit', 'compose']);

/** The response of the tool with the bytes of each image in place of its handle, without other files. */
function answerOf(output: object, files: readonly PreviewFile[]): Record<string, unknown> {
  const { history: _, ...shown } = output as Record<string, unknown>;
  const replace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replace);
    if (typeof value !== 'object' || value === null) return value;
    const { result, result_url: url, image_b64: __, ...rest } = value as Record<string, unknown>;
    const fields = Object.fromEntries(
      Object.entries(rest).flatMap(([name, member]) => (isHandle(member) ? [] : [[name, replace(member)]])),
    );
    const file = typeof result === 'string' ? fileOf(result, files) : undefined;
    return file?.contentType.startsWith('image/') ? { image_b64: base64(file.bytes), ...fields } : fields;
  };
  return replace(shown) as Record<string, unknown>;
}

const fileOf = (handle: string, files: readonly PreviewFile[]): PreviewFile | undefined =>
  isHandle(handle) ? files[Number(handle.slice(HANDLE.length))] : undefined;

/** The handle of a file beside the image, such as a ZIP, or a link to one. */
const isHandle = (value: unknown): boolean => typeof value === 'string' && value.startsWith(HANDLE);

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

interface Marking {
  readonly output: Record<string, unknown>;
  readonly files: readonly PreviewFile[];
  readonly control: Control;
}

/** Crops the middle of a paid result, or of its changed area, and writes words across it. */
async function markedPart({ pixels }: Services, { output, files, control }: Marking) {
  const { width, height, result } = output as { width: number; height: number; result: string };
  const file = fileOf(result, files)!;
  const box = partShown(output, { width, height });
  const operations = [{ op: 'crop', box }, ...MARKS].map((one) => operationSchema.parse(one) as Operation);
  const made = await pixels.run(
    'edit',
    {
      ...PLAIN_EDIT,
      bytes: file.bytes,
      operations,
      format: 'webp',
      quality: 80,
    },
    { pixels: 4 * width * height, ...control },
  );
  const marked = { bytes: made.bytes, contentType: made.contentType };
  const shown = { ...output, width: made.width, height: made.height, content_type: made.contentType };
  const fields = answerOf({ ...shown, size_bytes: made.bytes.length, result: `${HANDLE}0` }, [marked]);
  return { ...fields, part: box, isMarked: true };
}

/**
 * Rows of words that are offset against each other cover the whole crop, so that little can be cut out
 * between two words.
 */
const ROWS = 6;
const COLUMNS = 5;
const MARKS = Array.from({ length: ROWS * COLUMNS }, (_, at) => {
  const [row, column] = [Math.floor(at / COLUMNS), at % COLUMNS];
  const box = {
    x: `${25 * column - 12.5 * (row % 2)}%`,
    y: `${20 * row - 10}%`,
    width: '25%',
    height: '20%',
  };
  return { op: 'text', text: 'Preview', box, weight: 700, rotate: -30, opacity: 0.55 };
});

/**
 * A box with sides of PREVIEW_CROP_PX around the area that the tool reports as changed, else around the
 * middle.
 */
function partShown(
  { areas }: { areas?: readonly { x: number; y: number; width: number; height: number }[] },
  canvas: { width: number; height: number },
) {
  const area = areas?.[0] ?? { x: 0, y: 0, ...canvas };
  const width = Math.min(PREVIEW_CROP_PX, canvas.width);
  const height = Math.min(PREVIEW_CROP_PX, canvas.height);
  const within = (value: number, most: number) => Math.max(0, Math.min(most, Math.round(value)));
  return {
    x: within(area.x + (area.width - width) / 2, canvas.width - width),
    y: within(area.y + (area.height - height) / 2, canvas.height - height),
    width,
    height,
  };
}

/** CPU account and abort signal of the work. */
interface Control {
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
async function reduceInput(
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
const PLAIN_EDIT = {
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
