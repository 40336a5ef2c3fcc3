import type { Session } from '../onnx/session.ts';
import type { Box } from '../pixels/box.ts';
import type { Size } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import { decodeFitted } from './decode_fitted.ts';
import { type Face, surestFaces } from './find_faces.ts';
import { FULL_RANGE_SCORE_MIN } from './limits.ts';

/** Input side, grid cells, and values per cell (a box and six landmarks) of MediaPipe's face_detection_full_range. */
const SIDE_PX = 192;
const GRID = 48;
const NUMBERS = 16;
/** Tiles with half of the longer side overlap by half, so that small faces are found. */
const PARTS = 2;
/** Longest side after decoding: a tile is then sampled at 1:1. */
const DECODED_PX = 768;

/**
 * Detects faces with MediaPipe's full-range detector in the whole image and in overlapping quarters, most confident first, at most `FACES_MAX`.
 * @throws EngineError undecodable_image, image_too_large, unsupported_image
 */
export async function findFacesFullRange(bytes: Uint8Array, session: Pick<Session, 'run'>): Promise<Face[]> {
  const picture = await decodeFitted(bytes, DECODED_PX);
  const found: Face[] = [];
  for (const square of squaresOf(picture)) {
    const answers = await session.run(inputOf(picture, square), [1, 3, SIDE_PX, SIDE_PX]);
    found.push(...facesIn(square, { boxes: numbersOf(answers, NUMBERS), scores: numbersOf(answers, 1) }));
  }
  return surestFaces(found, picture);
}

interface Square {
  readonly left: number;
  readonly top: number;
  readonly side: number;
}

/** The whole image centred in a square, then its tiles. */
function squaresOf({ width, height }: Size): Square[] {
  const longest = Math.max(width, height);
  const whole = { left: (width - longest) / 2, top: (height - longest) / 2, side: longest };
  const side = longest / PARTS;
  const starts = (length: number): number[] => {
    const count = Math.max(1, Math.ceil((2 * length) / side) - 1);
    return count === 1
      ? [(length - side) / 2]
      : Array.from({ length: count }, (_, at) => (at * (length - side)) / (count - 1));
  };
  const parts = starts(height).flatMap((top) => starts(width).map((left) => ({ left, top, side })));
  return [whole, ...parts];
}

/** Red, green and blue planes from −1 to 1, padded with black; reductions average pixels. */
function inputOf({ data, width, height, channels }: Raster, { left, top, side }: Square): Float32Array {
  const planes = new Float32Array(3 * SIDE_PX ** 2).fill(-1);
  const step = side / SIDE_PX;
  const samples = Math.max(1, Math.round(step));
  for (let at = 0; at < SIDE_PX ** 2; at++) {
    const [column, row] = [at % SIDE_PX, Math.floor(at / SIDE_PX)];
    for (let sample = 0; sample < samples ** 2; sample++) {
      const x = Math.floor(left + (column + ((sample % samples) + 0.5) / samples) * step);
      const y = Math.floor(top + (row + (Math.floor(sample / samples) + 0.5) / samples) * step);
      if (x < 0 || y < 0 || x >= width || y >= height) continue;
      for (let plane = 0; plane < 3; plane++)
        planes[plane * SIDE_PX ** 2 + at]! +=
          data[channels * (y * width + x) + (channels < 3 ? 0 : plane)]! / 127.5 / samples ** 2;
    }
  }
  return planes;
}

interface Answer {
  readonly boxes: Float32Array;
  readonly scores: Float32Array;
}

/** In pixels of the image. */
function facesIn({ left, top, side }: Square, { boxes, scores }: Answer): Face[] {
  const faces: Face[] = [];
  for (const [place, logit] of scores.entries()) {
    const score = 1 / (1 + Math.exp(-logit));
    if (score < FULL_RANGE_SCORE_MIN) continue;
    const [right = 0, down = 0, wide = 0, high = 0] = boxes.subarray(NUMBERS * place, NUMBERS * place + 4);
    const scale = side / SIDE_PX;
    const box: Box = {
      x: left + (((place % GRID) + 0.5) / GRID) * side + (right - wide / 2) * scale,
      y: top + ((Math.floor(place / GRID) + 0.5) / GRID) * side + (down - high / 2) * scale,
      width: wide * scale,
      height: high * scale,
    };
    faces.push({ ...box, score });
  }
  return faces;
}

/** The output with this number of values per cell. */
const numbersOf = (answers: Awaited<ReturnType<Session['run']>>, columns: number): Float32Array =>
  [...answers.values()].find(({ sides }) => sides.at(-1) === columns)!.data;
