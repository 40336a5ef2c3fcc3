import type { Sharp } from 'sharp';
import { awaitDecoding, openPicture } from '../codecs/open_picture.ts';
import { readMask } from '../codecs/read_mask.ts';
import { decodeRaster } from '../codecs/read_raster.ts';
import { sharp } from '../codecs/sharp.ts';
import { EngineError } from '../errors/engine_error.ts';
import { boxMean } from '../pixels/box_mean.ts';
import { dilateMask } from '../pixels/dilate_mask.ts';
import { fitInside } from '../pixels/fit_inside.ts';
import type { Plane } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import { opaqueColorDifference } from '../quality/opaque_color_difference.ts';
import { sheetOfTiles, tilesOf } from '../quality/tiles.ts';
import type { Quality } from '../quality/types.ts';
import {
  isPoint,
  type SubjectSelector,
  scaleSelector,
  selectSubject,
  subjectBoxes,
} from './choose_subject.ts';
import { type Cutout, compose, type OutputStyle } from './compose.ts';
import { correctMask, drawStrokes, type Stroke } from './correct_mask.ts';
import { estimateForeground, type Sides } from './estimate_foreground.ts';
import { type FlatBackground, findFlatBackground } from './flat_background.ts';
import { cropRaster, findFrame, type Region } from './letterbox.ts';
import { refineFlat, refineMask } from './refine.ts';
import { downsamplePlane, downsampleRaster, upsamplePlane } from './resample.ts';
import {
  borderCoverage,
  intersectionOverUnion,
  type Segment,
  type Segmented,
  segmentByColor,
  subjectUnclear,
  UNSURE_FROM as UNSURE_DOUBT,
} from './segment.ts';

interface CutoutMetrics {
  /** Colour spill of the old background along the edge: 0 none, 1 complete. */
  readonly haloScore: number;
  /** Share of image pixels for which the segmenter was uncertain. */
  readonly uncertaintyShare: number;
  /** Share of the image that was kept. */
  readonly objectShare: number;
  /** Alpha-weighted share of the kept pixels that is uncertain. */
  readonly uncertainPart: number;
  /** Probability that the cutout has an IoU below 0.9 with the object; absent if not estimated. */
  readonly doubt?: number;
}

const UNSURE_FROM = 0.2;
/** Width of the edge in which a rim is visible, and of the areas on both sides of it. */
const RIM_PX = 3;
const INSIDE_PX = 8;
/** Foreground and background that differ by less than this (levels of 0 to 255) cannot show a rim. */
const METRICS_CONTRAST_MIN = 24;

function uncertaintyShare(mask: Plane): number {
  const unsure = mask.data.reduce(
    (sum, value) => sum + (value > UNSURE_FROM && value < 1 - UNSURE_FROM ? 1 : 0),
    0,
  );
  return unsure / mask.data.length;
}

/**
 * Share of the kept pixels for which the mask is uncertain.
 * @param mask of the size of `alpha`
 */
function uncertainPart(alpha: Plane, mask: Plane): number {
  let [unsure, kept] = [0, 0];
  for (let pixel = 0; pixel < alpha.data.length; pixel++) {
    const opacity = alpha.data[pixel]!;
    const value = mask.data[pixel]!;
    kept += opacity;
    if (value > UNSURE_FROM && value < 1 - UNSURE_FROM) unsure += opacity;
  }
  return kept === 0 ? 0 : unsure / kept;
}

function objectShare(alpha: Plane): number {
  return alpha.data.reduce((sum, value) => sum + value, 0) / alpha.data.length;
}

/**
 * Halo along the edge: how far the colours of the result shift from those slightly further inside towards the background outside. Weighted
 * by alpha and by the contrast between both, as visible to the eye.
 */
