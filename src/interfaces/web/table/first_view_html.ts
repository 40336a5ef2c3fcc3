import { html } from 'hono/html';
import { CELL_PX, cellOf, frameOf, placesOf } from '../../../core/html/browser/table_plane.ts';
import { shownItems } from '../../../core/html/browser/table_state.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { itemAddress } from './items_html.ts';
import { FIRST_IMAGES_MAX, FIRST_TILES_MAX } from './limits.ts';
import type { OpenTable } from './read_table.ts';

/** Up to so many px of the table, its images are shown at nearly their own size. */
const NARROW_PX = 3 * CELL_PX;

/**
 * The table as it is first seen, before its programs run: the first images in their places, then plain rectangles. The style
 * scales it as `homeView` does; `Board` removes it when its own tiles are drawn.
 */
export function firstViewHtml({ state, pass }: OpenTable): Html {
  const items = shownItems(state);
  if (items.length === 0) return html``;
  const places = placesOf(
    items.map(({ item, x, y }) => ({
      id: String(item),
      ...(x !== null && y !== null && { at: { x, y } }),
    })),
  );
  const { left, top, width, height } = frameOf(places.values());
  const images = items.filter(({ kind }) => kind === 'image').slice(0, FIRST_TILES_MAX);
  const addresses = images
    .slice(0, FIRST_IMAGES_MAX)
    .map(({ item }) => itemAddress(pass, item, width > NARROW_PX ? 'tiny' : 'small'));
  const tiles = images.map((item, at) => {
    const { x, y } = places.get(String(item.item))!;
    const cell = cellOf(item);
    const box = html`x="${x + cell.left}" y="${y + cell.top}" width="${cell.width}" height="${cell.height}"`;
    return addresses[at] === undefined ? html`<rect ${box}/>` : html`<image href="${addresses[at]}" ${box}/>`;
  });
  // Browsers look ahead for links, and not into drawings.
  const links = addresses.map((address) => html`<link rel="preload" as="image" href="${address}">`);
  return html`${links}<svg class="first-view" viewBox="${left} ${top} ${width} ${height}" width="${width}" height="${height}" aria-hidden="true">${tiles}</svg>`;
}
