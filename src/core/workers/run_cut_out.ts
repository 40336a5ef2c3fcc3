import { shownSize } from '@atelier/imaging/codecs/shown_size.ts';
import { EngineError } from '@atelier/imaging/errors/engine_error.ts';
import type { Session } from '@atelier/imaging/onnx/session.ts';
import { type Box, boxAround, largestFirst } from '@atelier/imaging/pixels/box.ts';
import type { Size } from '@atelier/imaging/pixels/plane.ts';
import type { SubjectSelector } from '@atelier/imaging/segmentation/choose_subject.ts';
import type { Region } from '@atelier/imaging/segmentation/letterbox.ts';
import {
  type RemoveBackgroundRequest,
  type RemovedBackground,
  removeBackground,
} from '@atelier/imaging/segmentation/remove_background.ts';
import { segmentByNetwork } from '@atelier/imaging/segmentation/segment_by_network.ts';
import { SEGMENTERS } from '@atelier/imaging/segmentation/segmenters.ts';
import { type CocoClass, cocoClassOf } from '@atelier/imaging/vision/coco_classes.ts';
import { findObjects } from '@atelier/imaging/vision/find_objects.ts';
import { smallCopy } from '@atelier/imaging/vision/small_copy.ts';
import { findFacesWith } from './find_faces_with.ts';
import { findLinesWith } from './find_lines_with.ts';
import { type CutOutFile, openGraph } from './open_models.ts';
import { withReadableMask } from './readable_mask.ts';
import type { VisionModels } from './run_see.ts';

export interface CutOutRequest extends RemoveBackgroundRequest {
  readonly network: CutOutFile;
  /** A word for the intended subject, instead of `where`. */
  readonly word?: string;
  /** Models that locate the subject of a word. */
  readonly eyes?: WordFinders;
}

type WordFinders = Pick<VisionModels, 'faces' | 'objects' | 'writing' | 'reader'>;

/** Removes the background without a model. @throws as `removeBackground` does */
export const runCutOutByColors = async (
  request: RemoveBackgroundRequest,
  onProgress?: (fraction: number, message: string) => void,
): Promise<RemovedBackground> => removeBackground(await withReadableMask(request), onProgress);

/** Removes the background with a model that stays open in this process. @throws as `removeBackground` does */
export async function runCutOut(
  { network, word, eyes = {}, ...request }: CutOutRequest,
  onProgress: (fraction: number, message: string) => void = () => {},
): Promise<RemovedBackground> {
  let provider: Session['provider'] = 'cpu';
  const where = word === undefined ? request.where : await placeOf(word, request.bytes, eyes);
  const removed = await removeBackground({ ...(await withReadableMask(request)), where }, onProgress, {
    engine: { name: network.name, version: network.sha256.slice(0, 12), weights_sha256: network.sha256 },
    // Opened on demand: a flat background needs no model.
    segment: async (picture, place) => {
      const session = await openGraph(network);
      provider = session.provider;
      return segmentByNetwork(session, SEGMENTERS[network.name])(picture, place);
    },
  });
  if (network.provider === 'cpu' || removed.foundBy !== 'network') return removed;
  return { ...removed, engine: { ...removed.engine, provider } };
}

const FACES = /^(face|head)s?$/i;
const WRITING = /^(text|writing|lettering)$/i;

/**
 * Locates the subject of a word: a box around all text, the largest face, or the largest object of the class; without an object detector, a
 * person is located by the centre of a face.
 * @throws EngineError subject_unclear if nothing is found, or no installed model can search for it
 */
async function placeOf(word: string, bytes: Uint8Array, eyes: WordFinders): Promise<SubjectSelector> {
  const isWriting = WRITING.test(word);
  const isFace = FACES.test(word);
  const kind = isWriting || isFace ? undefined : cocoClassOf(word);
  if (!isWriting && !isFace && !kind)
    throw unclear(
      `"${word}" is not a supported subject. Use "face", "person", "text" or an object such as "car", "dog" or "chair".`,
    );
  const found = await (kind ? thingsOf(kind, bytes, eyes) : facesOrLines(bytes, eyes, isWriting));
  if (found.length === 0) throw unclear(`No ${isWriting ? 'text' : word} was found in the image.`);
  const box = regionAround(isWriting ? found : largestFirst(found).slice(0, 1), await shownSize(bytes));
  return kind && !eyes.objects ? { x: box.left + box.width / 2, y: box.top + box.height / 2 } : box;
}

async function facesOrLines(
  bytes: Uint8Array,
  eyes: WordFinders,
  isWriting: boolean,
): Promise<readonly Box[]> {
  if (isWriting ? !eyes.reader && !eyes.writing : !eyes.faces)
    throw unclear(`The model that finds ${isWriting ? 'text' : 'faces'} is not installed on this server.`);
  const copy = await smallCopy(bytes);
  return (await (isWriting ? findLinesWith(copy, eyes) : findFacesWith(copy, eyes.faces!))) ?? [];
}

/** Detects objects of a class; a person by a face if no object detector is installed. */
async function thingsOf(kind: CocoClass, bytes: Uint8Array, eyes: WordFinders): Promise<readonly Box[]> {
  if (eyes.objects) {
    const found = await findObjects(await smallCopy(bytes), await openGraph(eyes.objects));
    return found.filter((object) => object.kind === kind);
  }
  if (kind === 'person') return facesOrLines(bytes, eyes, false);
  throw unclear(
    `The object detection model is not installed on this server. The operator can install it with "atelier models pull nanodet".`,
  );
}

const unclear = (detail: string): EngineError =>
  new EngineError(
    'subject_unclear',
    `${detail} Send \`where\` as a point on the subject or a box around it.`,
  );

/** Bounding box in pixels of regions. @param parts in fractions of width and height */
function regionAround(parts: readonly Box[], { width, height }: Size): Region {
  const around = boxAround(parts);
  const left = Math.max(0, around.x);
  const top = Math.max(0, around.y);
  const right = around.x + around.width;
  const bottom = around.y + around.height;
  return {
    left: left * width,
    top: top * height,
    width: (right - left) * width,
    height: (bottom - top) * height,
  };
}
