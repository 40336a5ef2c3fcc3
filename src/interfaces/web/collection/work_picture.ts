import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import type { Likeness } from '../../../features/artworks/limits.ts';
import type { Work, WorkPicture } from './seen_work.ts';

/** Pixels a work is shown with at most; up to twice that for dense screens. */
const SHOWN = { width: 860, height: 760 };

/** The picture of a work with what can be done with it below; where it has not come, one sentence says why. */
export function workPicture({ record: { id, title, artists } }: Work, picture: WorkPicture): Html {
  const { service, size, problem } = picture;
  const alt = artists[0] ? `${title}, by ${artists[0].name}` : title;
  if (problem) return html`<div class="absent"><p>${problem}</p></div>${below(id, '', service)}`;
  if (!service || !size)
    return html`<at-picture class="wall unsized waiting"><img src="${picture.large}" width="900" height="675" alt="${alt}" fetchpriority="high"></at-picture>${below(id, 'The image is being requested from its museum.', service)}`;
  const [once, twice] = [fitted(size, 1), fitted(size, 2)];
  return html`<div class="proof"><img src="${sizedAddress(service, once)}" srcset="${sizedAddress(service, once)} ${once.width}w, ${sizedAddress(service, twice)} ${twice.width}w" sizes="min(${once.width}px, 100vw)" width="${once.width}" height="${once.height}" alt="${alt}" fetchpriority="high"></div>${below(
    id,
    once.width === size.width
      ? `${pixels(size)} px.`
      : `Shown at ${pixels(once)} px; original ${pixels(size)} px.`,
    service,
  )}`;
}

const below = (id: string, said: string, service: string | undefined): Html =>
  html`<div class="below small">${said ? html`<p class="quiet">${said}</p>` : ''}<p class="chips">${
    service
      ? html`<a href="/works/${id}/zoom">Deep zoom</a><a href="/iiif/manifest/${id}">IIIF manifest</a>`
      : ''
  }<a href="${likeAddress(id)}">Similar works</a></p></div>`;

/** Search for works that look similar, or are alike in one way. */
export const likeAddress = (id: string, by?: Likeness): string =>
  `/collection?${new URLSearchParams({ like: `artwork:${id}`, ...(by && { like_by: by }) })}`;

type Size = NonNullable<WorkPicture['size']>;

const sizedAddress = (service: string, { width, height }: Size): string =>
  `${service}/full/${width},${height}/0/default.webp`;

const pixels = ({ width, height }: Size): string =>
  `${width.toLocaleString('en')} × ${height.toLocaleString('en')}`;

/** Never larger than it is. */
function fitted({ width, height }: Size, density: number): Size {
  const scale = Math.min(1, (SHOWN.width * density) / width, (SHOWN.height * density) / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
