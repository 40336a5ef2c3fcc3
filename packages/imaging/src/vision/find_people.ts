import type { Session } from '../onnx/session.ts';
import type { Face } from './find_faces.ts';
import { FIGURES_MIN } from './limits.ts';
import type { SeenPeople } from './seen.ts';
import { stretchedInput } from './stretched_input.ts';

/** Who says so. */
export const PEOPLE_NETWORK = 'pp_humanseg';

/** The square the network is shown, in pixels. */
const SIDE_PX = 192;
/** As the network was trained. */
const NORM = { mean: [0.5, 0.5, 0.5], deviation: [0.5, 0.5, 0.5] } as const;

/** Where a network sees people. It sees them in rocks and skies as well: alone it proves nothing. */
export interface PeopleMask {
  /** Part of the picture, 0 to 1. */
  readonly share: number;
  /** How sure the network is where it sees people, on the mean; 0 where it sees none. */
  readonly sure: number;
  /** Whether people are seen at a point, in parts of width and height. */
  covers(x: number, y: number): boolean;
}

/**
 * Separates people from the rest with PP-HumanSeg (PaddleSeg, the small network for portraits).
 * @throws EngineError undecodable_image, image_too_large, unsupported_image
 */
export async function maskPeople(bytes: Uint8Array, session: Pick<Session, 'run'>): Promise<PeopleMask> {
  const input = await stretchedInput(bytes, { width: SIDE_PX, height: SIDE_PX }, NORM);
  const [answer] = (await session.run(input, [1, 3, SIDE_PX, SIDE_PX])).values();
  // The first plane is the rest of the picture.
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
 * How much of the picture the people take up whose faces have been found; undefined where there are none, where they are small,
 * and where the mask leaves out a face or is unsure: then it is often wrong.
 */
export function peopleIn(mask: PeopleMask, faces: readonly Face[]): SeenPeople | undefined {
  const isSure =
    faces.some(({ score }) => score >= FIGURES_MIN.face) &&
    mask.sure >= FIGURES_MIN.sure &&
    mask.share >= FIGURES_MIN.share &&
    faces.every(({ x, y, width, height }) => mask.covers(x + width / 2, y + height / 2));
  return isSure ? { share: mask.share, confidence: mask.sure, by: PEOPLE_NETWORK } : undefined;
}
