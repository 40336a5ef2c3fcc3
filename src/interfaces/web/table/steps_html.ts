import { html } from 'hono/html';
import type { Item } from '../../../core/html/browser/table_state.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { readProgram } from '../../../features/workspaces/routes/index.ts';
import type { Program } from '../../../features/workspaces/types.ts';
import { callTabs } from '../call_tabs.ts';
import type { Visit } from '../types.ts';
import { addressWith, type Panel } from './panel_html.ts';
import { askTable } from './read_table.ts';

/** The steps that made an item, as an endpoint returns them. */
interface ProgramAnswer extends Program {
  readonly call: { readonly tool: string; readonly input: Readonly<Record<string, unknown>> };
}

const FORMS = [
  ['curl', 'curl'],
  ['mcp', 'MCP'],
  ['typescript', 'TypeScript'],
  ['python', 'Python'],
] as const;

/** Reads the steps that made an item. @param on item that replaces the first image @throws AtelierError of the endpoint */
export const programOf = (
  visit: Visit,
  { key, item, as = 'recipe', on }: { key: string; item: number; as?: string; on?: number | undefined },
): Promise<ProgramAnswer> =>
  askTable<ProgramAnswer>(visit, readProgram, { id: key, item, as, ...(on && { on }) });

/** The steps that made an item: as code, repeated on another image, or saved as a recipe. */
export async function stepsHtml(item: Item, panel: Panel, visit: Visit): Promise<Html> {
  const { key, state } = panel.table;
  const programs = await Promise.all(
    FORMS.map(async ([as, name]) => ({
      name,
      text: (await programOf(visit, { key, item: item.item, as })).program,
    })),
  );
  const { steps } = await programOf(visit, { key, item: item.item });
  const others = state.items.filter(
    ({ kind, deleted, item: number }) => kind === 'image' && !deleted && number !== item.item,
  );
  return html`<a class="small back" href="${addressWith(panel)}">All tools</a><div class="stack" id="steps"><h2 class="minor" id="tool-title" tabindex="-1">How ${item.name} was made</h2>
<ol class="steps">${steps.map(({ tool }) => html`<li>${visit.studio.tools.find(({ name }) => name === tool)?.title ?? tool}</li>`)}</ol>
${panel.canWork && others.length > 0 ? html`<form method="post" action="${addressWith(panel)}" class="stack-small"><label><span>Repeat on</span><select name="on">${others.slice(-REPEATS_SHOWN_MAX).map(({ item: number, name }) => html`<option value="${number}">${name}</option>`)}</select></label><button name="do" value="repeat">Repeat steps</button></form>` : ''}
<form method="post" action="${addressWith(panel)}" class="stack-small"><label><span>Name of the recipe</span><input name="title" maxlength="80" required autocomplete="off"></label><button name="do" value="recipe">Save as recipe (free)</button></form>
${callTabs('steps-as', 'Run from code', programs)}</div>`;
}

const REPEATS_SHOWN_MAX = 200;
