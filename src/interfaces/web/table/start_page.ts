import { html } from 'hono/html';
import { z } from 'zod';
import type { Html } from '../../../core/html/html_page.ts';
import { pageFile } from '../../../core/html/page_files.ts';
import { createWorkspace, listWorkspaces } from '../../../features/workspaces/routes/index.ts';
import type { LinkView, WorkspaceView } from '../../../features/workspaces/types.ts';
import { ageLabel } from '../labels.ts';
import { SAMPLES, type Sample, sampleAddress } from '../samples.ts';
import { sampleIn } from '../tools/picture_operation.ts';
import { definePage, type Shown, type Visit } from '../types.ts';
import { TABLE_FORM_BYTES_MAX } from './limits.ts';
import { askTable, nothingRefused, openTable } from './read_table.ts';
import { rememberedLinks, tablesCookie } from './remembered_tables.ts';
import { TABLE_ACTIONS } from './table_forms.ts';
import { imagesText } from './words.ts';

/** Start page: opens a new table by dropping images, or an existing one. */
export const startPage = definePage({
  name: 'tables',
  path: '/table',
  room: '/table',
  input: z.object({}),
  form: {
    bytesMax: TABLE_FORM_BYTES_MAX,
    limit: { name: 'new-tables', calls: 60, perSeconds: 3600 },
  },
  show: (_input, visit) => (visit.form ? create(visit) : draw(visit)),
});

type Created = WorkspaceView & { readonly links: readonly LinkView[] };

/** Creates a table, with posted files if any, and redirects to it. */
async function create(visit: Visit): Promise<Shown> {
  const form = visit.form!;
  const made = await askTable<Created>(visit, createWorkspace, {});
  const link = made.links?.[0]?.id;
  const sample = sampleIn(`sample:${String(form.get('sample') ?? '')}`);
  if (sample) form.append('files', fileOf(sample));
  const hasFiles = form.getAll('files').some((value) => typeof value !== 'string' && value.size > 0);
  if (hasFiles) {
    const table = await openTable(visit, link ?? made.id);
    await TABLE_ACTIONS.add!({ visit, form, table, items: [] });
  }
  return { goTo: `/table/${made.id}`, ...(link && { cookie: tablesCookie(visit, link) }) };
}

const fileOf = ({ file, name }: Sample): File => {
  const { bytes, contentType } = pageFile(file);
  return new File([bytes as Uint8Array<ArrayBuffer>], `${name}.webp`, { type: contentType });
};

async function draw(visit: Visit): Promise<Shown> {
  const tables = await knownTables(visit);
  return {
    title: 'Table',
    summary: 'Add images, run any tool on them, and share the table with people and agents.',
    shape: 'wide',
    files: ['studio.css', 'tool.css', 'editor.css', 'table.css', 'table_start.ts'],
    policy: { 'form-action': "'self'", 'img-src': "'self' blob:" },
    heading: html`<div class="head"><h1>Table</h1><p class="quiet">Images, tools and history on one page, for you, colleagues and agents.</p></div>`,
    body: html`<form method="post" action="/table" enctype="multipart/form-data" id="start" class="start"><label class="start-drop"><b class="lead">Drop images here</b><span class="quiet">or choose or paste them to open a new table.</span><input type="file" name="files" accept="image/*" multiple class="file"></label><div class="row"><button class="main">Open empty table</button><noscript><span class="small quiet">Choose files above to start with images.</span></noscript></div><p role="status" id="said"></p></form>
<form method="post" action="/table" class="samples"><span class="small quiet">Or start with a sample</span>${SAMPLES.map(
      (sample) =>
        html`<button name="sample" value="${sample.name}"><img src="${sampleAddress(sample)}" width="${Math.round((96 * sample.width) / sample.height)}" height="96" alt="">${sample.title}</button>`,
    )}</form>
${tables.length > 0 ? html`<section><div class="head"><h2>Your tables</h2></div><ul class="tables">${tables.map(tableRow)}</ul></section>` : ''}
<section><div class="head"><h2>For agents</h2></div><p class="read">An agent opens the same table with <code>open_workspace</code>, views it with <code>show_workspace</code>, and edits it by adding <code>workspace</code> to any call. You see each step as it happens.</p></section>`,
  };
}

const tableRow = ({ id, title, counts, changed_at: changed }: WorkspaceView): Html =>
  html`<li><a href="/table/${id}"><b>${title}</b> <span class="quiet small">${imagesText(counts.items)}, changed ${ageLabel(changed)} ago</span></a></li>`;

/** Tables of the wallet and of the links stored in this browser. */
async function knownTables(visit: Visit): Promise<readonly WorkspaceView[]> {
  const own = visit.visitor.wallet
    ? await askTable<{ workspaces: readonly WorkspaceView[] }>(visit, listWorkspaces, {})
        .then(({ workspaces }) => workspaces)
        .catch(nothingRefused)
    : [];
  const given = await Promise.all(
    rememberedLinks(visit).map((link) =>
      openTable(visit, link)
        .then(({ state }) => [state.workspace])
        .catch(nothingRefused),
    ),
  );
  return [...new Map([...own, ...given.flat()].map((one) => [one.id, one])).values()];
}
