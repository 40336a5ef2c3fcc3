import { bitsApart } from '@atelier/imaging/fingerprint/pdq/bits_apart.ts';
import { hexOf } from '@atelier/imaging/palette/css_colors.ts';
import { oklabOf } from '@atelier/imaging/pixels/oklab.ts';
import { matchColors, paletteDistance } from '@atelier/imaging/visual_descriptor/color_match.ts';
import { type Look, unpackColors } from '@atelier/imaging/visual_descriptor/look.ts';
import type { KnownLook } from './packed_looks.ts';
import type { LookAsked } from './rank_looks.ts';

/** What was measured of a work that was found, in words. @param isSame whether its hash says that it is the picture asked for */
export function whyItIsLike({ colors, like }: LookAsked, known: KnownLook, isSame: boolean): string {
  return [
    ...(colors?.length ? [whyOfColors(colors, known)] : []),
    ...(like ? [whyOfLikeness(like, known, isSame)] : []),
  ].join('; ');
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

function whyOfLikeness({ hashes, colors }: Look, known: KnownLook, isSame: boolean): string {
  if (isSame) {
    const bits = Math.min(...hashes.map((hash) => bitsApart(hash, known.pdq)));
    return `likeness: the same picture, ${bits} of 256 bits of its hash differ`;
  }
  const distance = paletteDistance(unpackColors(colors), unpackColors(known.colors));
  return `likeness: its colours, distance ${distance.toFixed(3)}`;
}