function haloScore(result: Raster, alpha: Plane, background: Raster): number {
  const solid = { ...alpha, data: alpha.data.map((value) => (value > 0.95 ? 1 : 0)) };
  const outside = { ...alpha, data: alpha.data.map((value) => (value < 0.05 ? 1 : 0)) };
  const nearOutside = dilateMask(outside, RIM_PX);
  const core = {
    ...solid,
    data: solid.data.map((value, pixel) => (nearOutside.data[pixel] === 1 ? 0 : value)),
  };
  const inside = localColors(result, core, INSIDE_PX);
  const beyond = localColors(background, outside, INSIDE_PX);
  let [sum, total] = [0, 0];
  for (let pixel = 0; pixel < alpha.data.length; pixel++) {
    const opacity = alpha.data[pixel]!;
    if (opacity < 0.1 || nearOutside.data[pixel] === 0 || !inside.has(pixel) || !beyond.has(pixel)) continue;
    let [along, length2] = [0, 0];
    for (let side = 0; side < 3; side++) {
      const span = beyond.level(pixel, side) - inside.level(pixel, side);
      along += span * (result.data[pixel * result.channels + side]! - inside.level(pixel, side));
      length2 += span * span;
    }
    if (length2 < METRICS_CONTRAST_MIN ** 2) continue;
    const weight = opacity * Math.sqrt(length2);
    sum += weight * Math.min(1, Math.max(0, along / length2));
    total += weight;
  }
  return total === 0 ? 0 : sum / total;
}

/** The estimated foreground as a raster, assessed like the result. */
function foregroundPicture({ width, height, foreground }: Sides): Raster {
  return { width, height, channels: 3, data: Uint8Array.from(foreground, (value) => value + 0.5) };
}

function localColors(picture: Raster, chosen: Plane, radius: number) {
  const weight = boxMean(chosen, radius).data;
  const sums = [0, 1, 2].map(
    (side) =>
      boxMean(
        {
          ...chosen,
          data: chosen.data.map((value, pixel) => value * picture.data[pixel * picture.channels + side]!),
        },
        radius,
      ).data,
  );
  return {
    has: (pixel: number): boolean => weight[pixel]! > 0.004,
    level: (pixel: number, side: number): number => sums[side]![pixel]! / weight[pixel]!,
  };
}

const SIDE_PX_MIN = 8;
/** Levels of 0 to 255: below this contrast, edges are indistinguishable from noise. */
const CONTRAST_MIN = 6;
const TRANSPARENT_MAX = 16;
const KEPT_SHARE_MIN = 0.03;
/** Measured: 0.54 for a wall of windows, at most 0.15 for images of an object. */
const UNCERTAIN_SHARE_MAX = 0.4;

/** @throws EngineError unsuitable_image: too small, fully transparent, or a single opaque colour */
function assertSuitable(picture: Raster): void {
  const { width, height } = picture;
  if (Math.min(width, height) < SIDE_PX_MIN)
    throw unsuitableImage(
      `The image has ${width} × ${height} pixels. Background removal needs at least ${SIDE_PX_MIN} on each side. Send a larger image.`,
    );
  const { visible, contrast } = colorRange(picture);
  if (visible === 0)
    throw unsuitableImage(
      'The image is fully transparent, so there is no object to cut out. Send an image with visible content.',
    );
  if (contrast < CONTRAST_MIN && !isCutOutAlready(picture))
    throw unsuitableImage(
      'The image has a single colour, so there is no object to cut out. Send an image that shows an object.',
    );
}

/** Whether the background of an image is already removed: a substantial part is transparent, but not all of it. */
export function isCutOutAlready({ width, height, channels, data }: Raster): boolean {
  if (channels !== 4) return false;
  let transparent = 0;
  for (let at = 3; at < data.length; at += 4) if (data[at]! <= TRANSPARENT_MAX) transparent++;
  return transparent >= KEPT_SHARE_MIN * width * height;
}

/** @throws EngineError unsuitable_image if nothing, or everything, would be kept */
function assertPlausibleShare(objectShare: number): void {
  if (objectShare < 0.001)
    throw unsuitableImage(
      'No object stands out in the image. Send an image of an object in front of a background.',
    );
  if (objectShare > 0.995)
    throw unsuitableImage(
      'The object fills the whole image, so there is no background to remove. Send an image with space around the object.',
    );
}

