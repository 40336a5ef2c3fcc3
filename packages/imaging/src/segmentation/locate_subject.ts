import { awaitDecoding, openPicture } from '../codecs/open_picture.ts';
import { decodeRaster } from '../codecs/read_raster.ts';
import { EngineError } from '../errors/engine_error.ts';
import { type Box, boxAround } from '../pixels/box.ts';
import type { Plane } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import { subjectsIn } from './choose_subject.ts';
import { cropPicture, findFrame } from './letterbox.ts';
import { type FoundBy, findObject, isCutOutAlready, objectOf } from './remove_background.ts';
import { type Segment, segmentByColor } from './segment.ts';

/** Where the subject of a picture is. */
export interface LocatedSubject {
  /** Around all of it, in parts of width and height. */
  readonly box: Box;
  readonly by: FoundBy;
}

/** No segmenter that is asked only where a subject is needs more; the longest side, in pixels. */
const SIDE_PX = 512;
/** Of the box of the largest part: smaller parts are taken for clutter. */
const PART_MIN = 0.1;
/** A subject whose box takes more of both sides does not say where to look. */
const FILLS_FROM = 0.98;

/**
 * Finds the box around the subject: by transparency of the picture's own, a flat background, or a segmenter. Much cheaper than cutting it out:
 * nothing is worked out along edges.
 * @param segment a network; absent: by colours alone
 * @returns why there is none, where nothing stands out, or what stands out fills the picture
 * @throws EngineError undecodable_image, image_too_large, unsupported_image
 */
export async function locateSubject(
  bytes: Uint8Array,
  segment?: Segment,
): Promise<LocatedSubject | { readonly none: string }> {
  const picture = await readSmall(bytes);
  if (isCutOutAlready(picture)) return subjectOf(opacityOf(picture), 'own_transparency');
  const opaque = withoutAlpha(picture);
  const frame = findFrame(opaque);
  const inside = frame ? cropPicture(opaque, frame) : opaque;
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
      return { none: 'colours alone do not tell the subject from the background' };
    throw error;
  }
}

function subjectOf(mask: Plane, by: FoundBy): LocatedSubject | { readonly none: string } {
  const parts = subjectsIn(mask).map(({ left, top, ...size }) => ({ x: left, y: top, ...size }));
  const areas = parts.map(({ width, height }) => width * height);
  const large = parts.filter((_, at) => areas[at]! >= PART_MIN * Math.max(...areas));
  if (large.length === 0) return { none: 'nothing stands out from the rest' };
  const box = boxAround(large);
  if (Math.min(box.width, box.height) >= FILLS_FROM) return { none: 'the subject fills the picture' };
  return { box, by };
}

async function readSmall(bytes: Uint8Array): Promise<Raster> {
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
