import type { Session } from '../onnx/session.ts';
import type { Face } from './find_faces.ts';
import type { PeopleMask } from './find_people.ts';
import { BODY_MIN, RATED_FACE_MAX, RATING_MIN } from './limits.ts';
import type { ContentHint } from './seen.ts';
import { stretchedInput } from './stretched_input.ts';

/** Who says so. */
export const RATING_NETWORK = 'nsfw_mobilenet_v2';

/** The square the network is shown, in pixels. */
const SIDE_PX = 224;
const NORM = { mean: [0, 0, 0], deviation: [1, 1, 1] } as const;
/** Its classes in order; those of bare skin together are what is asked, for in art they change places. */
const CLASSES = ['drawing', 'hentai', 'neutral', 'porn', 'sexy'] as const;
const BARE: ReadonlySet<(typeof CLASSES)[number]> = new Set(['hentai', 'porn', 'sexy']);

/**
 * Whether a picture may show nudity, by the network of NSFW JS (MobileNet v2), and by others that there is a body at all: alone
 * it takes stone and cloth for skin. A hint: undefined says nothing about the picture.
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

/** A mask or a face, and no face so close that nothing else has room. */
function mayShowBody({ mask, faces = [] }: Parameters<typeof rateContent>[2]): boolean {
  const isSeen =
    faces.length > 0 || (mask !== undefined && mask.sure >= BODY_MIN.sure && mask.share >= BODY_MIN.share);
  return isSeen && faces.every(({ height }) => height <= RATED_FACE_MAX);
}
