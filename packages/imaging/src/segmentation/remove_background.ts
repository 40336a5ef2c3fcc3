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
import { isPoint, keepSubject, scaleWhere, subjectsIn, type Where } from './choose_subject.ts';
import { type CutOut, compose, type Look } from './compose.ts';
import { correctMask, drawStrokes, type Stroke } from './correct_mask.ts';
import { estimateForeground, type Sides } from './estimate_foreground.ts';
import { type FlatBackground, findFlatBackground } from './flat_background.ts';
import { cropPicture, findFrame, type Region } from './letterbox.ts';
import { refineFlat, refineMask } from './refine.ts';
import { enlargePlane, reducePicture, reducePlane } from './resample.ts';
import {
  overlapOfMasks,
  reachOfEdges,
  type Segment,
  type Segmented,
  segmentByColor,
  subjectUnclear,
  UNSURE_FROM as UNSURE_DOUBT,
} from './segment.ts';

interface Figures {
  /** How much of the old background's colour is left along the edge: 0 none, 1 all of it. */
  readonly haloScore: number;
  /** Part of the picture's pixels of which the segmenter was not sure. */
  readonly uncertaintyShare: number;
  /** Part of the picture that was kept. */
  readonly objectShare: number;
  /** Part of what was kept, soft pixels by their opacity, that is a guess. */
  readonly uncertainPart: number;
  /** How likely the cut-out shares less than 0.9 with the object; absent where that was not measured. */
  readonly doubt?: number;
}

const UNSURE_FROM = 0.2;
/** The edge as far as an eye sees a rim, and what lies behind it. */
const RIM_PX = 3;
const INSIDE_PX = 8;
/** Sides nearer than this (levels of 0 to 255) cannot show a rim. */
const FIGURES_CONTRAST_MIN = 24;

function uncertaintyShare(mask: Plane): number {
  const unsure = mask.data.reduce(
    (sum, value) => sum + (value > UNSURE_FROM && value < 1 - UNSURE_FROM ? 1 : 0),
    0,
  );
  return unsure / mask.data.length;
}

/** How much of what was kept lies where the mask is unsure. @param mask of the size of `alpha` */
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
 * Along the edge: how far the colours of the result lie from those a few pixels further inside towards those of the
 * background outside. Weighed by opacity and by how different both are, as the eye does.
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
    if (length2 < FIGURES_CONTRAST_MIN ** 2) continue;
    const weight = opacity * Math.sqrt(length2);
    sum += weight * Math.min(1, Math.max(0, along / length2));
    total += weight;
  }
  return total === 0 ? 0 : sum / total;
}

/** The estimated foreground as a picture, to be judged as the result will be. */
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
/** Levels of 0 to 255: below this, no edge can be told from noise. */
const CONTRAST_MIN = 6;
const TRANSPARENT_MAX = 16;
const KEPT_SHARE_MIN = 0.03;
/** A wall of windows had 0.54, pictures that show an object 0.15 at most. */
const UNCERTAIN_SHARE_MAX = 0.4;

/** @throws EngineError unsuitable_image: too small, nothing visible, or one opaque colour throughout */
function refuseUnsuitable(picture: Raster): void {
  const { width, height } = picture;
  if (Math.min(width, height) < SIDE_PX_MIN)
    throw unsuitableImage(
      `The picture has ${width} × ${height} pixels; an outline needs at least ${SIDE_PX_MIN} on each side. Send a larger one.`,
    );
  const { visible, contrast } = looksOf(picture);
  if (visible === 0)
    throw unsuitableImage(
      'The picture is fully transparent: its background is removed already, and so is everything else.',
    );
  if (contrast < CONTRAST_MIN && !isCutOutAlready(picture))
    throw unsuitableImage(
      'The picture is one colour throughout, so there is no object to cut out. Send a picture that shows one.',
    );
}

/** True where a picture already has a background that is cut away: a useful part of it transparent, another not. */
export function isCutOutAlready({ width, height, channels, data }: Raster): boolean {
  if (channels !== 4) return false;
  let transparent = 0;
  for (let at = 3; at < data.length; at += 4) if (data[at]! <= TRANSPARENT_MAX) transparent++;
  return transparent >= KEPT_SHARE_MIN * width * height;
}

