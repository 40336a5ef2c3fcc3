import { findAttention } from '@atelier/imaging/crop/find_attention.ts';
import { type Box, largestFirst } from '@atelier/imaging/pixels/box.ts';
import type { Size } from '@atelier/imaging/pixels/plane.ts';
import { locateSubject } from '@atelier/imaging/segmentation/locate_subject.ts';
import type { FoundBy } from '@atelier/imaging/segmentation/remove_background.ts';
import { segmentByNetwork } from '@atelier/imaging/segmentation/segment_by_network.ts';
import { SEGMENTERS } from '@atelier/imaging/segmentation/segmenters.ts';
import { smallCopy } from '@atelier/imaging/vision/small_copy.ts';
import { findFacesWith } from './find_faces_with.ts';
import { findLinesWith, type LineFinders } from './find_lines_with.ts';
import { type CutOutFile, openGraph, type StoredFile } from './open_models.ts';

/** Detection targets: every face, the largest face, lines of text, the subject, the salient region. */
export const PLACES = ['faces', 'face', 'text', 'subject', 'attention'] as const;
export type Place = (typeof PLACES)[number];

/** Detection models; a target without a model is skipped or found by other means. */
export interface PlaceFinders extends LineFinders {
  readonly faces?: StoredFile;
  readonly subject?: CutOutFile;
}

export interface FindPlacesRequest {
  readonly bytes: Uint8Array;
  readonly place: Place;
  readonly finders: PlaceFinders;
  /**
   * Fallback if the target is not found: `next` tries the subject and finally the salient region, for a crop; `none` returns no boxes, for
   * uses in which a substitute would do harm, such as blurring faces.
   */
  readonly otherwise: 'next' | 'none';
}

export interface FoundPlaces {
  /** The target that the boxes show; differs from the requested one after a fallback. Undefined: no boxes. */
  readonly found: Place | undefined;
  /** Fractions of width and height of the upright image, within 0 to 1; largest first. */
  readonly boxes: readonly (Box & { readonly confidence?: number })[];
  /** Faces of the subject, if a model searched for them: a crop around it must not cut them. */
  readonly faces?: readonly Box[];
  /** How the subject was separated from the background, if the boxes show it. */
  readonly by?: FoundBy;
  /**
   * What was not found, what the boxes show instead, and by which method: "yunet found no face. Used instead: the subject, found by
   * u2netp."
   */
  readonly reason: string;
  /** False: no model for this target is installed, which alone may explain missing boxes. */
  readonly isLookedFor: boolean;
}

/** Fallback order for a crop. */
const CHAIN: Record<Place, readonly Place[]> = {
  faces: ['faces', 'subject', 'attention'],
  face: ['face', 'subject', 'attention'],
  text: ['text', 'subject', 'faces', 'attention'],
  subject: ['subject', 'faces', 'attention'],
  attention: ['attention'],
};

/**
 * Detects regions in an image and reports the method. Models stay open in this process.
 * @throws AtelierError model_unavailable if a file differs from the installed one; EngineError of the image
 */
export async function findPlaces({
  bytes,
  place,
  finders,
  otherwise,
}: FindPlacesRequest): Promise<FoundPlaces> {
  const copy = await smallCopy(bytes);
  const misses: string[] = [];
  let isLookedFor = true;
  for (const tried of otherwise === 'next' ? CHAIN[place] : [place]) {
    const sight = await LOOK[tried]({ bytes, copy, isCovered: otherwise === 'none' }, finders);
    if ('boxes' in sight) {
      const { reason, ...seen } = sight;
      return {
        found: tried,
        ...seen,
        reason: [...misses, sentence(reason, misses.length > 0)].join(' '),
        isLookedFor,
      };
    }
    misses.push(sight.none);
    if (tried === place) isLookedFor = sight.isLookedFor;
  }
  return { found: undefined, boxes: [], reason: misses.join(' '), isLookedFor };
}

const sentence = (reason: string, isInPlace: boolean): string =>
  isInPlace ? `Used instead: ${reason}.` : `${reason[0]!.toUpperCase()}${reason.slice(1)}.`;