/** @throws EngineError subject_unclear if too many pixels could be either object or background */
function assertCertain(uncertaintyShare: number): void {
  if (uncertaintyShare > UNCERTAIN_SHARE_MAX)
    throw subjectUnclear(
      `The subject cannot be distinguished from the background: ${Math.round(100 * uncertaintyShare)}% of the image could be either. Send \`where\` with a box around the subject, or an image in which the subject stands out.`,
    );
}

function colorRange({ channels, data }: Raster): { visible: number; contrast: number } {
  const [minimum, maximum] = [
    [255, 255, 255],
    [0, 0, 0],
  ];
  let visible = 0;
  for (let at = 0; at < data.length; at += channels) {
    if (channels === 4 && data[at + 3]! <= TRANSPARENT_MAX) continue;
    visible++;
    for (let side = 0; side < 3; side++) {
      const level = data[at + side]!;
      if (level < minimum[side]!) minimum[side] = level;
      if (level > maximum[side]!) maximum[side] = level;
    }
  }
  return { visible, contrast: Math.max(...maximum.map((level, side) => level - minimum[side]!)) };
}

const unsuitableImage = (detail: string): EngineError => new EngineError('unsuitable_image', detail);

/**
 * Foreground may cover this much of the image border, where each side counts 1. Of nine composites, five with less were right; four with
 * 0.99 or more had included a second background in the object, such as the ground below a clear sky.
 */
const BORDER_COVERAGE_MAX = 0.7;
/** IoU from which two methods agree. */
const AGREEMENT_IOU_MIN = 0.85;

/** Whether the foreground of a flat background may include more background: it covers more of the border than most objects. */
const isFlatDoubtful = (flat: FlatBackground): boolean =>
  borderCoverage(objectOf(flat)).reduce((sum, part) => sum + part, 0) > BORDER_COVERAGE_MAX;

/** Whether a segmenter confirms the foreground of a flat background, as for a portrait whose shoulders fill the lower edge. */
const isFlatConfirmed = (flat: FlatBackground, { mask }: Segmented): boolean =>
  intersectionOverUnion(objectOf(flat), upsamplePlane(mask, flat.region)) >= AGREEMENT_IOU_MIN;

export const objectOf = ({ region }: FlatBackground): Plane => ({
  ...region,
  data: region.data.map((value) => 1 - value),
});

/** Largest size for matting; alpha of a larger image is upsampled along its edges. */
const MATTING_SIDE_PX = 1024;

/** Probability of error if two methods disagree: one of them is wrong. */
const DISPUTED_DOUBT = 0.5;

interface CutoutResult {
  readonly cutOut: Cutout;
  readonly figures: CutoutMetrics;
  /** The method that found the object. */
  readonly by: 'flat_background' | 'segmenter';
  readonly holes: number;
  /** Boxes of the kept components, as fractions of width and height. */
  readonly subjects: readonly Region[];
}

type OnProgress = (fraction: number, message: string) => void;

/** Finds the object if the background is not flat. */
export interface SubjectFinder {
  readonly segment: Segment;
  /** A result by colours alone must be confident unless the client gives a location; a network's result is accepted. */
  readonly kind: 'network' | 'colors';
  /** Selects the subject, in image pixels. */
  readonly where?: SubjectSelector | undefined;
  /** Drawn on the subject and on the background, in image pixels. */
  readonly strokes?: readonly Stroke[] | undefined;
  /** A subject mask of the size of the image; replaces segmentation. */
  readonly mask?: Plane | undefined;
}

/**
 * Computes alpha and decontaminated colours of the object: from a flat background's colour, otherwise from the segmenter's mask.
 * @throws EngineError unsuitable_image if there is no object or no background; subject_unclear if they cannot be distinguished
 */