/** @throws EngineError unsuitable_image where nothing, or everything, would be kept */
function refuseNoObject(objectShare: number): void {
  if (objectShare < 0.001)
    throw unsuitableImage(
      'Nothing in the picture stands out from the rest. Send one that shows an object before a background.',
    );
  if (objectShare > 0.995)
    throw unsuitableImage(
      'The object fills the whole picture, so there is no background to remove. Send one with room around the object.',
    );
}

/** @throws EngineError subject_unclear where too much of the picture could be object as well as background */
function refuseUncertain(uncertaintyShare: number): void {
  if (uncertaintyShare > UNCERTAIN_SHARE_MAX)
    throw subjectUnclear(
      `The subject cannot be told from the background: ${Math.round(100 * uncertaintyShare)} % of the picture could be either. Send \`where\` with a box around the subject, or a picture in which it stands out.`,
    );
}

function looksOf({ channels, data }: Raster): { visible: number; contrast: number } {
  const [least, most] = [
    [255, 255, 255],
    [0, 0, 0],
  ];
  let visible = 0;
  for (let at = 0; at < data.length; at += channels) {
    if (channels === 4 && data[at + 3]! <= TRANSPARENT_MAX) continue;
    visible++;
    for (let side = 0; side < 3; side++) {
      const level = data[at + side]!;
      if (level < least[side]!) least[side] = level;
      if (level > most[side]!) most[side] = level;
    }
  }
  return { visible, contrast: Math.max(...most.map((level, side) => level - least[side]!)) };
}

const unsuitableImage = (detail: string): EngineError => new EngineError('unsuitable_image', detail);

/**
 * What is not of the background's colour may reach so much of the edges of the picture, each of length 1. Of nine composites five with
 * less were right; four with 0.99 and more had a second background, such as the ground below a clear sky, in the object.
 */
const REACH_MAX = 0.7;
/** Two ways that share so much have found the same. */
const SAME_FROM = 0.85;

/** Whether what was left of a flat background may be background as well: more of the edge than an object mostly takes. */
const isFlatDoubtful = (flat: FlatBackground): boolean =>
  reachOfEdges(objectOf(flat)).reduce((sum, part) => sum + part, 0) > REACH_MAX;

/** Whether a segmenter has found what the colour of the background left, as with a portrait whose shoulders fill the lower edge. */
const isFlatConfirmed = (flat: FlatBackground, { mask }: Segmented): boolean =>
  overlapOfMasks(objectOf(flat), enlargePlane(mask, flat.region)) >= SAME_FROM;

export const objectOf = ({ region }: FlatBackground): Plane => ({
  ...region,
  data: region.data.map((value) => 1 - value),
});

/** Opacity is worked out at this size at most; a larger picture's edges are followed from there. */
const WORKED_SIDE_PX = 1024;

/** Two ways have found two things: one of them is wrong. */
const DISPUTED = 0.5;

interface Found {
  readonly cutOut: CutOut;
  readonly figures: Figures;
  /** Which way the object was found. */
  readonly by: 'flat_background' | 'segmenter';
  readonly holes: number;
  /** Boxes of the parts that were kept, as parts of width and height. */
  readonly subjects: readonly Region[];
}

type OnProgress = (fraction: number, message: string) => void;

/** What finds the object where its background is not flat. */
export interface Finder {
  readonly segment: Segment;
  /** A network decides what the subject is; colours alone have to be sure of it, unless the client says where it is. */
  readonly kind: 'network' | 'colors';
  /** The subject that is meant, in pixels of the picture. */
  readonly where?: Where | undefined;
  /** Drawn over what is subject and what is not, in pixels of the picture. */
  readonly strokes?: readonly Stroke[] | undefined;
  /** The subject, of the size of the picture, instead of finding it. */
  readonly mask?: Plane | undefined;
}

/**
 * Opacity and clean colours of the object in a picture: where the background is flat from its colour, else from the
 * segmenter's mask.
 * @throws EngineError unsuitable_image where no object stands out, or no background; subject_unclear where neither can be told
 *   from the other
 */
