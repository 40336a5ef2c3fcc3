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
import { referencesIn } from '../../../features/recipes/tools/references.ts';
import { creditsLabel } from '../frame.ts';
import { priceLabel } from '../labels.ts';
import { fieldHtml } from '../tools/drop_html.ts';
import { formHtml } from '../tools/editors.ts';
import { partsHtml } from '../tools/parts_html.ts';
import { accountButton, accountForm } from '../tools/ticket.ts';
import { type Field, fieldsOf } from '../tools/tool_fields.ts';
import { definePage, type Shown, type Visit } from '../types.ts';
import {
  changeSteps,
  type Draft,
  draftOf,
  isReference,
  makesFile,
  nameInForm,
  OWN,
  ownInForm,
  readDraft,
  stepsOf,
} from './draft.ts';
import { recordedSteps } from './draft_of_runs.ts';
import { keepRecipe, readRecipe } from './read_recipe.ts';
import { runPrice } from './run_price.ts';

/**
 * Recipe editor: starts empty, from another recipe, or from a run and its dependencies. Saving always creates a new recipe, so that
 * links to the old one keep working.
 */
export const newRecipePage = definePage({
  name: 'new_recipe',
  path: '/recipes/new',
  room: '/recipes',
  input: z.object({ from: z.string().max(100).optional(), run: z.string().max(100).optional() }),
  form: {
    bytesMax: 4 * RECIPE_JSON_CHARACTERS_MAX,
    limit: { name: 'recipe-drafts', calls: 600, perSeconds: 3600 },
  },
  async show({ from, run }, visit) {
    const { tools } = visit.studio;
    if (visit.form) return change(readDraft(visit.form, tools), visit);
    if (run === undefined && from === undefined) return draw({ title: '', steps: [] }, visit);
    try {
      const { title, steps } = await (from === undefined
        ? recordedSteps(visit, run!)
        : readRecipe(visit, from));
      return draw(draftOf(title, steps, tools), visit);
    } catch (error) {
      if (!(error instanceof AtelierError) || from !== undefined) throw error;
      return draw({ title: '', steps: [] }, visit, error);
    }
  },
});

/** Handles a button: adds, removes or moves a step, or saves the recipe. */
async function change(draft: Draft, visit: Visit): Promise<Shown> {
  const { tools } = visit.studio;
  const pressed = String(visit.form?.get('do') ?? '');
  const deed = pressed === 'add' ? `add ${visit.form?.get('tool_to_add')}` : pressed;
  if (deed !== 'keep') return draw({ ...draft, steps: changeSteps(draft.steps, deed, tools) }, visit);
  try {
    const { id } = await keepRecipe(visit, { title: draft.title, steps: stepsOf(draft.steps, tools) });
    return { goTo: `/recipes/${id}` };
  } catch (error) {
    if (!(error instanceof AtelierError)) throw error;
    return draw(draft, visit, error);
  }
}

function draw(draft: Draft, { studio: { tools }, visitor }: Visit, error?: AtelierError): Shown {
  const { title, steps } = draft;
  const hasAccount = visitor.wallet !== undefined;
  return {
    title: 'Create a recipe',
    shape: 'wide',
    files: [
      ...(['studio.css', 'tool.css', 'editor.css', 'recipes.css', 'account.ts'] as const),
      ...(['item_list.ts', 'object_fields.ts'] as const),
    ],
    policy: { 'form-action': "'self'" },
    ...(error && { status: error.status }),
    heading: html`<div class="head"><h1>Create a recipe</h1><p class="quiet">Up to ${RECIPE_STEPS_MAX} steps. Each step can use the results of earlier steps.</p></div>`,
    body: html`${error ? html`<p class="note refusal" role="alert">${error.message}</p>` : ''}
<form class="ticket draft" method="post" action="/recipes/new">
<button class="unseen" name="do" value="keep" tabindex="-1" aria-hidden="true">Save</button>
<div class="field"><label for="title">Title</label><input id="title" name="title" value="${title}" maxlength="${RECIPE_TITLE_CHARACTERS_MAX}" required></div>
<ol class="steps">${steps.map((_, at) => stepForm(draft, at, tools))}</ol>
${steps.length < RECIPE_STEPS_MAX ? html`<div class="row">${adding(tools)}</div>` : ''}
<p class="small quiet">Values that start with $, such as $size, refer to an input that you enter at each run or to the result of an earlier step.</p>
${hasAccount ? '' : html`<p class="small">You need an account to save recipes.</p>${accountButton()}`}
<button class="main" name="do" value="keep"${steps.length === 0 ? html` disabled` : ''}>${keepText(draft, tools)}</button>
</form>${hasAccount ? '' : accountForm('/recipes/new')}`,
  };
}

/** Button text with the price of saving and of each run. */
function keepText(draft: Draft, tools: readonly AnyTool[]): string {
  const credits = draft.steps.length === 0 ? undefined : runPrice(draftSteps(draft, tools), tools);
  if (credits === undefined) return 'Save recipe (free)';
  return `Save recipe (free); each run ${credits === 0 ? 'is free' : `costs ${creditsLabel(credits)}`}`;
}

