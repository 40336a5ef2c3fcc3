import type { Session } from '../onnx/session.ts';
import type { Box } from '../pixels/box.ts';
import { intersectionOverUnion } from '../pixels/intersection_over_union.ts';
import { COCO_CLASSES, type CocoClass } from './coco_classes.ts';
import { OBJECT_SCORE_MIN, OBJECTS_MAX } from './limits.ts';
import { stretchedInput } from './stretched_input.ts';

/** A detected object: fractions of width and height, from the upper left, within 0 to 1. */
export interface FoundObject extends Box {
  readonly kind: CocoClass;
  /** Confidence, 0 to 1. */
  readonly score: number;
}

/** Input side of NanoDet-g, and the strides of its three grids, in pixels. */
const SIDE_PX = 416;
const STRIDES = [8, 16, 32] as const;
/** Each side of a box is a distribution over this many whole strides from the centre of its cell. */
const BINS = 11;
/** Non-maximum suppression: intersection over union of boxes of one class above which the less confident one is dropped. */
const OVERLAP_MAX = 0.5;
/** Training mean and deviation (blue, green, red, 0 to 255), for planes of 0 to 1. */
const NORM = {
  mean: [123.675 / 255, 116.28 / 255, 103.53 / 255],
  deviation: [58.395 / 255, 57.12 / 255, 57.375 / 255],
} as const;

/**
 * Detects objects of the 80 COCO classes with NanoDet-g (github.com/RangiLyu/nanodet), most confident first, at most `OBJECTS_MAX`. It is reliable
 * for people and vehicles; it often confuses animals and small objects.
 * @throws EngineError undecodable_image, image_too_large, unsupported_image
 */
export async function findObjects(bytes: Uint8Array, session: Pick<Session, 'run'>): Promise<FoundObject[]> {
  const planes = await stretchedInput(bytes, { width: SIDE_PX, height: SIDE_PX }, NORM);
  const answers = [...(await session.run(blueFirst(planes), [1, 3, SIDE_PX, SIDE_PX])).values()];
  const grids = STRIDES.map((stride) => {
    const places = (SIDE_PX / stride) ** 2;
    const ofGrid = (columns: number) =>
      answers.find(({ sides }) => sides.at(-2) === places && sides.at(-1) === columns)!.data;
    return { stride, scores: ofGrid(COCO_CLASSES.length), sides: ofGrid(4 * BINS) };
  });
  return surest(grids.flatMap(objectsIn));
}

/** The model was trained on BGR. */
function blueFirst(planes: Float32Array): Float32Array {
  const area = planes.length / 3;
  const turned = new Float32Array(planes.length);
  for (let plane = 0; plane < 3; plane++)
    turned.set(planes.subarray(plane * area, (plane + 1) * area), (2 - plane) * area);
  return turned;
}

interface Grid {
  readonly stride: number;
  /** One value per class and cell. */
  readonly scores: Float32Array;
  /** `BINS` values per side (left, top, right, bottom) and cell. */
  readonly sides: Float32Array;
}

function objectsIn({ stride, scores, sides }: Grid): FoundObject[] {
  const found: FoundObject[] = [];
  const columns = SIDE_PX / stride;
  for (let place = 0; place < columns * columns; place++) {
    const kinds = scores.subarray(place * COCO_CLASSES.length, (place + 1) * COCO_CLASSES.length);
    const kind = kinds.reduce((best, score, at) => (score > kinds[best]! ? at : best), 0);
    const score = kinds[kind]!;
    if (!(score >= OBJECT_SCORE_MIN)) continue;
    const [left, top, right, bottom] = [0, 1, 2, 3].map(
      (side) => distance(sides.subarray((4 * place + side) * BINS, (4 * place + side + 1) * BINS)) * stride,
    ) as [number, number, number, number];
    const [x, y] = [((place % columns) + 0.5) * stride, (Math.floor(place / columns) + 0.5) * stride];
    const box = { x: within(x - left), y: within(y - top) };
    const [width, height] = [within(x + right) - box.x, within(y + bottom) - box.y];
    if (width > 0 && height > 0)
      found.push({ kind: COCO_CLASSES[kind]!, ...box, width, height, score: Math.min(1, score) });
  }
  return found;
}

const within = (px: number): number => Math.min(1, Math.max(0, px / SIDE_PX));

/** Expected distance, in strides. */
function distance(bins: Float32Array): number {
  const weights = bins.map((bin) => Math.exp(bin - Math.max(...bins)));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.reduce((total, weight, bin) => total + weight * bin, 0) / sum;
}

function surest(found: readonly FoundObject[]): FoundObject[] {
  const kept: FoundObject[] = [];
  for (const object of found.toSorted((one, other) => other.score - one.score)) {
    if (kept.length === OBJECTS_MAX) break;
    if (
      kept.every((other) => other.kind !== object.kind || intersectionOverUnion(object, other) <= OVERLAP_MAX)
    )
      kept.push(object);
  }
  return kept;
}