export async function cutOutObject(
  picture: Raster,
  finder: Finder,
  onProgress: OnProgress = () => {},
): Promise<Found> {
  const worked = dropAlpha(reducePicture(picture, fitInside(picture, WORKED_SIDE_PX)));
  const where = finder.where && scaleWhere(finder.where, picture, worked);
  const { flat, segmented } = finder.mask
    ? { segmented: { ...AS_DRAWN, mask: reducePlane(finder.mask, worked) } }
    : await findObject(worked, { ...finder, where });
  onProgress(0.4, 'Object found');
  const isCorrected = finder.strokes !== undefined && finder.strokes.length > 0;
  if (segmented && !isCorrected) {
    refuseNoObject(objectShare(segmented.mask));
    refuseUncertain(uncertaintyShare(segmented.mask));
  }
  const found = flat ? refineFlat(worked, flat) : refineMask(worked, segmented);
  const alpha = isCorrected
    ? correctAlpha(worked, found, drawStrokes(finder.strokes, picture, worked))
    : found;
  refuseNoObject(objectShare(alpha));
  onProgress(0.7, 'Edges refined');
  const sides = estimateForeground(worked, alpha);
  const mask = segmented && !isCorrected ? enlargePlane(segmented.mask, worked) : alpha;
  const figures = {
    haloScore: haloScore(foregroundPicture(sides), alpha, worked),
    uncertaintyShare: uncertaintyShare(isCorrected ? alpha : (segmented?.mask ?? alpha)),
    uncertainPart: uncertainPart(alpha, mask),
    objectShare: objectShare(alpha),
    // How likely a mask is right once a person has drawn in it was not measured.
    ...(segmented?.doubt !== undefined && !isCorrected && { doubt: segmented.doubt }),
  };
  return {
    cutOut: { picture, worked, alpha, sides, isFlat: flat !== undefined && !isCorrected },
    figures,
    by: flat ? 'flat_background' : 'segmenter',
    holes: flat?.holes ?? 0,
    subjects: subjectsIn(alpha),
  };
}

/** A mask that was sent is kept as it is, but for what is soft in it. */
const AS_DRAWN = { certainty: 0.05, edgePart: 0.003, edges: 'hair_only' } as const;

/** Opacity with strokes in it. Edges are worked out anew where it changes, along the colours. */
function correctAlpha(picture: Raster, alpha: Plane, said: Uint8Array): Plane {
  const { mask, changed } = correctMask(picture, alpha, said);
  const refined = refineMask(picture, {
    mask,
    certainty: CORRECTED.certainty,
    edgePart: CORRECTED.edgePart,
    edges: 'anew',
  });
  const data = alpha.data.map((value, at) => {
    if (said[at] !== 0) return mask.data[at]!;
    return changed.data[at] === 1 ? refined.data[at]! : value;
  });
  return { ...alpha, data };
}

/** The minimum cut has decided, at a third of the size. */
const CORRECTED = { certainty: 0.45, edgePart: 0.006 } as const;

type Way =
  | { readonly flat: FlatBackground; readonly segmented?: undefined }
  | { readonly flat?: undefined; readonly segmented: Segmented };

/**
 * By the colour of a flat background where nothing speaks against it: the background was made rather than photographed and
 * surrounds the object, or the segmenter finds the same. Else by the segmenter.
 * @param finder its `where` in pixels of `picture`
 */
export async function findObject(
  picture: Raster,
  { segment, kind, where, strokes = [] }: Finder,
): Promise<Way> {
  const whole = findFlatBackground(picture);
  const flat = whole && where ? keepInFlat(whole, where) : whole;
  const isDoubtful = flat !== undefined && isFlatDoubtful(flat);
  if (flat && !isDoubtful && (kind === 'colors' || flat.isExact)) return { flat };
  const segmented = await segment(picture, where);
  if (flat && isFlatConfirmed(flat, segmented)) return { flat };
  const isSure = (segmented.doubt ?? 0) <= UNSURE_DOUBT;
  // A network that is unsure knows no more than a background that surrounds the object.
  if (flat && !isDoubtful && !isSure) return { flat };
  const doubt = flat ? Math.max(DISPUTED, segmented.doubt ?? 0) : segmented.doubt;
  if (kind === 'colors' && !where && strokes.length === 0 && (doubt ?? 0) > UNSURE_DOUBT)
    throw subjectUnclear(NO_NETWORK);
  return { segmented: { ...segmented, ...(doubt !== undefined && { doubt }) } };
}

