import { awaitDecoding, openPicture } from '../codecs/open_picture.ts';
import { decodeRaster } from '../codecs/read_raster.ts';
import { EngineError } from '../errors/engine_error.ts';
import { type Box, boxAround } from '../pixels/box.ts';
import type { Plane } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import { subjectBoxes } from './choose_subject.ts';
import { cropRaster, findFrame } from './letterbox.ts';
import { type FoundBy, findObject, isCutOutAlready, objectOf } from './remove_background.ts';
import { type Segment, segmentByColor } from './segment.ts';

/** The location of the subject of an image. */
export interface LocatedSubject {
  /** Bounding box, as fractions of width and height. */
  readonly box: Box;
  readonly by: FoundBy;
}

/** Longest side in pixels; sufficient for every segmenter to locate a subject. */
const SIDE_PX = 512;
/** Smaller components, relative to the box of the largest, are clutter. */
const COMPONENT_SHARE_MIN = 0.1;
/** A subject whose box exceeds this fraction of both sides does not narrow down the location. */
const FILL_SHARE_MAX = 0.98;

/**
 * Finds the bounding box of the subject: from the alpha channel, a flat background, or a segmenter. Much cheaper than background removal,
 * because no edges are refined.
 * @param segment a model; absent: by colours alone
 * @returns the reason if no subject was found, or if it fills the image
 * @throws EngineError undecodable_image, image_too_large, unsupported_image
 */
export async function locateSubject(
  bytes: Uint8Array,
  segment?: Segment,
): Promise<LocatedSubject | { readonly none: string }> {
  const picture = await readDownsampled(bytes);
  if (isCutOutAlready(picture)) return subjectOf(opacityOf(picture), 'own_transparency');
  const opaque = withoutAlpha(picture);
  const frame = findFrame(opaque);
  const inside = frame ? cropRaster(opaque, frame) : opaque;
  try {
    const { flat, segmented } = await findObject(inside, {
      segment: segment ?? segmentByColor,
      kind: segment ? 'network' : 'colors',
    });
    const found = subjectOf(
      flat ? objectOf(flat) : segmented.mask,
      flat ? 'flat_background' : segment ? 'network' : 'colors',
    );
    if (!frame || 'none' in found) return found;
    const { x, y, width, height } = found.box;
    const [across, down] = [frame.width / picture.width, frame.height / picture.height];
    const left = (frame.left + x * frame.width) / picture.width;
    const top = (frame.top + y * frame.height) / picture.height;
    return { ...found, box: { x: left, y: top, width: width * across, height: height * down } };
  } catch (error) {
    if (error instanceof EngineError && error.code === 'subject_unclear')
      return { none: 'colours alone do not separate the subject from the background' };
    throw error;
  }
}

function subjectOf(mask: Plane, by: FoundBy): LocatedSubject | { readonly none: string } {
  const parts = subjectBoxes(mask).map(({ left, top, ...size }) => ({ x: left, y: top, ...size }));
  const areas = parts.map(({ width, height }) => width * height);
  const large = parts.filter((_, at) => areas[at]! >= COMPONENT_SHARE_MIN * Math.max(...areas));
  if (large.length === 0) return { none: 'no subject stands out' };
  const box = boxAround(large);
  if (Math.min(box.width, box.height) >= FILL_SHARE_MAX) return { none: 'the subject fills the image' };
  return { box, by };
}

async function readDownsampled(bytes: Uint8Array): Promise<Raster> {
  const { hasAlpha } = await awaitDecoding(openPicture(bytes).metadata());
  const small = openPicture(bytes)
    .resize({ width: SIDE_PX, height: SIDE_PX, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb');
  return decodeRaster(hasAlpha ? small.ensureAlpha() : small.removeAlpha());
}

const opacityOf = ({ width, height, channels, data }: Raster): Plane => ({
  width,
  height,
  data: Float32Array.from({ length: width * height }, (_, at) => data[at * channels + channels - 1]! / 255),
});

function withoutAlpha({ width, height, channels, data }: Raster): Raster {
  if (channels === 3) return { width, height, channels, data };
  const colors = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++)
    colors.set(data.subarray(pixel * channels, pixel * channels + 3), pixel * 3);
  return { width, height, channels: 3, data: colors };
}