export async function cutOutObject(
  picture: Raster,
  finder: SubjectFinder,
  onProgress: OnProgress = () => {},
): Promise<CutoutResult> {
  const workingImage = dropAlpha(downsampleRaster(picture, fitInside(picture, MATTING_SIDE_PX)));
  const where = finder.where && scaleSelector(finder.where, picture, workingImage);
  const { flat, segmented } = finder.mask
    ? { segmented: { ...SUPPLIED_MASK, mask: downsamplePlane(finder.mask, workingImage) } }
    : await findObject(workingImage, { ...finder, where });
  onProgress(0.4, 'Object detected');
  const isCorrected = finder.strokes !== undefined && finder.strokes.length > 0;
  if (segmented && !isCorrected) {
    assertPlausibleShare(objectShare(segmented.mask));
    assertCertain(uncertaintyShare(segmented.mask));
  }
  const found = flat ? refineFlat(workingImage, flat) : refineMask(workingImage, segmented);
  const alpha = isCorrected
    ? correctAlpha(workingImage, found, drawStrokes(finder.strokes, picture, workingImage))
    : found;
  assertPlausibleShare(objectShare(alpha));
  onProgress(0.7, 'Edges refined');
  const sides = estimateForeground(workingImage, alpha);
  const mask = segmented && !isCorrected ? upsamplePlane(segmented.mask, workingImage) : alpha;
  const figures = {
    haloScore: haloScore(foregroundPicture(sides), alpha, workingImage),
    uncertaintyShare: uncertaintyShare(isCorrected ? alpha : (segmented?.mask ?? alpha)),
    uncertainPart: uncertainPart(alpha, mask),
    objectShare: objectShare(alpha),
    // The error probability is not calibrated for masks corrected by a user.
    ...(segmented?.doubt !== undefined && !isCorrected && { doubt: segmented.doubt }),
  };
  return {
    cutOut: { picture, workingImage, alpha, sides, isFlat: flat !== undefined && !isCorrected },
    figures,
    by: flat ? 'flat_background' : 'segmenter',
    holes: flat?.holes ?? 0,
    subjects: subjectBoxes(alpha),
  };
}

/** A supplied mask is kept, except for its soft pixels. */
const SUPPLIED_MASK = { certainty: 0.05, edgePart: 0.003, edges: 'hair_only' } as const;

/** Applies strokes to alpha. Edges of changed regions are recomputed from the colours. */
function correctAlpha(picture: Raster, alpha: Plane, labels: Uint8Array): Plane {
  const { mask, changed } = correctMask(picture, alpha, labels);
  const refined = refineMask(picture, {
    mask,
    certainty: CORRECTED.certainty,
    edgePart: CORRECTED.edgePart,
    edges: 'anew',
  });
  const data = alpha.data.map((value, at) => {
    if (labels[at] !== 0) return mask.data[at]!;
    return changed.data[at] === 1 ? refined.data[at]! : value;
  });
  return { ...alpha, data };
}

/** The minimum cut is binary, at a third of the size. */
const CORRECTED = { certainty: 0.45, edgePart: 0.006 } as const;

type FoundObject =
  | { readonly flat: FlatBackground; readonly segmented?: undefined }
  | { readonly flat?: undefined; readonly segmented: Segmented };

/**
 * Uses a flat background unless it is doubtful: it must be synthetic and surround the object, or be confirmed by the segmenter. Otherwise
 * uses the segmenter.
 * @param finder its `where` in pixels of `picture`
 */
