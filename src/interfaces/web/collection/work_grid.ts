import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import type { GridWork } from './grid_work.ts';
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
