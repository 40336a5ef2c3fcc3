import { createHash } from 'node:crypto';
import { allLayers, type Layer } from '@atelier/imaging/composer/layers.ts';
import type { Findings, FoundSubject } from '@atelier/imaging/editor/context.ts';
import { LUT_BYTES_MAX } from '@atelier/imaging/editor/limits.ts';
import { FOUND_GRAVITIES, type FoundGravity, type Operation } from '@atelier/imaging/editor/operations.ts';
import type { CarryWish } from '@atelier/imaging/metadata/passthrough/carried.ts';
import { boxAround } from '@atelier/imaging/pixels/box.ts';
import type { FoundBy } from '@atelier/imaging/segmentation/remove_background.ts';
import { AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';
import type { Pixels, SourceImage } from '../../../core/workers/types.ts';
import type { CallContext } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import { degradation, FETCHED, isUnsure, remedyFor } from './mask_uncertainty.ts';

interface FindServices extends Pick<Services, 'models'> {
  readonly pixels: Pick<Services['pixels'], 'run'>;
}

interface Wanted {
  readonly image: SourceImage;
  readonly operations: readonly Operation[];
  /** Path of the operations in the input. */
  readonly path: string;
  /** Metadata that a background removal preserves. */
  readonly carry?: CarryWish | undefined;
  readonly isAnimated: boolean;
}

interface FoundForOperations extends ReturnType<typeof degradation> {
  /** The image to edit, without its background where an operation removes it. */
  readonly bytes: Uint8Array;
  readonly findings: Findings;
}

/**
 * Detects the areas that operations refer to, each once. Operations map them to their current positions.
 * @throws AtelierError subject_unclear, invalid_input
 */
export async function findForOperations(
  wanted: Wanted,
  services: FindServices,
  call: CallContext,
): Promise<FoundForOperations> {
  const { image, operations } = wanted;
  const boxes = await findBoxes(image, operations, services, call);
  const first = operations.findIndex((operation) => isAboutSubject(operation));
  if (first < 0) return { bytes: image.bytes, findings: boxes, degraded: false };
  const removal = operations.findIndex(isRemoval);
  if (removal >= 0 && wanted.isAnimated)
    throw invalidField(
      `${wanted.path}.${removal}.remove`,
      'Background removal does not support animations. Send frames: "first".',
    );
  const { bytes, subject, ...degraded } = await cutOut(
    { ...wanted, at: first, isRemoved: removal >= 0 },
    services,
    call,
  );
  return { bytes: removal >= 0 ? bytes : image.bytes, findings: { ...boxes, subject }, ...degraded };
}

const isRemoval = (operation: Operation): boolean =>
  operation.op === 'background' && operation.remove === true;
const isAboutSubject = (operation: Operation): boolean =>
  isRemoval(operation) || ('where' in operation && operation.where === 'background');

async function findBoxes(
  image: SourceImage,
  operations: readonly Operation[],
  { pixels, models }: FindServices,
  call: CallContext,
): Promise<Findings> {
  const crops: Findings['crops'] = {};
  const places: Findings['places'] = {};
  const look = async (place: FoundGravity, otherwise: 'next' | 'none') =>
    pixels.run(
      'find_places',
      { bytes: image.bytes, place, finders: await models.placeFinders(), otherwise },
      { pixels: image.width * image.height, ...call },
    );
  for (const operation of operations) {
    if (operation.op === 'crop' && !operation.box && isFound(operation.gravity)) {
      const { gravity } = operation;
      crops[gravity] ??= await look(gravity, 'next');
      const { found } = crops[gravity];
      if (found !== gravity && crops[gravity]) call.warn(`crop: ${crops[gravity].reason}`);
    }
    const where = 'where' in operation ? operation.where : 'all';
    if (where === 'faces' || where === 'text') {
      places[where] ??= await look(where, 'none');
      if (places[where]?.isLookedFor && places[where].boxes.length === 0)
        call.warn(`${operation.op}: ${places[where].reason} It changed nothing.`);
    }
  }
  return { crops, places };
}

const isFound = (gravity: string): gravity is FoundGravity =>
  (FOUND_GRAVITIES as readonly string[]).includes(gravity);

/** The subject on transparency, or its alpha mask. */
async function cutOut(
  { image, operations, path, at, carry, isAnimated, isRemoved }: Wanted & { at: number; isRemoved: boolean },
  { pixels, models }: FindServices,
  call: CallContext,
) {
  const place = `${path}.${at} (${operations[at]!.op})`;
  const network = await models.cutOut();
  const progress = network ? undefined : await models.fetching(FETCHED);
  const request = {
    bytes: image.bytes,
    format: 'png' as const,
    look: { kind: isRemoved ? ('transparent' as const) : ('mask' as const) },
    ...(isRemoved && { carry }),
  };
  const control = { pixels: image.width * image.height, ...call };
  const { bytes, ...found } = await (network
    ? pixels.run('cut_out_by_network', { ...request, network }, control)
    : pixels.run('cut_out', request, control)
  ).catch((error: unknown) => {
    if (!(error instanceof AtelierError && error.code === 'subject_unclear')) throw error;
    const remedy = network ? '' : ` ${remedyFor(progress)}`;
    throw new AtelierError(
      'subject_unclear',
      `${place}: the subject cannot be told from the background.${remedy} Or call remove_background with \`where\`, a box around the subject, and place its result over the edited image with overlay.`,
      progress && { retryAfterSeconds: progress.retryAfterSeconds },
    );
  });
  if (isUnsure(found))
    call.warn(`${place}: the subject is uncertain: parts may be missing or added. Check the result.`);
  if (isAnimated)
    call.warn(
      `${place}: the subject was detected in the first frame, and its position is used for all frames.`,
    );
  const { x, y, ...size } = boxAround(
    found.subjects.map(({ left, top, width, height }) => ({ x: left, y: top, width, height })),
  );
  const subject: FoundSubject = {
    mask: bytes,
    box: {
      x: x / found.width,
      y: y / found.height,
      width: size.width / found.width,
      height: size.height / found.height,
    },
    reason: `the subject, found by ${MEANS[found.foundBy](found.engine.name)}`,
  };
  return { bytes, subject, ...degradation(found.foundBy, progress) };
}

const MEANS: Readonly<Record<FoundBy, (engine: string) => string>> = {
  network: (engine) => engine,
  colors: () => 'colour alone',
  flat_background: () => 'its flat background',
  own_transparency: () => "the image's own transparency",
  mask: () => 'its mask',
};

/** Texts of .cube files: as sent, or read from a handle or base64. @param path of the operations in the input */
export async function cubesOf(
  operations: readonly Operation[],
  { images }: Pick<Services, 'images'>,
  { wallet, signal }: CallContext,
  path = 'operations',
): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const [at, operation] of operations.entries()) {
    if (operation.op !== 'lut' || texts[operation.file] !== undefined) continue;
    const { file } = operation;
    const bytes = file.includes('LUT_3D_SIZE')
      ? undefined
      : await images.read(file, `${path}.${at}.file`, { signal, ...(wallet && { wallet }) }, LUT_BYTES_MAX);
    texts[file] = bytes ? Buffer.from(bytes).toString('latin1') : file;
  }
  return texts;
}

