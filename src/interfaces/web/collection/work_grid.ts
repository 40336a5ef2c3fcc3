import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import { MUSEUMS } from '../../../features/artworks/museums/museums.ts';
import type { ArtworkRecord } from '../../../features/artworks/records/record.ts';
import type { Services } from '../../../features/services.ts';
import { THUMBNAIL_PX } from './limits.ts';

const EAGER = 4;

/**
 * Grid of works with links to their pages. The page must list `collection.css` and `picture.ts`.
 * @param isFirst whether the grid is at the top of the page, so that its first images load eagerly
 * @param action controls below a work
 * @param address URL of a work page; default: without its search
 */
export const workGrid = (
  works: readonly GridWork[],
  {
    isFirst,
    action = () => html``,
    address = ({ id }) => `/works/${id}`,
  }: {
    isFirst: boolean;
    action?: (work: GridWork) => Html;
    address?: (work: GridWork, at: number) => string;
  },
): Html =>
  html`<ul class="hang">${works.map((work, at) => {
    const { title, caption, thumbnail, size } = work;
    return html`<li><a href="${address(work, at)}"><at-picture class="wall ${shapeOf(size)}"><img src="${thumbnail}" width="${size?.width ?? THUMBNAIL_PX}" height="${size?.height ?? THUMBNAIL_PX}" alt=""${isFirst && at < EAGER ? (at === 0 ? html` fetchpriority="high"` : '') : html` loading="lazy"`}></at-picture><span class="label"><b>${title}</b><span class="quiet">${caption}</span></span></a>${action(work)}</li>`;
  })}</ul>`;

const shapeOf = (size: GridWork['size']): string => {
  if (!size) return 'unsized';
  return size.width >= size.height ? 'broad' : 'tall';
};

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