interface Picture {
  readonly bytes: Uint8Array;
  /** A reduced copy on an opaque background. */
  readonly copy: Uint8Array;
  /** The detected regions will be covered: everything that may be text counts, so that none of it remains visible. */
  readonly isCovered: boolean;
}

type Sight =
  | Pick<FoundPlaces, 'boxes' | 'faces' | 'by' | 'reason'>
  | { readonly none: string; readonly isLookedFor: boolean };

const LOOK: Record<Place, (picture: Picture, finders: PlaceFinders) => Promise<Sight>> = {
  async faces({ copy }, { faces }) {
    if (!faces) return notInstalled('faces', 'face_full_range');
    const found = bySize(await findFacesWith(copy, faces));
    if (found.length === 0) return nothing(`${faces.name} found no face.`);
    return { boxes: found, reason: `${counted(found.length, 'face')}, found by ${faces.name}` };
  },
  async face(picture, finders) {
    const all = await LOOK.faces(picture, finders);
    if (!('boxes' in all) || all.boxes.length === 1) return all;
    return { boxes: all.boxes.slice(0, 1), reason: `the largest of ${all.reason}` };
  },
  async text({ bytes, copy, isCovered }, finders) {
    const network = finders.reader?.detection ?? finders.writing;
    if (!network) return notInstalled('text', 'ppocr_recognition');
    const source = finders.reader ? bytes : copy;
    const found = bySize((await findLinesWith(source, finders, isCovered ? 'all' : 'sure')) ?? []);
    if (found.length === 0) return nothing(`${network.name} found no text.`);
    return { boxes: found, reason: `${counted(found.length, 'line')} of text, found by ${network.name}` };
  },
  async subject({ bytes, copy }, { subject, faces }) {
    // A single pass: the position of a subject is clear well before its outline.
    const segment =
      subject && segmentByNetwork(await openGraph(subject), { ...SEGMENTERS[subject.name], runs: 'one' });
    const located = await locateSubject(bytes, segment);
    if ('none' in located) return nothing(`No subject was found: ${located.none}.`);
    return {
      boxes: [located.box],
      by: located.by,
      ...(faces && { faces: bySize(await findFacesWith(copy, faces)) }),
      reason: `the subject, found by ${MEANS[located.by](subject?.name)}`,
    };
  },
  async attention({ bytes }) {
    return {
      boxes: [await findAttention(bytes)],
      reason: 'the most salient area, by edges, saturated colours and skin tones',
    };
  },
};

const MEANS: Record<FoundBy, (network?: string) => string> = {
  network: (network) => network ?? 'a network',
  colors: () => 'colour alone, because no segmentation model is installed',
  flat_background: () => 'its flat background',
  own_transparency: () => 'the transparency of the image',
  mask: () => 'its mask',
};

const nothing = (none: string): Sight => ({ none, isLookedFor: true });
const notInstalled = (what: string, network: string): Sight => ({
  none: `No model that finds ${what} is installed. The operator can install one with "atelier models pull ${network}".`,
  isLookedFor: false,
});
const counted = (count: number, noun: string): string => (count === 1 ? `one ${noun}` : `${count} ${noun}s`);

interface Scored extends Box {
  readonly score: number;
}

/** Clipped to the image, largest first. */
function bySize(found: readonly Scored[]): FoundPlaces['boxes'] {
  const boxes = found.map(({ score, ...box }) => ({
    ...within(box),
    confidence: Math.round(100 * score) / 100,
  }));
  return largestFirst(boxes.filter(({ width, height }) => width > 0 && height > 0));
}

function within({ x, y, width, height }: Box): Box {
  const [left, top] = [Math.max(0, x), Math.max(0, y)];
  return { x: left, y: top, width: Math.min(1, x + width) - left, height: Math.min(1, y + height) - top };
}

/** Converts a box from fractions of an image to unrounded pixels. */
export const inPixels = ({ x, y, width, height }: Box, picture: Size): Box => ({
  x: x * picture.width,
  y: y * picture.height,
  width: width * picture.width,
  height: height * picture.height,
});
