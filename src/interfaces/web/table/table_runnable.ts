import type { AnyTool } from '../../../features/definitions/tool.ts';
import { listRecipes, type Recipe, readRecipe } from '../recipes/read_recipe.ts';
import { runnableRecipe } from '../recipes/recipe_page.ts';
import { type Runnable, runnableTool } from '../tools/runnable.ts';
import type { Visit } from '../types.ts';
import { isShownOnTable, selectionField } from './jobs.ts';
import { nothingRefused } from './read_table.ts';

/** A tool or recipe that runs on images of a table. */
export interface TableRunnable extends Runnable {
  /** Name of the tool or id of the recipe, as in URLs. */
  readonly key: string;
  /** One sentence. */
  readonly about: string;
}

/** The tool or recipe named in a URL; undefined if it does not run on a table or no longer exists. */
export async function tableRunnable(visit: Visit, key: string): Promise<TableRunnable | undefined> {
  const { tools } = visit.studio;
  const tool = tools.find(({ name }) => name === key);
  if (tool) return isShownOnTable(tool) ? { ...runnableTool(tool), key, about: tool.summary } : undefined;
  const [recipe] = RECIPE_ID.test(key)
    ? await readRecipe(visit, key).then((one) => [one], nothingRefused)
    : [];
  return recipe && ofRecipe(recipe, tools);
}

const RECIPE_ID = /^rcp_[0-9a-f]{32}$/;

const ofRecipe = (recipe: Recipe, tools: readonly AnyTool[]): TableRunnable => ({
  ...runnableRecipe(recipe, tools),
  title: recipe.title,
  key: recipe.id,
  about: `${recipe.steps.map(({ tool }) => tools.find(({ name }) => name === tool)?.title ?? tool).join(', then ')}.`,
});

/** Recipes that the visitor has saved and that take an image. */
export async function tableRecipes(visit: Visit): Promise<readonly TableRunnable[]> {
  if (visit.visitor.wallet === undefined) return [];
  const recipes = await listRecipes(visit).then((lists) => lists.recipes, nothingRefused);
  return recipes
    .map((recipe) => ofRecipe(recipe, visit.studio.tools))
    .filter(({ fields }) => selectionField(fields) !== undefined);
}
