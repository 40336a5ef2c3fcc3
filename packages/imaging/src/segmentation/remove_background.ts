import type { Sharp } from 'sharp';
import { awaitDecoding, openPicture } from '../codecs/open_picture.ts';
import { decodeRaster } from '../codecs/read_raster.ts';
import { sharp } from '../codecs/sharp.ts';
import { EngineError } from '../errors/engine_error.ts';
import { boxMean } from '../pixels/box_mean.ts';
import { growMask } from '../pixels/grow_mask.ts';
import type { Plane } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import { keptColors } from '../quality/kept_colors.ts';
import { sheetOfTiles, tilesOf } from '../quality/tiles.ts';
import type { Quality } from '../quality/types.ts';
import { type CutOut, compose, type Look } from './compose.ts';
import { estimateForeground, type Sides } from './estimate_foreground.ts';
import { type FlatBackground, findFlatBackground } from './flat_background.ts';
import { refineFlat, refineMask } from './refine.ts';
import { enlargePlane, fitInside, reducePicture } from './resample.ts';
import { overlapOfMasks, reachOfEdges, type Segment, type Segmented, segmentByColor } from './segment.ts';

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
  const nearOutside = growMask(outside, RIM_PX);
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
function isCutOutAlready({ width, height, channels, data }: Raster): boolean {
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

/** @throws EngineError unsuitable_image where too much of the picture could be object as well as background */
function refuseUncertain(uncertaintyShare: number): void {
  if (uncertaintyShare > UNCERTAIN_SHARE_MAX)
    throw unsuitableImage(
      `The object cannot be told from the background: ${Math.round(100 * uncertaintyShare)} % of the picture could be either. Send one in which it stands out.`,
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

const objectOf = ({ region }: FlatBackground): Plane => ({
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
}

type OnProgress = (fraction: number, message: string) => void;

/**
 * Opacity and clean colours of the object in a picture: where the background is flat from its colour alone, else from
 * the segmenter's mask.
 * @throws EngineError unsuitable_image where no object stands out, or no background, or neither can be told from the other
 */
export async function cutOutObject(
  picture: Raster,
  segment: Segment,
  onProgress: OnProgress = () => {},
): Promise<Found> {
  const worked = dropAlpha(reducePicture(picture, fitInside(picture, WORKED_SIDE_PX)));
  const { flat, segmented } = await findObject(worked, segment);
  onProgress(0.4, 'Object found');
  if (segmented) {
    refuseNoObject(objectShare(segmented.mask));
    refuseUncertain(uncertaintyShare(segmented.mask));
  }
  const alpha = flat ? refineFlat(worked, flat) : refineMask(worked, segmented);
  refuseNoObject(objectShare(alpha));
  onProgress(0.7, 'Edges refined');
  const sides = estimateForeground(worked, alpha);
  const mask = segmented ? enlargePlane(segmented.mask, worked) : alpha;
  const figures = {
    haloScore: haloScore(foregroundPicture(sides), alpha, worked),
    uncertaintyShare: uncertaintyShare(segmented?.mask ?? alpha),
    uncertainPart: uncertainPart(alpha, mask),
    objectShare: objectShare(alpha),
    ...(segmented?.doubt !== undefined && { doubt: segmented.doubt }),
  };
  const by = flat ? 'flat_background' : 'segmenter';
  return {
    cutOut: { picture, worked, alpha, sides, isFlat: flat !== undefined },
    figures,
    by,
    holes: flat?.holes ?? 0,
  };
}

type Way =
  | { readonly flat: FlatBackground; readonly segmented?: undefined }
  | { readonly flat?: undefined; readonly segmented: Segmented };

/** By a flat background, unless what it leaves reaches too much of the edge and the segmenter has found something else. */
async function findObject(picture: Raster, segment: Segment): Promise<Way> {
  const flat = findFlatBackground(picture);
  if (flat && !isFlatDoubtful(flat)) return { flat };
  const segmented = await segment(picture);
  if (!flat) return { segmented };
  if (isFlatConfirmed(flat, segmented)) return { flat };
  return { segmented: { ...segmented, doubt: Math.max(DISPUTED, segmented.doubt ?? 0) } };
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
  const colors = keptColors(sheetOfTiles(picture, tiles).sheet, saved, laid);
  return colors && { compared_at: 'source_size', ...colors };
}

export interface RemoveBackgroundRequest {
  readonly bytes: Uint8Array;
  readonly format: 'png' | 'webp';
  readonly look: Look;
}

/** How the object was told from the background. */
export const FOUND_BY = ['network', 'colors', 'flat_background', 'own_transparency'] as const;
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
 * in them. A picture with a transparent background keeps that.
 * @throws EngineError unsuitable_image (too small, one colour, invisible, no object or no background),
 *   undecodable_image, unsupported_image, image_too_large
 */
export async function removeBackground(
  request: RemoveBackgroundRequest,
  onProgress: OnProgress = () => {},
  network?: SegmentingNetwork,
): Promise<RemovedBackground> {
  const picture = await readPicture(request.bytes);
  refuseUnsuitable(picture);
  if (isCutOutAlready(picture)) {
    const written = compose(keepAsItIs(picture), request.look);
    const found = {
      foundBy: 'own_transparency',
      uncertaintyShare: 0,
      uncertainPart: 0,
      objectShare: shareOf(picture),
      holes: 0,
    } as const;
    return { ...(await encode(written, request.format, picture)), ...found, engine: ENGINE };
  }
  onProgress(0.2, 'Picture decoded');
  const { cutOut, figures, by, holes } = await cutOutObject(
    picture,
    network?.segment ?? segmentByColor,
    onProgress,
  );
  const written = compose(cutOut, request.look);
  onProgress(0.9, 'Result composed');
  const foundBy = by === 'flat_background' ? by : network ? 'network' : 'colors';
  const engine = foundBy === 'network' ? network!.engine : ENGINE;
  return { ...(await encode(written, request.format, picture)), ...figures, foundBy, holes, engine };
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
