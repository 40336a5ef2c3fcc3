import { html } from 'hono/html';
import { shownItems } from '../../../core/html/browser/table_state.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { listWorkspaces } from '../../../features/workspaces/routes/index.ts';
import type { WorkspaceView } from '../../../features/workspaces/types.ts';
import { itemAddress } from '../table/items_html.ts';
import { askTable, type OpenTable, openTable } from '../table/read_table.ts';
import { imagesText } from '../table/words.ts';
import type { Visit } from '../types.ts';
import { worthHtml } from './worth_html.ts';

const TABLES_SHOWN = 4;
const IMAGES_OF_TABLE = 4;

/** What the wallet made last: its tables, each with its newest images. One that has none sees what credits are for. */
export async function tablesSection(visit: Visit): Promise<Html> {
  const { workspaces } = await askTable<{ workspaces: readonly WorkspaceView[] }>(visit, listWorkspaces, {
    limit: TABLES_SHOWN,
  });
  if (workspaces.length === 0) return worthHtml(visit.studio.tools);
  const tables = await Promise.all(workspaces.map(({ id }) => openTable(visit, id)));
  return html`<section><div class="head"><h2>Your tables</h2><a href="/table">All tables</a></div><ul class="made">${tables.map(tableHtml)}</ul></section>`;
}

function tableHtml({ pass, state }: OpenTable): Html {
  const { id, title } = state.workspace;
  const items = shownItems(state);
  const images = items
    .filter(({ kind }) => kind === 'image')
    .slice(-IMAGES_OF_TABLE)
    .reverse();
  return html`<li><a href="/table/${id}"><span class="made-images">${images.map(
    ({ item, name, caption }) =>
      html`<img src="${itemAddress(pass, item, 'small')}" width="240" height="240" alt="${caption || name}" loading="lazy" decoding="async">`,
  )}</span><b>${title}</b> <span class="small quiet">${imagesText(items.length)}</span></a></li>`;
}