interface FoundForLayers {
  /** Images by their names in layers; where the background is removed, the result replaces the original. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly texts: Readonly<Record<string, string>>;
  readonly findings: Readonly<Record<string, Findings>>;
  readonly degradation: { readonly degraded: boolean; readonly degraded_reason?: string };
}

/** Cached searches: masks of large images are some megabytes each. */
const SEARCHES_KEPT_MAX = 16;

/**
 * Engines with a cache of detections for one call, because layers and documents repeat their images.
 */
export function searchingOnce(pixels: Pick<Pixels, 'run'>): Pick<Pixels, 'run'> {
  const digests = new WeakMap<Uint8Array, string>();
  const kept = new Map<string, Promise<unknown>>();
  const digestOf = (bytes: Uint8Array): string => {
    const digest = digests.get(bytes) ?? createHash('sha256').update(bytes).digest('base64');
    digests.set(bytes, digest);
    return digest;
  };
  const searched: Pixels['run'] = (engine, input, control) => {
    const { bytes, ...wanted } = input as { readonly bytes: Uint8Array };
    const key = `${engine} ${digestOf(bytes)} ${JSON.stringify(wanted)}`;
    const found =
      (kept.get(key) as ReturnType<typeof pixels.run<typeof engine>>) ?? pixels.run(engine, input, control);
    kept.set(key, found);
    if (kept.size > SEARCHES_KEPT_MAX) kept.delete(kept.keys().next().value!);
    return found;
  };
  return { run: searched };
}

/** Detects the areas that operations of layers refer to. @throws as `findForOperations` does */
export async function findForLayers(
  layers: readonly Layer[],
  images: Readonly<Record<string, SourceImage>>,
  services: Pick<Services, 'models' | 'images'> & { readonly pixels: Pick<Pixels, 'run'> },
  call: CallContext,
): Promise<FoundForLayers> {
  const files = Object.fromEntries(Object.entries(images).map(([name, { bytes }]) => [name, bytes]));
  const texts: Record<string, string> = {};
  const findings: Record<string, Findings> = {};
  let degradation: FoundForLayers['degradation'] = { degraded: false };
  for (const layer of allLayers(layers)) {
    const { operations = [] } = layer;
    if (operations.length === 0) continue;
    const path = layer.type === 'image' ? `${layer.image}.operations` : 'layers';
    Object.assign(texts, await cubesOf(operations, services, call, path));
    const image = layer.type === 'image' ? images[layer.image] : undefined;
    if (!image || layer.type !== 'image') continue;
    const wanted = { image, operations, path, isAnimated: false };
    const { bytes, findings: found, ...degraded } = await findForOperations(wanted, services, call);
    files[layer.image] = bytes;
    findings[layer.image] = found;
    if (degraded.degraded) degradation = degraded;
  }
  return { files, texts, findings, degradation };
}
