import { MUSEUMS } from '../../../features/artworks/museums/museums.ts';
import type { ArtworkRecord } from '../../../features/artworks/records/record.ts';
import type { Services } from '../../../features/services.ts';
import { THUMBNAIL_PX } from './limits.ts';

/** A work in a grid. */
export interface GridWork {
  readonly id: string;
  readonly title: string;
  /** Maker and date as far as known, else the museum. */
  readonly caption: string;
  /** Path of its thumbnail on this server. */
  readonly thumbnail: string;
  /** Layout size of the thumbnail in px. Unset: unknown. */
  readonly size?: { readonly width: number; readonly height: number };
}

/**
 * A work with a link to its thumbnail on this server. Records without an image also get a link: the image may be requested from the
 * museum on demand.
 */
export function gridWork(
  { id, title, artists, date, museum, image }: ArtworkRecord,
  artworks: Pick<Services['artworks'], 'link'>,
): GridWork {
  const caption = [artists[0]?.name, date].filter(Boolean).join(', ') || MUSEUMS[museum].name;
  const size = image?.width && image.height ? fitted(image.width, image.height) : undefined;
  const { pathname, search } = new URL(artworks.link(id, 'small').url);
  return { id, title, caption, thumbnail: pathname + search, ...(size && { size }) };
}

function fitted(width: number, height: number) {
  const scale = THUMBNAIL_PX / Math.max(width, height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
