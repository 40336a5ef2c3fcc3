import type { Session } from '../onnx/session.ts';
import type { Face } from './find_faces.ts';
import { FIGURES_MIN } from './limits.ts';
import type { SeenPeople } from './seen.ts';
import { stretchedInput } from './stretched_input.ts';

/** Name of the model in results. */
export const PEOPLE_NETWORK = 'pp_humanseg';

/** Side of the square model input, in pixels. */
const SIDE_PX = 192;
/** Training mean and deviation. */
const NORM = { mean: [0.5, 0.5, 0.5], deviation: [0.5, 0.5, 0.5] } as const;

/** Segmentation of people. The model also marks rocks and skies, so the mask alone is not evidence. */
export interface PeopleMask {
  /** Share of the image, 0 to 1. */
  readonly share: number;
  /** Mean confidence within the mask; 0 if it is empty. */
  readonly sure: number;
  /** Whether the mask covers a point, in fractions of width and height. */
  covers(x: number, y: number): boolean;
}

/**
 * Segments people with PP-HumanSeg (PaddleSeg, the small portrait model).
 * @throws EngineError undecodable_image, image_too_large, unsupported_image
 */
export async function maskPeople(bytes: Uint8Array, session: Pick<Session, 'run'>): Promise<PeopleMask> {
  const input = await stretchedInput(bytes, { width: SIDE_PX, height: SIDE_PX }, NORM);
  const [answer] = (await session.run(input, [1, 3, SIDE_PX, SIDE_PX])).values();
  // The first plane is the background.
  const likely = answer!.data.subarray(SIDE_PX * SIDE_PX, 2 * SIDE_PX * SIDE_PX);
  const people = likely.filter((part) => part > 0.5);
  const cell = (part: number) => Math.min(SIDE_PX - 1, Math.max(0, Math.floor(part * SIDE_PX)));
  return {
    share: people.length / likely.length,
    sure: people.length === 0 ? 0 : people.reduce((sum, part) => sum + part, 0) / people.length,
    covers: (x, y) => likely[cell(y) * SIDE_PX + cell(x)]! > 0.5,
  };
}

/**
 * The share of the image that people cover. Undefined without faces, for small people, and if the mask misses a face or is uncertain: it is often
 * wrong then.
 */
export function peopleIn(mask: PeopleMask, faces: readonly Face[]): SeenPeople | undefined {
  const isSure =
    faces.some(({ score }) => score >= FIGURES_MIN.face) &&
    mask.sure >= FIGURES_MIN.sure &&
    mask.share >= FIGURES_MIN.share &&
    faces.every(({ x, y, width, height }) => mask.covers(x + width / 2, y + height / 2));
  return isSure ? { share: mask.share, confidence: mask.sure, by: PEOPLE_NETWORK } : undefined;
}
