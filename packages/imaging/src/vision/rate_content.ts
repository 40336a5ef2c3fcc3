import type { Session } from '../onnx/session.ts';
import type { Face } from './find_faces.ts';
import type { PeopleMask } from './find_people.ts';
import { BODY_MIN, RATED_FACE_MAX, RATING_MIN } from './limits.ts';
import type { ContentHint } from './seen.ts';
import { stretchedInput } from './stretched_input.ts';

/** Name of the model in results. */
export const RATING_NETWORK = 'nsfw_mobilenet_v2';

/** Side of the square model input, in pixels. */
const SIDE_PX = 224;
const NORM = { mean: [0, 0, 0], deviation: [1, 1, 1] } as const;
/** The model's classes in order. The scores of the nudity classes are added, because it confuses them on artworks. */
const CLASSES = ['drawing', 'hentai', 'neutral', 'porn', 'sexy'] as const;
const BARE: ReadonlySet<(typeof CLASSES)[number]> = new Set(['hentai', 'porn', 'sexy']);

/**
 * Hints that an image may show nudity, by the NSFW JS model (MobileNet v2), if another model detects a body: alone it mistakes stone and cloth for
 * skin. Undefined means no hint, not that the image is free of nudity.
 * @throws EngineError undecodable_image, image_too_large, unsupported_image
 */
export async function rateContent(
  bytes: Uint8Array,
  session: Pick<Session, 'run'>,
  others: { readonly mask?: PeopleMask | undefined; readonly faces?: readonly Face[] | undefined },
): Promise<ContentHint | undefined> {
  if (!mayShowBody(others)) return undefined;
  const input = await stretchedInput(bytes, { width: SIDE_PX, height: SIDE_PX }, NORM);
  const [answer] = (await session.run(input, [1, 3, SIDE_PX, SIDE_PX])).values();
  const bare = CLASSES.reduce((sum, kind, at) => (BARE.has(kind) ? sum + answer!.data[at]! : sum), 0);
  return bare >= RATING_MIN
    ? { hint: 'nudity or sexual content', confidence: Math.min(1, bare), by: RATING_NETWORK }
    : undefined;
}

/** A body needs a mask or a face, and no close-up face. */
function mayShowBody({ mask, faces = [] }: Parameters<typeof rateContent>[2]): boolean {
  const isSeen =
    faces.length > 0 || (mask !== undefined && mask.sure >= BODY_MIN.sure && mask.share >= BODY_MIN.share);
  return isSeen && faces.every(({ height }) => height <= RATED_FACE_MAX);
}
