import { bitsApart } from '@atelier/imaging/fingerprint/pdq/bits_apart.ts';
import { hexOf } from '@atelier/imaging/palette/css_colors.ts';
import { oklabOf } from '@atelier/imaging/pixels/oklab.ts';
import { matchColors, paletteDistance } from '@atelier/imaging/visual_descriptor/color_match.ts';
import { matchLayouts } from '@atelier/imaging/visual_descriptor/layout.ts';
import { paletteTransport } from '@atelier/imaging/visual_descriptor/palette_transport.ts';
import { unpackColors, type VisualDescriptor } from '@atelier/imaging/visual_descriptor/visual_descriptor.ts';
import { HASH_DISTANCE_MAX, HASH_QUALITY_MIN } from '../../../config/limits.ts';
import type { DescriptorQuery, PackedDescriptors, Ranked, StoredDescriptor } from './rank_descriptors.ts';

/** A work found by its visual descriptor. */
export interface DescriptorHit {
  readonly id: string;
  /** Lower is more similar. */
  readonly rank: number;
  /** True for another copy of the query image. */
  readonly isSame: boolean;
  /** Reason in words. Computed on demand, because only a page of thousands of hits is shown. */
  why(): string;
}

export const hitsOf = (
  looks: PackedDescriptors,
  asked: DescriptorQuery,
  ranked: readonly Ranked[],
): DescriptorHit[] =>
  ranked.map(({ at, rank }) => {
    const known = looks.lookOf(at);
    const isSame = isCopy(asked, known);
    return { id: known.id, rank, isSame, why: () => whyItIsLike(asked, known, isSame) };
  });

const isCopy = ({ like }: DescriptorQuery, { pdq, quality }: StoredDescriptor): boolean =>
  like !== undefined &&
  Math.min(like.quality, quality) >= HASH_QUALITY_MIN &&
  like.hashes.some((hash) => bitsApart(hash, pdq) <= HASH_DISTANCE_MAX);

/**
 * Describes the similarity of a hit in words.
 * @param isSame true if the hashes match, so that it is the same image
 */
function whyItIsLike(
  { colors, like, by }: DescriptorQuery,
  known: StoredDescriptor,
  isSame: boolean,
): string {
  return [
    ...(colors?.length ? [whyOfColors(colors, known)] : []),
    ...(like ? [whyAlike(like, known, { by, isSame })] : []),
  ].join('; ');
}

function whyAlike(
  like: VisualDescriptor,
  known: StoredDescriptor,
  { by, isSame }: Pick<DescriptorQuery, 'by'> & { readonly isSame: boolean },
): string {
  if (by === 'composition') return whyOfLayout(like, known);
  return by === 'color' ? whyOfPalette(like, known) : whyOfLikeness(like, known, isSame);
}

function whyOfLayout({ layout }: VisualDescriptor, known: StoredDescriptor): string {
  const { similarity, isMirrored } = matchLayouts(layout, known.layout)!;
  return `composition: light and dark ${Math.round(100 * similarity)} % similar${isMirrored ? ', mirrored' : ''}`;
}

/** The largest colour of the work, and the distance of its colours. */
function whyOfPalette({ colors }: VisualDescriptor, known: StoredDescriptor): string {
  const own = unpackColors(known.colors);
  const distance = paletteTransport(unpackColors(colors), own);
  const main = own.slice(0, 2).map(({ color, share }) => `${hexOf(color)} ${Math.round(100 * share)} %`);
  return `colour: distance ${distance.toFixed(3)}; ${main.join(', ')}`;
}

function whyOfColors(colors: readonly number[], known: StoredDescriptor): string {
  const asked = colors.map((color) => oklabOf(color >> 16, (color >> 8) & 255, color & 255));
  const match = matchColors(asked, unpackColors(known.colors));
  return (match?.nearest ?? [])
    .map(
      ({ color, distance }, at) =>
        `colour ${hexOf(colors[at]!)}: nearest is ${hexOf(color.color)} on ${Math.round(color.share * 100)} %, distance ${distance.toFixed(3)}`,
    )
    .join('; ');
}

function whyOfLikeness(
  { hashes, colors }: VisualDescriptor,
  known: StoredDescriptor,
  isSame: boolean,
): string {
  if (isSame) {
    const bits = Math.min(...hashes.map((hash) => bitsApart(hash, known.pdq)));
    return `the same image: ${bits} of 256 hash bits differ`;
  }
  const distance = paletteDistance(unpackColors(colors), unpackColors(known.colors));
  return `similar colours: distance ${distance.toFixed(3)}`;
}
