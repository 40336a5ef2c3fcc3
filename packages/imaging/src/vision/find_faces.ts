import type { Session } from '../onnx/session.ts';
import { intersectionOverUnion } from '../pixels/intersection_over_union.ts';
import type { Size } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import { decodeFitted } from './decode_fitted.ts';
import { FACE_SCORE_MIN, FACES_MAX } from './limits.ts';

/** A detected face. Fractions of width and height, from the upper left; a face at the edge may extend beyond the image. */
export interface Face {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Confidence, 0 to 1. */
  readonly score: number;
}

/** Longest side of the model input, in pixels. */
const SIDE_PX = 640;
/** Sides are padded to a multiple of this. */
const GRID_PX = 32;
const STRIDES = [8, 16, 32] as const;
/** Non-maximum suppression: intersection over union above which the less confident box is dropped. */
const OVERLAP_MAX = 0.3;

/**
 * Detects faces with YuNet (`face_detection_yunet` of the OpenCV model zoo), most confident first, at most `FACES_MAX`.
 * @throws EngineError undecodable_image, image_too_large, unsupported_image
 */
export async function findFaces(bytes: Uint8Array, session: Pick<Session, 'run'>): Promise<Face[]> {
  const picture = await decodeFitted(bytes, SIDE_PX);
  const [width, height] = [fillUp(picture.width), fillUp(picture.height)];
  const answers = await session.run(planesOf(picture, width, height), [1, 3, height, width]);
  const data = (name: string) => answers.get(name)!.data;
  const found = STRIDES.flatMap((stride) =>
    facesOf(stride, width / stride, {
      classes: data(`cls_${stride}`),
      objects: data(`obj_${stride}`),
      boxes: data(`bbox_${stride}`),
    }),
  );
  return surestFaces(found, picture);
}

const fillUp = (side: number): number => Math.ceil(side / GRID_PX) * GRID_PX;

/** Blue, green and red planes from 0 to 255, padded with black, as in training. */
function planesOf(picture: Raster, width: number, height: number): Float32Array {
  const planes = new Float32Array(3 * width * height);
  for (let y = 0; y < picture.height; y++)
    for (let x = 0; x < picture.width; x++)
      for (let channel = 0; channel < 3; channel++)
        planes[((2 - channel) * height + y) * width + x] =
          picture.data[picture.channels * (y * picture.width + x) + Math.min(channel, picture.channels - 1)]!;
  return planes;
}

interface Cells {
  readonly classes: Float32Array;
  readonly objects: Float32Array;
  /** Four values per cell: offset of the centre from the cell's corner, and logarithm of width and height, in strides. */
  readonly boxes: Float32Array;
}

/** In pixels. */
function facesOf(stride: number, columns: number, { classes, objects, boxes }: Cells): Face[] {
  const faces: Face[] = [];
  for (const [cell, kind] of classes.entries()) {
    const score = Math.sqrt(Math.max(0, kind) * Math.max(0, objects[cell]!));
    if (!(score >= FACE_SCORE_MIN)) continue;
    const [right, down, wide, high] = boxes.subarray(4 * cell, 4 * cell + 4) as unknown as number[];
    const [width, height] = [Math.exp(wide!) * stride, Math.exp(high!) * stride];
    const x = ((cell % columns) + right!) * stride - width / 2;
    const y = (Math.floor(cell / columns) + down!) * stride - height / 2;
    faces.push({ x, y, width, height, score: Math.min(1, score) });
  }
  return faces;
}

/**
 * Non-maximum suppression: the most confident of overlapping faces, at most `FACES_MAX`, in fractions of width and height.
 * @param faces in pixels of an image of this size
 */
export function surestFaces(faces: readonly Face[], { width, height }: Size): Face[] {
  const kept: Face[] = [];
  for (const face of faces.toSorted((one, other) => other.score - one.score)) {
    if (kept.length === FACES_MAX) break;
    if (kept.every((other) => intersectionOverUnion(face, other) <= OVERLAP_MAX)) kept.push(face);
  }
  return kept.map(({ score, ...box }) => ({
    x: box.x / width,
    y: box.y / height,
    width: box.width / width,
    height: box.height / height,
    score,
  }));
}