const NO_NETWORK =
  'No segmentation network is installed, and colours alone do not tell the subject of this picture from its background. Send `where` with a box around the subject, `strokes` on it, a picture before a plain background, or have the operator run "atelier models pull isnet_general". Nothing was charged.';

/** @returns undefined where nothing lies at `where`: a segmenter may see it */
function keepInFlat(flat: FlatBackground, where: Where): FlatBackground | undefined {
  const kept = keepSubject(objectOf(flat), where);
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

/** What there is to cut out of a picture that came with a transparent background: nothing more. */
function keepAsItIs(picture: Raster): CutOut {
  const one = { width: 1, height: 1 };
  const alpha: Plane = { ...one, data: Float32Array.of(1) };
  const sides = { ...one, foreground: new Float32Array(3), background: new Float32Array(3) };
  return { picture, worked: { ...one, channels: 3, data: new Uint8Array(3) }, alpha, sides, isFlat: false };
}

const TILES = 1024;

/**
 * Whether a cut-out has the colours of the picture, told from tiles that are saved as it is saved. Undefined where it was laid on a
 * colour, is a mask, or kept too little.
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
  readonly look: Look;
  /** The subject that is meant, in pixels of the picture; absent: what stands out. */
  readonly where?: Where | undefined;
  /** Drawn over what is subject and what is not, in pixels of the picture. */
  readonly strokes?: readonly Stroke[] | undefined;
  /** The subject as a picture of the same proportions, instead of finding it: its opacity, or its brightness. */
  readonly mask?: Uint8Array | undefined;
}

/** How the object was told from the background. */
export const FOUND_BY = ['network', 'colors', 'flat_background', 'own_transparency', 'mask'] as const;
export type FoundBy = (typeof FOUND_BY)[number];

export interface RemovedBackground
  extends Pick<Figures, 'uncertaintyShare' | 'uncertainPart' | 'objectShare' | 'doubt'> {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  /** Absent where the picture came with transparency of its own. */
  readonly haloScore?: number;
  readonly foundBy: FoundBy;
  /** Boxes of the parts that were kept, in pixels, the largest first. */
  readonly subjects: readonly Region[];
  /** Patches enclosed by the object that were cut out because they show a flat background. */
  readonly holes: number;
  /** Of the colours that were kept; absent on a colour, as a mask, and where too little was kept. */
  readonly quality?: Quality;
  readonly engine: { name: string; version: string; weights_sha256?: string; provider?: string };
}

/** The engine that needs no weights. */
const ENGINE = { name: 'atelier-matte', version: '1' } as const;

/** A network that finds the object, and what to call it in answers. */
export interface SegmentingNetwork {
  readonly segment: Segment;
  readonly engine: RemovedBackground['engine'];
}

/**
 * Cuts the object out of a picture, at its full size and 8 bits, with soft edges and without the old background's colour
 * in them. A picture with a transparent background keeps that. Black bars of a letterboxed one are background.
 * @throws EngineError unsuitable_image (too small, one colour, invisible, no object or no background), subject_unclear (nothing
 *   at `where`, or no subject that can be told from the rest), invalid_input (`where` outside the picture),
 *   undecodable_image, unsupported_image, image_too_large
 */
export async function removeBackground(
  request: RemoveBackgroundRequest,
  onProgress: OnProgress = () => {},
  network?: SegmentingNetwork,
): Promise<RemovedBackground> {
  const picture = await readPicture(request.bytes);
  refuseUnsuitable(picture);
  if (request.where) refuseOutside(request.where, picture);
  const mask = await maskOf(picture, request);
  if (isCutOutAlready(picture) && !mask) {
    const written = compose(keepAsItIs(picture), request.look);
    const found = {
      foundBy: 'own_transparency',
      uncertaintyShare: 0,
      uncertainPart: 0,
      objectShare: shareOf(picture),
      holes: 0,
      subjects: [],
    } as const;
    return { ...(await encode(written, request.format, picture)), ...found, engine: ENGINE };
  }
  onProgress(0.2, 'Picture decoded');
  const frame = mask || request.strokes ? undefined : findFrame(picture);
  const { figures, by, holes, subjects, written } = await cutOutFramed(picture, frame, {
    request,
    mask,
    network,
    onProgress,
  });
  onProgress(0.9, 'Result composed');
  const foundBy = mask ? waysOf(request) : by === 'flat_background' ? by : network ? 'network' : 'colors';
  const engine = foundBy === 'network' ? network!.engine : ENGINE;
  const answer = await encode(written, request.format, picture);
  return { ...answer, ...figures, foundBy, holes, subjects, engine };
}

