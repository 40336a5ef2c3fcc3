import type { Plane } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import { type Ask, askWidened } from './looks.ts';
import { enlargePlane } from './resample.ts';
import { largestPiece, logistic, overlapOfMasks, type Segmented, softPart } from './segment.ts';
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
 * Probability that the mask shares less than 0.9 (IoU) with the object: a logistic function of how much of the first answer is certain,
 * how much of the mask lies outside its largest part, how far both answers differ, and how soft the mask is. Fitted to sixty composites
 * and five photographs: docs/decisions/0024-cut-outs-and-erasing.md
 */
export function judgeLooks(looks: Looks): Pick<Segmented, 'doubt' | 'edges'> {
  const edges = weakPart(looks.first) > WEAK_FROM ? 'anew' : 'hair_only';
  return { doubt: doubtOfLooks(looks), edges };
}

function doubtOfLooks({ first, widened, mask }: Looks): number {
  const kept = countAbove(mask, 0.5);
  if (kept === 0) return 1;
  const besides = 1 - largestPiece(mask) / kept;
  const certain = countAbove(first, CERTAIN_FROM) / Math.max(1, countAbove(first, SEEN_FROM));
  const apart = widened ? 1 - overlapOfMasks(enlargePlane(first, widened), widened) : 0;
  const soft = Math.log(Math.min(1, softPart(mask)) + SOFT_FLOOR);
  return logistic(
    LOOKS.start + LOOKS.certain * certain + LOOKS.besides * besides + LOOKS.apart * apart + LOOKS.soft * soft,
  );
}

/** The start is lower than fitted: objects pasted before foreign pictures are wrong more often than photographs. */
const LOOKS = { start: 1.25, certain: -1.1, besides: 0.7, apart: 1.7, soft: 1.05 } as const;
/** Keeps the logarithm finite for a mask without soft pixels. */
const SOFT_FLOOR = 0.01;

const countAbove = ({ data }: Plane, level: number): number =>
  data.reduce((sum, value) => sum + (value > level ? 1 : 0), 0);
