import { html } from 'hono/html';
import type { Act, Item } from '../../../core/html/browser/table_state.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { readAct } from '../../../features/workspaces/routes/index.ts';
import type { ActDetails } from '../../../features/workspaces/types.ts';
import { runnableTool } from '../tools/runnable.ts';
import { queryOf, textOf } from '../tools/settings.ts';
import type { Visit } from '../types.ts';
import { selectionField } from './jobs.ts';
import type { Panel } from './panel_html.ts';
import { askTable } from './read_table.ts';
import { imagesText } from './words.ts';

/** Image names listed per reason. */
const NAMES_SHOWN_MAX = 20;

/** Failed runs of a batch, by reason, with a link to retry them with the same settings. */
export async function failuresHtml(
  numbers: readonly number[],
  panel: Panel,
  visit: Visit,
): Promise<Html | undefined> {
  const { state, key } = panel.table;
  const failed = state.acts
    .filter(({ act, state: stage }) => stage === 'failed' && numbers.includes(act))
    .toSorted((one, other) => one.act - other.act);
  const [first] = failed;
  if (!first) return undefined;
  const details = await askTable<ActDetails>(visit, readAct, { id: key, act: first.act });
  const images = failed.flatMap(({ inputs }) => inputs.slice(0, 1));
  const byReason = [...Map.groupBy(failed, (act) => reasonText(act.error?.detail))];
  return html`<section class="verdict-note failures" aria-label="Failed runs"><h2 class="minor bad">${imagesText(failed.length)} failed</h2>
${byReason.map(([reason, acts]) => html`<p>${reason}</p><p class="small"><b>${namesText(acts, state.items)}</b></p>`)}
<p class="small quiet">You were not charged for ${failed.length === 1 ? 'it' : 'them'}.</p>${panel.canWork ? html`<a class="button" href="${retryAddress(details, images, panel, visit)}">Try again with other settings</a>` : ''}</section>`;
}

function namesText(acts: readonly Act[], items: readonly Item[]): string {
  const names = acts.map(({ inputs }) => items.find(({ item }) => item === inputs[0])?.name ?? 'no image');
  const more = names.length - NAMES_SHOWN_MAX;
  return names.slice(0, NAMES_SHOWN_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Reason of a failed run without its JSON path: "operations.0 (blur): …", "Step 1, step1 (edit_image): …". */
export function reasonText(detail = ''): string {
  const reason = detail.replace(/^Step \d+, \w+ \(\w+\): /, '').replace(/^\w+\.\d+ \(\w+\): /, '');
  return reason.charAt(0).toUpperCase() + reason.slice(1);
}

/** The page with images selected and the tool of an act open with its settings. */
function retryAddress(
  { tool: name, input }: Pick<ActDetails, 'tool' | 'input'>,
  images: readonly number[],
  { path }: Pick<Panel, 'path'>,
  { studio }: Visit,
): string {
  const tool = studio.tools.find((one) => one.name === name);
  const more = { ...(images.length > 0 && { items: images.join(',') }), ...(tool && { tool: name }) };
  if (!tool) return `${path}${queryOf([], {}, more)}`;
  const { fields } = runnableTool(tool);
  const main = selectionField(fields)?.name;
  const settings = Object.fromEntries(
    fields.flatMap((field) => {
      const text = textOf(field, input?.[field.name]);
      return text === '' || field.name === main ? [] : [[field.name, text]];
    }),
  );
  return `${path}${queryOf(fields, settings, more)}`.replaceAll('%2C', ',');
}
