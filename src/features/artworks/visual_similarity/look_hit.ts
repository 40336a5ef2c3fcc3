import { bitsApart } from '@atelier/imaging/fingerprint/pdq/pdq.ts';
import { hexOf } from '@atelier/imaging/palette/css_colors.ts';
import { oklabOf } from '@atelier/imaging/pixels/oklab.ts';
import { matchColors, paletteDistance } from '@atelier/imaging/visual_descriptor/color_match.ts';
import { matchLayouts } from '@atelier/imaging/visual_descriptor/layout.ts';
import { paletteTransport } from '@atelier/imaging/visual_descriptor/palette_transport.ts';
import { unpackColors, type VisualDescriptor } from '@atelier/imaging/visual_descriptor/visual_descriptor.ts';
import { HASH_DISTANCE_MAX, HASH_QUALITY_MIN } from '../../../config/limits.ts';
import type { KnownLook, LookAsked, PackedLooks, Ranked } from './rank_looks.ts';

/** A work whose picture looks as was asked for. */
export interface LookHit {
  readonly id: string;
  /** The lower the likelier. */
  readonly rank: number;
  /** Another copy of the picture that was sent. */
  readonly isSame: boolean;
  /** What was measured, in words; put together when asked for, as of thousands of hits a page is shown. */
  why(): string;
}

export const hitsOf = (looks: PackedLooks, asked: LookAsked, ranked: readonly Ranked[]): LookHit[] =>
  ranked.map(({ at, rank }) => {
    const known = looks.lookOf(at);
    const isSame = isCopy(asked, known);
    return { id: known.id, rank, isSame, why: () => whyItIsLike(asked, known, isSame) };
  });

const isCopy = ({ like }: LookAsked, { pdq, quality }: KnownLook): boolean =>
  like !== undefined &&
  Math.min(like.quality, quality) >= HASH_QUALITY_MIN &&
  like.hashes.some((hash) => bitsApart(hash, pdq) <= HASH_DISTANCE_MAX);

/** What was measured of a work that was found, in words. @param isSame whether its hash says that it is the picture asked for */
function whyItIsLike({ colors, like, by }: LookAsked, known: KnownLook, isSame: boolean): string {
  return [
    ...(colors?.length ? [whyOfColors(colors, known)] : []),
    ...(like ? [whyAlike(like, known, { by, isSame })] : []),
  ].join('; ');
}

function whyAlike(
  like: VisualDescriptor,
  known: KnownLook,
  { by, isSame }: Pick<LookAsked, 'by'> & { readonly isSame: boolean },
): string {
  if (by === 'composition') return whyOfLayout(like, known);
  return by === 'color' ? whyOfPalette(like, known) : whyOfLikeness(like, known, isSame);
}

function whyOfLayout({ layout }: VisualDescriptor, known: KnownLook): string {
  const { similarity, isMirrored } = matchLayouts(layout, known.layout)!;
  return `composition: light and dark ${Math.round(100 * similarity)} % alike${isMirrored ? ', mirrored' : ''}`;
}

/** The largest colour of the work beside how far its colours are. */
function whyOfPalette({ colors }: VisualDescriptor, known: KnownLook): string {
  const own = unpackColors(known.colors);
  const distance = paletteTransport(unpackColors(colors), own);
  const main = own.slice(0, 2).map(({ color, share }) => `${hexOf(color)} ${Math.round(100 * share)} %`);
  return `colour: distance ${distance.toFixed(3)}; ${main.join(', ')}`;
}

function whyOfColors(colors: readonly number[], known: KnownLook): string {
  const asked = colors.map((color) => oklabOf(color >> 16, (color >> 8) & 255, color & 255));
  const match = matchColors(asked, unpackColors(known.colors));
  return (match?.nearest ?? [])
    .map(
      ({ color, distance }, at) =>
        `colour ${hexOf(colors[at]!)}: nearest is ${hexOf(color.color)} on ${Math.round(color.share * 100)} %, distance ${distance.toFixed(3)}`,
    )
    .join('; ');
}

function whyOfLikeness({ hashes, colors }: VisualDescriptor, known: KnownLook, isSame: boolean): string {
  if (isSame) {
    const bits = Math.min(...hashes.map((hash) => bitsApart(hash, known.pdq)));
    return `likeness: the same picture, ${bits} of 256 bits of its hash differ`;
  }
  const distance = paletteDistance(unpackColors(colors), unpackColors(known.colors));
  return `likeness: its colours, distance ${distance.toFixed(3)}`;
}
