import { html } from 'hono/html';
import { z } from 'zod';
import type { Html } from '../../../core/html/html_page.ts';
import { listTrash } from '../../../features/assets/routes/earlier.ts';
import { listAssets } from '../../../features/assets/tools/list_assets.ts';
import { ask, askTool } from '../ask.ts';
import { bytesLabel, momentLabel } from '../labels.ts';
import { ledger } from '../ledger.ts';
import type { Visit } from '../types.ts';
import { earlierThumb, FILE_ACTIONS, forgetField, forgetLink, forgetQuestion, thumb } from './file_rows.ts';
import { doneField } from './flash.ts';
import { FILES_A_PAGE } from './limits.ts';
import { rowButton } from './row_button.ts';
import { walletPart } from './wallet_part.ts';

/** The files of a wallet and its trash. */
export const filesPage = walletPart({
  name: 'wallet_files',
  path: '/wallet/files',
  title: 'Files',
  input: z.object({
    cursor: z.string().max(1_000).optional(),
    before: z.coerce.number().int().min(1).optional().catch(undefined),
    forget: forgetField,
    done: doneField,
  }),
  acts: FILE_ACTIONS,
  addressOf: () => '/wallet/files',
  async body({ cursor, before, forget }, visit, wallet) {
    const [kept, trash] = await Promise.all([
      keptSection(visit, wallet, cursor),
      trashSection(visit, wallet, { before, forget }),
    ]);
    return html`${kept}${trash}`;
  },
});

async function keptSection(visit: Visit, wallet: string, cursor = ''): Promise<Html> {
  const {
    assets,
    count,
    storage,
    next_cursor: next,
  } = await askTool(visit, listAssets, {
    wallet,
    cursor,
    limit: FILES_A_PAGE,
  });
  const { used_bytes: used, limit_bytes: most, earlier_bytes: earlier } = storage;
  return html`<section class="first"><p class="quiet">Files stored: ${count}. Space used: ${bytesLabel(used)} of ${bytesLabel(most)}. Earlier versions and the trash use another ${bytesLabel(earlier)}, which does not count towards the limit.</p>
${
  assets.length === 0
    ? html`<p class="lead">No files yet. <a href="/tools/save_asset">Save a file</a> to see it here.</p>`
    : ledger(
        ['File', 'Size', 'Saved, UTC', 'Versions', ''],
        assets.map((asset) => [
          thumb(asset),
          bytesLabel(asset.size_bytes),
          momentLabel(asset.updated_at),
          html`<a href="/wallet/versions?${new URLSearchParams({ key: asset.key })}" aria-label="Versions of ${asset.key}">Versions</a>`,
          rowButton({ act: 'delete', field: 'key', value: asset.key, label: 'Delete', about: asset.key }),
        ]),
      )
}
${next ? html`<p><a class="button" href="/wallet/files?${new URLSearchParams({ cursor: next })}">Next ${FILES_A_PAGE}</a></p>` : ''}</section>`;
}

async function trashSection(
  visit: Visit,
  wallet: string,
  { before, forget }: { before: number | undefined; forget: string | undefined },
): Promise<Html> {
  const { trash, next } = await ask(visit, listTrash, {
    wallet,
    limit: FILES_A_PAGE,
    ...(before && { before }),
  });
  const here = before ? `/wallet/files?before=${before}` : '/wallet/files';
  if (trash.length === 0)
    return html`<section><div class="head"><h2>Trash</h2></div><p class="quiet">The trash is empty. Deleted files stay here for 7 days.</p></section>`;
  return html`<section><div class="head"><h2>Trash</h2><p class="small quiet">Files are permanently deleted after 7 days in the trash.</p></div>
${forgetQuestion(labelled(trash.find(({ id }) => id === forget)), here)}
${ledger(
  ['File', 'Size', 'Deleted, UTC', 'Expires, UTC', ''],
  trash.map((earlier) => [
    earlierThumb(earlier, earlier.key),
    bytesLabel(earlier.size_bytes),
    html`<span class="narrow">Deleted</span> ${momentLabel(earlier.ended_at)}`,
    html`<span class="narrow">Expires</span> ${earlier.purge_at ? momentLabel(earlier.purge_at) : ''}`,
    html`<span class="row end">${rowButton({ act: 'restore', field: 'id', value: earlier.id, label: 'Restore', about: earlier.key })}${forgetLink(here, earlier.id, earlier.key)}</span>`,
  ]),
)}
${next ? html`<p><a class="button" href="/wallet/files?before=${next}">Show older files</a></p>` : ''}
<details class="danger"><summary>Empty trash</summary><form class="line" method="post"><label class="tick"><input type="checkbox" name="sure" value="yes" required> Permanently delete all files in the trash. You cannot undo this.</label><button name="act" value="empty">Empty trash</button></form></details></section>`;
}

const labelled = (earlier: { id: string; key: string } | undefined) =>
  earlier && { id: earlier.id, label: earlier.key };