/** Steps of the draft, without settings if they are malformed. */
function draftSteps({ steps }: Draft, tools: readonly AnyTool[]) {
  try {
    return stepsOf(steps, tools);
  } catch (error) {
    if (!(error instanceof AtelierError)) throw error;
    return stepsOf(
      steps.map((step) => ({ ...step, settings: {} })),
      tools,
    );
  }
}

const adding = (tools: readonly AnyTool[]): Html =>
  html`<label class="field"><span>Next step</span><select name="tool_to_add">${tools
    .filter((tool) => !tool.steps && !tool.answersSecret)
    .map(
      ({ name, title }) => html`<option value="${name}">${title}</option>`,
    )}</select></label><button name="do" value="add" formnovalidate>Add step</button>`;

/** A step with the fields of its tool; images are chosen from the inputs and the results of earlier steps. */
function stepForm(draft: Draft, at: number, tools: readonly AnyTool[]): Html {
  const { tool: name, save_as: place, settings, rest } = draft.steps[at]!;
  const tool = tools.find((one) => one.name === name);
  const fields = tool ? fieldsOf(tool).filter(({ kind, isRequired }) => kind !== 'wallet' || isRequired) : [];
  const drawn = (some: readonly Field[]) =>
    some.map((field) => controlHtml(tool!, field, settings[field.name], { draft, at, tools }));
  const isFirst = (field: Field) => field.isUsual || settings[field.name] !== undefined;
  const more = fields.filter((field) => !isFirst(field));
  return html`<li><div class="head"><h2 class="minor">${tool?.title ?? name}</h2><span class="small quiet">${tool ? priceLabel(tool.price) : 'This tool is no longer available.'}</span></div>
<input type="hidden" name="tool" value="${name}"><input type="hidden" name="save_as" value="${place}"><input type="hidden" name="rest" value="${JSON.stringify(rest)}">
<div class="stack">${drawn(fields.filter(isFirst))}${more.length > 0 ? html`<details class="more"><summary>More settings</summary><div class="stack">${drawn(more)}</div></details>` : ''}</div>
<div class="row">${moves(at, draft.steps.length)}</div></li>`;
}

function moves(at: number, count: number): Html {
  const move = (to: string, text: string, isThere: boolean) =>
    isThere
      ? html`<button class="bare" name="do" value="${to} ${at}" formnovalidate>${text}<span class="unseen"> step ${at + 1}</span></button>`
      : '';
  return html`${move('up', 'Move up', at > 0)}${move('down', 'Move down', at < count - 1)}${move('remove', 'Remove', true)}`;
}

interface Place {
  readonly draft: Draft;
  readonly at: number;
  readonly tools: readonly AnyTool[];
}

function controlHtml(tool: AnyTool, field: Field, text: string | undefined, place: Place): Html {
  const inForm: Field = { ...field, name: nameInForm(place.at, field.name) };
  if (field.kind === 'picture' || field.kind === 'file') return imagePicker(inForm, field, text ?? '', place);
  // A number or choice control cannot show a reference.
  const shown: Field = isReference(text ?? '') ? { ...inForm, kind: 'text' } : inForm;
  if (shown.kind === 'object') return partsHtml(inForm, text ?? '');
  return fieldHtml({ ...shown, isRequired: false }, text, undefined, (control) =>
    formHtml(tool, field, control),
  );
}

/** Source of an image: an input, the result of an earlier step, or a fixed image. */
function imagePicker(inForm: Field, field: Field, text: string, { draft, at, tools }: Place): Html {
  const choices: readonly (readonly [string, string])[] = [
    ...(field.isRequired ? [] : [['', 'None'] as const]),
    ...inputsOf(draft).map((name) => [`$${name}`, `Entered at each run (${name})`] as const),
    ...draft.steps
      .slice(0, at)
      .flatMap(({ tool: name, save_as }, step) =>
        makesFile(tools, name)
          ? [[`$${save_as}`, `Result of step ${step + 1}: ${titleOf(tools, name)}`] as const]
          : [],
      ),
  ];
  const isOwn = text !== '' && !choices.some(([value]) => value === text);
  const id = `field-${inForm.name}`;
  return html`<div class="field"><label for="${id}">${field.label}${field.isRequired ? '' : html` <small class="quiet">optional</small>`}</label>
<select id="${id}" name="${inForm.name}">${choices.map(([value, label]) => option(value, label, value === text))}${option(OWN, 'Fixed image, entered below', isOwn)}</select>
<details class="small"${isOwn ? html` open` : ''}><summary>Fixed image</summary><label class="unseen" for="${id}-own">URL or handle: ${field.label}</label><input id="${id}-own" name="${ownInForm(at, field.name)}" value="${isOwn ? text : ''}" autocomplete="off" spellcheck="false" placeholder="https://…, asset:…, artwork:…"></details></div>`;
}

const option = (value: string, label: string, isChosen: boolean): Html =>
  html`<option value="${value}"${isChosen ? html` selected` : ''}>${label}</option>`;

const titleOf = (tools: readonly AnyTool[], name: string): string =>
  tools.find((tool) => tool.name === name)?.title ?? name;

/** Names of inputs; the first image is called photo. */
function inputsOf({ steps }: Draft): readonly string[] {
  const made = new Set(steps.map(({ save_as }) => save_as));
  const named = steps.flatMap(({ settings }) => referencesIn(settings).map(({ name }) => name));
  return [...new Set(['photo', ...named])].filter((name) => !made.has(name));
}
