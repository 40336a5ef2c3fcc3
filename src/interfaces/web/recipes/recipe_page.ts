import { html } from 'hono/html';
import { z } from 'zod';
import type { AnyTool } from '../../../features/definitions/tool.ts';
import { runRecipe } from '../../../features/recipes/tools/run_recipe.ts';
import { RUN_FORM, runField, runPage } from '../tools/run_page.ts';
import type { Runnable } from '../tools/runnable.ts';
import { paramsOf } from '../tools/settings.ts';
import { type Field, fieldsOf, labelOf } from '../tools/tool_fields.ts';
import { definePage } from '../types.ts';
import { type Recipe, type RecipeStep, readRecipe } from './read_recipe.ts';
import { runPrice } from './run_price.ts';
import { stepsList } from './steps_list.ts';

/** A recipe: its steps, a form for its inputs, and its runs. Anyone with the URL can use it. */
export const recipePage = definePage({
  name: 'recipe',
  path: '/recipes/{recipe_id}',
  room: '/recipes',
  input: z.looseObject({ recipe_id: z.string().max(100), run: runField }),
  form: RUN_FORM,
  async show({ recipe_id: id, run, ...query }, visit) {
    const recipe = await readRecipe(visit, id);
    const { tools } = visit.studio;
    const heading = html`<div class="head"><h1>${recipe.title}</h1><p class="quiet">${recipe.about ?? ''} <a href="/recipes/new?from=${recipe.id}">Customise recipe</a></p></div>`;
    const about = html`<h2 class="minor">Steps</h2>${stepsList(recipe.steps, tools)}`;
    return runPage(runnableRecipe(recipe, tools), { run, query, heading, about }, visit);
  },
});

/** A recipe, run by run_recipe. */
export function runnableRecipe(recipe: Recipe, tools: readonly AnyTool[]): Runnable {
  const fields = recipe.inputs.map((input) => fieldOf(recipe, input, tools));
  return {
    tool: runRecipe,
    title: 'Run recipe',
    fields,
    path: `/recipes/${recipe.id}`,
    listed: runPrice(withDefaults(recipe), tools),
    params: (settings) => ({ recipe: recipe.id, inputs: paramsOf(fields, settings) }),
  };
}

/** Replaces inputs by their defaults, which may determine the price. */
function withDefaults({ steps, inputs }: Recipe): readonly RecipeStep[] {
  const values = new Map(inputs.map(({ name, otherwise }) => [`$${name}`, otherwise]));
  return steps.map((step) => ({
    ...step,
    params: Object.fromEntries(
      Object.entries(step.params).map(([name, value]) => [name, values.get(String(value)) ?? value]),
    ),
  }));
}

/** An input gets the control of the first step field that uses it. */
function fieldOf({ steps }: Recipe, input: Recipe['inputs'][number], tools: readonly AnyTool[]): Field {
  const { name, about = '', otherwise } = input;
  const taken = steps.flatMap(({ tool, params }) => {
    const fields = fieldsOf(tools.find((one) => one.name === tool) ?? runRecipe);
    return fields.filter((field) => params[field.name] === `$${name}`);
  });
  const own = { name, label: labelOf(name), isRequired: otherwise === undefined, isUsual: true, otherwise };
  const [first] = taken;
  if (first) return { ...first, ...own, hint: about, example: undefined };
  return { ...own, hint: about, kind: 'text', options: [], example: undefined, schema: {} };
}