export async function findObject(
  picture: Raster,
  { segment, kind, where, strokes = [] }: SubjectFinder,
): Promise<FoundObject> {
  const whole = findFlatBackground(picture);
  const flat = whole && where ? selectInFlat(whole, where) : whole;
  const isDoubtful = flat !== undefined && isFlatDoubtful(flat);
  if (flat && !isDoubtful && (kind === 'colors' || flat.isExact)) return { flat };
  const segmented = await segment(picture, where);
  if (flat && isFlatConfirmed(flat, segmented)) return { flat };
  const isSure = (segmented.doubt ?? 0) <= UNSURE_DOUBT;
  // An uncertain network result is no better than a background that surrounds the object.
  if (flat && !isDoubtful && !isSure) return { flat };
  const doubt = flat ? Math.max(DISPUTED_DOUBT, segmented.doubt ?? 0) : segmented.doubt;
  if (kind === 'colors' && !where && strokes.length === 0 && (doubt ?? 0) > UNSURE_DOUBT)
    throw subjectUnclear(NO_NETWORK);
  return { segmented: { ...segmented, ...(doubt !== undefined && { doubt }) } };
}

const NO_NETWORK =
  'No segmentation network is installed, and colours alone do not separate the subject of this image from its background. Send `where` with a box around the subject, `strokes` on it, or an image with a plain background, or ask the operator to run "atelier models pull isnet_general". You were not charged.';

/** @returns undefined if nothing is at `where`; a segmenter may still find it */
function selectInFlat(flat: FlatBackground, where: SubjectSelector): FlatBackground | undefined {
  const kept = selectSubject(objectOf(flat), where);
  if (!kept) return undefined;
  return { ...flat, region: { ...kept, data: kept.data.map((value) => 1 - value) } };
}

function dropAlpha({ width, height, channels, data }: Raster): Raster {
  if (channels === 3) return { width, height, channels, data };
  const colors = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++)
    colors.set(data.subarray(pixel * 4, pixel * 4 + 3), pixel * 3);
  return { width, height, channels: 3, data: colors };
}

/** Result for an image that is already cut out: unchanged. */
function unchangedCutout(picture: Raster): Cutout {
  const one = { width: 1, height: 1 };
  const alpha: Plane = { ...one, data: Float32Array.of(1) };
  const sides = { ...one, foreground: new Float32Array(3), background: new Float32Array(3) };
  return {
    picture,
    workingImage: { ...one, channels: 3, data: new Uint8Array(3) },
    alpha,
    sides,
    isFlat: false,
  };
}

const TILES = 1024;

/**
 * Colour fidelity of a cutout, measured on tiles encoded like the result. Undefined for a solid background, a mask, or if too little was
 * kept.
 */
async function keptQuality(
  picture: Raster,
  cutOut: Raster,
  save: (pixels: Sharp) => Sharp,
): Promise<Quality | undefined> {
  if (cutOut.channels !== 4) return undefined;
  const tiles = tilesOf(picture, TILES);
  const { sheet, tiles: laid } = sheetOfTiles(cutOut, tiles);
  const { data, ...raw } = sheet;
  const saved = await decodeRaster(sharp(await save(sharp(data, { raw })).toBuffer()));
  const colors = opaqueColorDifference(sheetOfTiles(picture, tiles).sheet, saved, laid);
  return colors && { compared_at: 'source_size', ...colors };
}

export interface RemoveBackgroundRequest {
  readonly bytes: Uint8Array;
  readonly format: 'png' | 'webp';
  readonly look: OutputStyle;
  /** Selects the subject, in image pixels; absent: the salient object. */
  readonly where?: SubjectSelector | undefined;
  /** Drawn on the subject and on the background, in image pixels. */
  readonly strokes?: readonly Stroke[] | undefined;
  /** A mask of the subject with the same aspect ratio, which replaces segmentation: its alpha channel, or its brightness. */
  readonly mask?: Uint8Array | undefined;
}

/** How the object was distinguished from the background. */
export const FOUND_BY = ['network', 'colors', 'flat_background', 'own_transparency', 'mask'] as const;
export type FoundBy = (typeof FOUND_BY)[number];

