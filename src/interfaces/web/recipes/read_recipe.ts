import type { AnyOperation } from '../../../features/definitions/operation.ts';
import { recipeOperations } from '../../../features/recipes/routes/index.ts';
import { ask } from '../ask.ts';
import type { Visit } from '../types.ts';

/** A recipe as returned by its endpoint. */
export interface Recipe {
  /** Name of a preset, or id of a saved recipe. */
  readonly id: string;
  readonly title: string;
  readonly about?: string;
  readonly inputs: readonly {
    readonly name: string;
    readonly about?: string;
    readonly otherwise?: unknown;
  }[];
  readonly steps: readonly RecipeStep[];
}

export interface RecipeStep {
  readonly tool: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly save_as: string;
}

const operation = (name: string): AnyOperation => recipeOperations.find((one) => one.name === name)!;

/** @throws AtelierError not_found */
export const readRecipe = (visit: Visit, id: string): Promise<Recipe> =>
  ask(visit, operation('get_recipe'), { id }) as Promise<unknown> as Promise<Recipe>;

/** The presets and the saved recipes of this visitor. @throws AtelierError wallet_locked */
export const listRecipes = (
  visit: Visit,
): Promise<{ presets: readonly Recipe[]; recipes: readonly Recipe[] }> =>
  ask(visit, operation('list_recipes')) as Promise<unknown> as ReturnType<typeof listRecipes>;

/** @throws AtelierError invalid_input, wallet_not_registered */
export const keepRecipe = (
  visit: Visit,
  recipe: { readonly title: string; readonly steps: readonly RecipeStep[] },
): Promise<Recipe> => ask(visit, operation('save_recipe'), recipe) as Promise<unknown> as Promise<Recipe>;

/** Deletes a recipe of the visitor. @throws AtelierError not_found */
export const deleteRecipe = (visit: Visit, id: string): Promise<unknown> =>
  ask(visit, operation('delete_recipe_by_post'), { id });