/** The mask that was sent; the opacity of a picture that is cut out already, where strokes are to change it. */
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

/** Cuts out of what lies within the bars, and puts that back in its place. */
async function cutOutFramed(
  picture: Raster,
  frame: Region | undefined,
  { request: { where, look, strokes }, mask, network, onProgress }: Work,
) {
  const { left, top, width, height } = frame ?? { left: 0, top: 0, ...picture };
  const inside = frame ? cropPicture(picture, frame) : picture;
  const { cutOut, figures, by, holes, subjects } = await cutOutObject(
    inside,
    {
      segment: network?.segment ?? segmentByColor,
      kind: network ? 'network' : 'colors',
      where: where && moveWhere(where, -left, -top),
      strokes,
      mask,
    },
    onProgress,
  );
  const written = compose(cutOut, look);
  const part = (width * height) / (picture.width * picture.height);
  return {
    by,
    holes,
    figures: {
      ...figures,
      uncertaintyShare: part * figures.uncertaintyShare,
      objectShare: part * figures.objectShare,
    },
    subjects: subjects.map((box) => roundBox(box, { left, top, width, height })),
    written: frame ? surround(written, frame, { picture, look }) : written,
  };
}

/** @throws EngineError invalid_input where a point, or all of a box, lies outside the picture */
function refuseOutside(where: Where, { width, height }: Raster): void {
  const { left, top, ...size } = isPoint(where)
    ? { left: where.x, top: where.y, width: 1, height: 1 }
    : where;
  if (left < width && top < height && left + size.width > 0 && top + size.height > 0) return;
  const message = `lies outside the picture, which has ${width} × ${height} pixels`;
  throw new EngineError('invalid_input', `where ${message}.`, {
    errors: [{ field: 'where', code: 'out_of_range', message, got: where }],
  });
}

const moveWhere = (where: Where, across: number, down: number): Where =>
  isPoint(where)
    ? { x: where.x + across, y: where.y + down }
    : { ...where, left: where.left + across, top: where.top + down };

/** A box in parts of a frame, in pixels of the picture around it. */
function roundBox(box: Region, frame: Region): Region {
  const left = Math.floor(frame.left + box.left * frame.width);
  const top = Math.floor(frame.top + box.top * frame.height);
  return {
    left,
    top,
    width: Math.ceil(frame.left + (box.left + box.width) * frame.width) - left,
    height: Math.ceil(frame.top + (box.top + box.height) * frame.height) - top,
  };
}

/** Lays a result in its place in a picture of nothing, or of the colour that was asked for. */
function surround(
  written: Raster,
  frame: Region,
  { picture, look }: { picture: Raster; look: Look },
): Raster {
  const { channels } = written;
  const { width, height } = picture;
  const data = new Uint8Array(width * height * channels);
  if (look.kind === 'on_color') for (let at = 0; at < data.length; at++) data[at] = look.color[at % 3]!;
  for (let y = 0; y < frame.height; y++)
    data.set(
      written.data.subarray(y * frame.width * channels, (y + 1) * frame.width * channels),
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

async function encode(written: Raster, format: 'png' | 'webp', picture: Raster) {
  const { width, height, channels, data } = written;
  const space = channels === 1 ? 'b-w' : 'srgb';
  const save = (pixels: Sharp): Sharp =>
    format === 'png'
      ? pixels.toColourspace(space).png({ compressionLevel: 6 })
      : pixels.toColourspace(space).webp({ quality: 92, alphaQuality: 100, effort: 3 });
  const bytes = await save(sharp(data, { raw: { width, height, channels } })).toBuffer();
  const quality = await keptQuality(picture, written, save);
  return { bytes, contentType: `image/${format}`, width, height, ...(quality && { quality }) };
}