export interface RemovedBackground
  extends Pick<CutoutMetrics, 'uncertaintyShare' | 'uncertainPart' | 'objectShare' | 'doubt'> {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  /** Absent if the image had its own transparency. */
  readonly haloScore?: number;
  readonly foundBy: FoundBy;
  /** Boxes of the kept components in pixels, largest first. */
  readonly subjects: readonly Region[];
  /** Regions enclosed by the object that were removed because they show a flat background. */
  readonly holes: number;
  /** Fidelity of the kept colours; absent for a solid background or a mask, and if too little was kept. */
  readonly quality?: Quality;
  readonly engine: { name: string; version: string; weights_sha256?: string; provider?: string };
}

/** The engine that works without model weights. */
const ENGINE = { name: 'atelier-matte', version: '1' } as const;

/** A network that finds the object, and its identification for responses. */
export interface SegmentingNetwork {
  readonly segment: Segment;
  readonly engine: RemovedBackground['engine'];
}

/**
 * Removes the background of an image at full size, 8 bits per channel, with soft edges and without colour spill. An image with a
 * transparent background is unchanged. Black bars of a letterboxed image count as background.
 * @throws EngineError unsuitable_image (too small, one colour, fully transparent, no object or no background), subject_unclear (nothing at
 * `where`, or no distinguishable subject), invalid_input (`where` outside the image), undecodable_image, unsupported_image, image_too_large
 */
export async function removeBackground(
  request: RemoveBackgroundRequest,
  onProgress: OnProgress = () => {},
  network?: SegmentingNetwork,
): Promise<RemovedBackground> {
  const picture = await readPicture(request.bytes);
  assertSuitable(picture);
  if (request.where) assertInside(request.where, picture);
  const mask = await maskOf(picture, request);
  if (isCutOutAlready(picture) && !mask) {
    const output = compose(unchangedCutout(picture), request.look);
    const found = {
      foundBy: 'own_transparency',
      uncertaintyShare: 0,
      uncertainPart: 0,
      objectShare: shareOf(picture),
      holes: 0,
      subjects: [],
    } as const;
    return { ...(await encode(output, request.format, picture)), ...found, engine: ENGINE };
  }
  onProgress(0.2, 'Image decoded');
  const frame = mask || request.strokes ? undefined : findFrame(picture);
  const { figures, by, holes, subjects, output } = await cutOutInFrame(picture, frame, {
    request,
    mask,
    network,
    onProgress,
  });
  onProgress(0.9, 'Result composited');
  const foundBy = mask ? waysOf(request) : by === 'flat_background' ? by : network ? 'network' : 'colors';
  const engine = foundBy === 'network' ? network!.engine : ENGINE;
  const result = await encode(output, request.format, picture);
  return { ...result, ...figures, foundBy, holes, subjects, engine };
}

/** The supplied mask; or the alpha channel of an image that is already cut out, if strokes modify it. */
async function maskOf(
  picture: Raster,
  { mask, strokes }: RemoveBackgroundRequest,
): Promise<Plane | undefined> {
  const { width, height, channels, data } = picture;
  const share = (levels: ArrayLike<number>, step = 1, first = 0): Plane => ({
    width,
    height,
    data: Float32Array.from({ length: width * height }, (_, at) => levels[at * step + first]! / 255),
  });
  if (mask) return share(await readMask(mask, picture));
  return strokes && isCutOutAlready(picture) ? share(data, channels, 3) : undefined;
}

const waysOf = ({ mask }: RemoveBackgroundRequest): FoundBy => (mask ? 'mask' : 'own_transparency');

interface Work {
  readonly request: RemoveBackgroundRequest;
  readonly mask: Plane | undefined;
  readonly network: SegmentingNetwork | undefined;
  readonly onProgress: OnProgress;
}

