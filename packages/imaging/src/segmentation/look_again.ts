import type { Plane } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import { type Ask, askWidened } from './looks.ts';
import { enlargePlane } from './resample.ts';
import { largestPiece, logistic, overlapOfMasks, type Segmented } from './segment.ts';
import { weighByColors } from './weigh_by_colors.ts';

/** Pixels that may belong to the object, and those of them that hardly do. Opacity. */
const SEEN_FROM = 0.08;
const SURE_FROM = 0.7;
/** From here on a network is asked again: decided masks have 0.06 at most. */
export const WEAK_FROM = 0.15;
/** Of the weak part of the first answer that may be left in the second. Before a crowd the second look only adds clutter. */
const WEAK_LEFT_MAX = 0.8;

/** The part of what a mask shows at all that it hardly shows. 1 where it shows nothing. */
export function weakPart({ data }: Plane): number {
  let [seen, weak] = [0, 0];
  for (const value of data) {
    if (value <= SEEN_FROM) continue;
    seen++;
    if (value < SURE_FROM) weak++;
  }
  return seen === 0 ? 1 : weak / seen;
}

/**
 * What a weak answer shows at all mostly belongs to the object: from this to that it is stretched to 0 to 1. On composites half of what
 * was lost comes back.
 */
const FIRM_FROM = 0.1;
const FIRM_TO = 0.6;

const firm = (mask: Plane): Plane => ({
  ...mask,
  data: mask.data.map((value) => Math.min(1, Math.max(0, (value - FIRM_FROM) / (FIRM_TO - FIRM_FROM)))),
});

/** Both answers of a network that was asked again; the second is absent where the first was decided. */
export interface Looks {
  readonly first: Plane;
  /** Of the size of the picture. */
  readonly widened?: Plane;
  /** What is taken: a decided first answer, or what either shows. */
  readonly mask: Plane;
}

/**
 * Asks about a picture, and about the picture with more room around it where the first answer is weak: a subject that fills the
 * frame is what fails. The second answer counts where it is clearly less weak; what both are unsure of is then weighed by colours.
 */
export async function lookAgainWhenWeak(picture: Raster, ask: Ask): Promise<Looks> {
  const first = await ask(picture);
  const weak = weakPart(first);
  if (weak <= WEAK_FROM) return { first, mask: first };
  const widened = await askWidened(picture, ask);
  if (weakPart(widened) > WEAK_LEFT_MAX * weak) return { first, widened, mask: firm(first) };
  const plain = enlargePlane(first, widened).data;
  const either = { ...widened, data: widened.data.map((value, at) => Math.max(value, plain[at]!)) };
  return { first, widened, mask: weighByColors(picture, either, firm(either)) };
}

/** Opacity from which a network is certain of a pixel. */
const CERTAIN_FROM = 0.95;

/**
 * How likely what was found shares less than 0.9 with the object: by how much of what the first answer shows is certain, how much lies in
 * other parts than the largest, and how far both answers are apart. Weights fitted to sixty composites:
 * docs/decisions/0024-cut-outs-and-erasing.md
 */
export function judgeLooks({ first, widened, mask }: Looks): Pick<Segmented, 'doubt' | 'edges'> {
  const kept = countAbove(mask, 0.5);
  const besides = kept === 0 ? 1 : 1 - largestPiece(mask) / kept;
  const certain = countAbove(first, CERTAIN_FROM) / Math.max(1, countAbove(first, SEEN_FROM));
  const apart = widened ? 1 - overlapOfMasks(enlargePlane(first, widened), widened) : 0;
  return {
    doubt: logistic(LOOKS.start + LOOKS.certain * certain + LOOKS.besides * besides + LOOKS.apart * apart),
    edges: weakPart(first) > WEAK_FROM ? 'anew' : 'hair_only',
  };
}

const LOOKS = { start: 0, certain: -3, besides: 3.5, apart: 1.85 } as const;

const countAbove = ({ data }: Plane, level: number): number =>
  data.reduce((sum, value) => sum + (value > level ? 1 : 0), 0);
