import { type Box, multiply } from '../../preflight/content/matrix.ts';
import { writeNumber } from '../../preflight/convert/write_value.ts';
import { type PdfDictionary, PdfStream, type PdfValue } from '../../preflight/pdf/values.ts';
import { mirrorAxesOf, mirroredBleed } from '../../preflight/repair/page_bleed.ts';
import type { LiveArt } from './live_art.ts';

/** Placement of artwork, in points. */
export interface ArtPlacement {
  readonly fit: 'cover' | 'contain';
  readonly trim: Box;
  readonly bleed: Box;
  /** Bounds of all drawing. */
  readonly media: Box;
  /** Scale and lower left corner of the artwork, if `fit` does not determine them. */
  readonly placement?: { readonly scale: number; readonly x: number; readonly y: number } | undefined;
}

/**
 * Places artwork so that it fills the trim or fits inside it, centred, mirrored into the bleed where it ends at the
 * cut.
 * @returns operators, and the form XObjects they refer to
 */
export function placeArt(
  live: LiveArt,
  place: ArtPlacement,
): { readonly forms: PdfDictionary; readonly content: string } {
  const { bleed, media } = place;
  const { scale, x, y } = place.placement ?? fitPlacement(live, place);
  const matrix = multiply(live.upright, [scale, 0, 0, scale, x, y]);
  const moved = (box: Box): Box => ({
    left: scale * box.left + x,
    bottom: scale * box.bottom + y,
    right: scale * box.right + x,
    top: scale * box.top + y,
  });
  const edge = moved({ left: 0, bottom: 0, right: live.width, top: live.height });
  const isFilling = place.fit === 'cover' && !place.placement;
  const mirrorAxes =
    live.reach && isFilling
      ? mirrorAxesOf({ reach: moved(live.reach), trim: edge, wanted: bleed, unit: 1 })
      : new Map();
  const placedForm = (form: PdfStream): PdfValue =>
    live.made.add(
      new PdfStream(new Map<string, PdfValue>([...form.dictionary, ['Matrix', [...matrix]]]), form.raw),
    );
  const forms: PdfDictionary = new Map([['Art', placedForm(live.art)]]);
  if (live.technical) forms.set('Technical', placedForm(live.technical));
  const shown = isFilling ? bleed : edge;
  const technical = live.technical ? '/Technical Do ' : '';
  const content = `q ${clipTo(shown)} ${mirroredBleed({ media, bleed, mirrorAxes }, 'Art')}${technical}Q\n`;
  return { forms, content };
}

function fitPlacement(live: LiveArt, { fit, trim }: ArtPlacement): { scale: number; x: number; y: number } {
  const [across, down] = [trim.right - trim.left, trim.top - trim.bottom];
  const ratios = [across / live.width, down / live.height];
  const scale = fit === 'cover' ? Math.max(...ratios) : Math.min(...ratios);
  return {
    scale,
    x: trim.left + (across - live.width * scale) / 2,
    y: trim.bottom + (down - live.height * scale) / 2,
  };
}

export const clipTo = ({ left, bottom, right, top }: Box): string =>
  `${[left, bottom, right - left, top - bottom].map(writeNumber).join(' ')} re W n`;
