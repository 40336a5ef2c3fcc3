import { MUSEUMS } from '../../../features/artworks/museums/museums.ts';
import type { ArtworkRecord } from '../../../features/artworks/records/record.ts';
import type { Services } from '../../../features/services.ts';
import { THUMBNAIL_PX } from './limits.ts';

/** A work as it hangs among others. */
export interface HungWork {
  readonly id: string;
  readonly title: string;
  /** Maker and date, or what of them is known; else the museum. */
  readonly caption: string;
  /** Path of its small picture on this server. */
  readonly thumbnail: string;
  /** How the thumbnail is laid out; absent: the size of the image is unknown. */
  readonly size?: { readonly width: number; readonly height: number };
}

/**
 * A work with a link to its small picture on this server. One whose record names none has a link, too: its museum may be asked for it
 * when the picture is wanted.
 */
export function hungWork(
  { id, title, artists, date, museum, image }: ArtworkRecord,
  artworks: Pick<Services['artworks'], 'link'>,
): HungWork {
  const caption = [artists[0]?.name, date].filter(Boolean).join(', ') || MUSEUMS[museum].name;
  const size = image?.width && image.height ? fitted(image.width, image.height) : undefined;
  const { pathname, search } = new URL(artworks.link(id, 'small').url);
  return { id, title, caption, thumbnail: pathname + search, ...(size && { size }) };
}

function fitted(width: number, height: number) {
  const scale = THUMBNAIL_PX / Math.max(width, height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
