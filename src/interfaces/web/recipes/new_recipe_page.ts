import { html } from 'hono/html';
import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Html } from '../../../core/html/html_page.ts';
import type { AnyTool } from '../../../features/definitions/tool.ts';
import {
  RECIPE_JSON_CHARACTERS_MAX,
  RECIPE_STEPS_MAX,
  RECIPE_TITLE_CHARACTERS_MAX,
} from '../../../features/recipes/tools/limits.ts';
import { definePage, type Shown, type Visit } from '../types.ts';
import { changeSteps, type Draft, readDraft, type StepDraft, stepsOf } from './draft.ts';
import { keepRecipe, readRecipe } from './read_recipe.ts';

/** Where a recipe is written or changed, step by step. What is kept is a new recipe: links to the old one stay as they are. */
export const newRecipePage = definePage({
  name: 'new_recipe',
  path: '/recipes/new',
  room: '/recipes',
  input: z.object({ from: z.string().max(100).optional() }),
  form: {
    bytesMax: 4 * RECIPE_JSON_CHARACTERS_MAX,
    limit: { name: 'recipe-drafts', calls: 600, perSeconds: 3600 },
  },
  async show({ from }, visit) {
    if (visit.form) return change(readDraft(visit.form), visit);
    if (from === undefined) return draw({ title: '', steps: [] }, visit);
    const { title, steps } = await readRecipe(visit, from);
    const drafts = steps.map(({ params, ...step }) => ({ ...step, params: JSON.stringify(params, null, 2) }));
    return draw({ title, steps: drafts }, visit);
  },
});

/** One press: a step more, less or elsewhere, or the whole is kept. */
async function change(draft: Draft, visit: Visit): Promise<Shown> {
  const pressed = String(visit.form?.get('do') ?? '');
  const deed = pressed === 'add' ? `add ${visit.form?.get('tool_to_add')}` : pressed;
  if (deed !== 'keep') return draw({ ...draft, steps: changeSteps(draft.steps, deed) }, visit);
  try {
    const { id } = await keepRecipe(visit, { title: draft.title, steps: stepsOf(draft.steps) });
    return { goTo: `/recipes/${id}` };
  } catch (error) {
    if (!(error instanceof AtelierError)) throw error;
    return draw(draft, visit, error);
  }
}

function draw({ title, steps }: Draft, { studio: { tools } }: Visit, error?: AtelierError): Shown {
  return {
    title: 'Write a recipe',
    shape: 'wide',
    files: ['studio.css', 'tool.css', 'recipes.css'],
    policy: { 'form-action': "'self'" },
    ...(error && { status: error.status }),
    heading: html`<div class="head"><h1>Write a recipe</h1><p class="quiet">Up to ${RECIPE_STEPS_MAX} steps. A text that begins with $ is an input, or what an earlier step made.</p></div>`,
    body: html`${error ? html`<p class="note refusal" role="alert">${error.message}${error.code === 'wallet_not_registered' ? html` <a href="/wallet">To your wallet</a>` : ''}</p>` : ''}
<form class="ticket draft" method="post" action="/recipes/new">
<button class="unseen" name="do" value="keep" tabindex="-1" aria-hidden="true">Keep</button>
<div class="field"><label for="title">Title</label><input id="title" name="title" value="${title}" maxlength="${RECIPE_TITLE_CHARACTERS_MAX}" required></div>
<ol class="steps">${steps.map((step, at) => stepHtml(step, at, { tools, count: steps.length }))}</ol>
<div class="row">${adding(tools)}</div>
<button class="main" name="do" value="keep"${steps.length === 0 ? html` disabled` : ''}>Keep it, free</button>
</form>`,
  };
}

const adding = (tools: readonly AnyTool[]): Html =>
  html`<label class="field"><span>Another step</span><select name="tool_to_add">${options(tools, '')}</select></label><button name="do" value="add" formnovalidate>Add it</button>`;

const options = (tools: readonly AnyTool[], chosen: string): Html =>
  html`${tools.map(({ name, title }) => html`<option value="${name}"${name === chosen ? html` selected` : ''}>${title}</option>`)}`;

function stepHtml(
  { tool, save_as: place, params }: StepDraft,
  at: number,
  { tools, count }: { tools: readonly AnyTool[]; count: number },
): Html {
  const move = (to: string, text: string, isThere: boolean) =>
    isThere
      ? html`<button class="bare" name="do" value="${to} ${at}" formnovalidate>${text}<span class="unseen"> step ${at + 1}</span></button>`
      : '';
  return html`<li><div class="step"><label class="field"><span>Tool of step ${at + 1}</span><select name="tool">${options(tools, tool)}</select></label>
<label class="field"><span>Kept as</span><input name="save_as" value="${place}" pattern="[a-z][a-z0-9_]{0,39}" autocomplete="off"></label></div>
<label class="field"><span>Settings, JSON</span><textarea name="params" rows="5" spellcheck="false">${params}</textarea></label>
<div class="row">${move('up', 'Up', at > 0)}${move('down', 'Down', at < count - 1)}${move('remove', 'Remove', true)}</div></li>`;
}