/** Removes the background inside the frame, and places the result in the full image. */
async function cutOutInFrame(
  picture: Raster,
  frame: Region | undefined,
  { request: { where, look, strokes }, mask, network, onProgress }: Work,
) {
  const { left, top, width, height } = frame ?? { left: 0, top: 0, ...picture };
  const inside = frame ? cropRaster(picture, frame) : picture;
  const { cutOut, figures, by, holes, subjects } = await cutOutObject(
    inside,
    {
      segment: network?.segment ?? segmentByColor,
      kind: network ? 'network' : 'colors',
      where: where && translateSelector(where, -left, -top),
      strokes,
      mask,
    },
    onProgress,
  );
  const output = compose(cutOut, look);
  const part = (width * height) / (picture.width * picture.height);
  return {
    by,
    holes,
    figures: {
      ...figures,
      uncertaintyShare: part * figures.uncertaintyShare,
      objectShare: part * figures.objectShare,
    },
    subjects: subjects.map((box) => boxToPixels(box, { left, top, width, height })),
    output: frame ? placeInFullImage(output, frame, { picture, look }) : output,
  };
}

/** @throws EngineError invalid_input if a point, or a whole box, is outside the image */
function assertInside(where: SubjectSelector, { width, height }: Raster): void {
  const { left, top, ...size } = isPoint(where)
    ? { left: where.x, top: where.y, width: 1, height: 1 }
    : where;
  if (left < width && top < height && left + size.width > 0 && top + size.height > 0) return;
  const message = `is outside the image, which has ${width} × ${height} pixels`;
  throw new EngineError('invalid_input', `where ${message}.`, {
    errors: [{ field: 'where', code: 'out_of_range', message, got: where }],
  });
}

const translateSelector = (where: SubjectSelector, across: number, down: number): SubjectSelector =>
  isPoint(where)
    ? { x: where.x + across, y: where.y + down }
    : { ...where, left: where.left + across, top: where.top + down };

/** Converts a box from fractions of a frame to pixels of the image around it. */
function boxToPixels(box: Region, frame: Region): Region {
  const left = Math.floor(frame.left + box.left * frame.width);
  const top = Math.floor(frame.top + box.top * frame.height);
  return {
    left,
    top,
    width: Math.ceil(frame.left + (box.left + box.width) * frame.width) - left,
    height: Math.ceil(frame.top + (box.top + box.height) * frame.height) - top,
  };
}

/** Places a result in a transparent image, or in one of the requested colour. */
function placeInFullImage(
  output: Raster,
  frame: Region,
  { picture, look }: { picture: Raster; look: OutputStyle },
): Raster {
  const { channels } = output;
  const { width, height } = picture;
  const data = new Uint8Array(width * height * channels);
  if (look.kind === 'on_color') for (let at = 0; at < data.length; at++) data[at] = look.color[at % 3]!;
  for (let y = 0; y < frame.height; y++)
    data.set(
      output.data.subarray(y * frame.width * channels, (y + 1) * frame.width * channels),
      ((frame.top + y) * width + frame.left) * channels,
    );
  return { width, height, channels, data };
}

async function readPicture(bytes: Uint8Array): Promise<Raster> {
  const { hasAlpha } = await awaitDecoding(openPicture(bytes).metadata());
  const pipeline = openPicture(bytes).toColourspace('srgb');
  const source = hasAlpha ? pipeline.ensureAlpha() : pipeline.removeAlpha();
  return decodeRaster(source);
}

const shareOf = ({ width, height, data }: Raster): number => {
  let sum = 0;
  for (let at = 3; at < data.length; at += 4) sum += data[at]!;
  return sum / 255 / (width * height);
};

async function encode(output: Raster, format: 'png' | 'webp', picture: Raster) {
  const { width, height, channels, data } = output;
  const space = channels === 1 ? 'b-w' : 'srgb';
  const save = (pixels: Sharp): Sharp =>
    format === 'png'
      ? pixels.toColourspace(space).png({ compressionLevel: 6 })
      : pixels.toColourspace(space).webp({ quality: 92, alphaQuality: 100, effort: 3 });
  const bytes = await save(sharp(data, { raw: { width, height, channels } })).toBuffer();
  const quality = await keptQuality(picture, output, save);
  return { bytes, contentType: `image/${format}`, width, height, ...(quality && { quality }) };
}
