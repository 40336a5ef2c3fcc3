import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import { listAssets } from '../../../features/assets/tools/list_assets.ts';
import { askTool } from '../ask.ts';
import { bytesLabel } from '../bytes_label.ts';
import type { Visit } from '../types.ts';
import { FILES_SHOWN } from './limits.ts';

/** What the wallet keeps first; pictures are shown. All of it has a page of its own. */
export async function assetsSection(visit: Visit, wallet: string): Promise<Html> {
  const { assets, count, storage } = await askTool(visit, listAssets, { wallet, limit: FILES_SHOWN });
  return html`<section><div class="head"><h2>Files</h2><p class="small quiet">${count} kept, ${bytesLabel(storage.used_bytes)} of ${bytesLabel(storage.limit_bytes)}</p></div>
${
  assets.length === 0
    ? html`<p class="quiet">Nothing is kept yet. <a href="/tools/save_asset">Save a file</a></p>`
    : html`<ul class="hang">${assets.map(
        ({ key, url, content_type: type, size_bytes: size }) =>
          html`<li><a href="${url}"><span class="wall">${
            /^image\/(png|jpeg|webp|avif|gif)$/.test(type)
              ? html`<img src="${new URL(url).pathname + new URL(url).search}" alt="${key}" width="240" height="240" loading="lazy">`
              : html`<span class="quiet">${type}</span>`
          }</span><span class="label"><b>${key}</b><span class="quiet">${bytesLabel(size)}</span></span></a></li>`,
      )}</ul>`
}
<p><a class="button" href="/wallet/files">All files, versions and the trash</a></p></section>`;
}
