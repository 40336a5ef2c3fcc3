import { z } from 'zod';
import type { Services } from '../../services.ts';
import { checkSteps } from '../tools/check_steps.ts';
import { type Preset, presets } from '../tools/presets.ts';
import { recipeNotFound } from '../tools/step_sequences.ts';
import type { SavedRecipe } from '../types.ts';

/** Public fields of a recipe, without its owner. */
export const recipeFields = {
  id: z.string().describe('Value for recipe of run_recipe.'),
  title: z.string(),
  about: z.string().optional(),
  inputs: z
    .array(
      z.object({
        name: z.string(),
        about: z.string().optional(),
        otherwise: z.unknown().optional().describe('Default value.'),
      }),
    )
    .describe('Values for inputs of run_recipe; one of them can be for_each.'),
  steps: z.array(
    z.object({ tool: z.string(), params: z.record(z.string(), z.unknown()), save_as: z.string() }),
  ),
};

/** Additional fields of a saved recipe. */
export const savedFields = {
  ...recipeFields,
  sha256: z.string().describe('sha256 of the steps as JSON; they never change under this id.'),
  url: z.string().describe('Anyone with this link can read the recipe and run it by its id.'),
  created_at: z.iso.datetime(),
};

export function savedAnswer(
  { catalogue, site }: Pick<Services, 'catalogue' | 'site'>,
  { id, title, steps, sha256, createdAt }: SavedRecipe,
) {
  return {
    id,
    title,
    inputs: inputsOf(catalogue, steps),
    steps: [...steps],
    sha256,
    url: `${site.publicUrl}/api/recipes/${id}`,
    created_at: createdAt.toISOString(),
  };
}

export const presetAnswer = ({ name, title, about, inputs, steps }: Preset) => ({
  id: name,
  title,
  about,
  inputs: Object.entries(inputs).map(([input, { about: what, otherwise }]) => ({
    name: input,
    about: what,
    ...(otherwise !== undefined && { otherwise }),
  })),
  steps: [...steps],
});

/** A tool may have been removed since the recipe was saved: the recipe stays readable, and a run reports the problem. */
function inputsOf(catalogue: Services['catalogue'], steps: SavedRecipe['steps']) {
  try {
    return checkSteps(catalogue, steps).map((name) => ({ name }));
  } catch {
    return [];
  }
}

/** A preset by its name, or a saved recipe by its id. @throws AtelierError recipe_not_found */
export async function recipeAnswer(
  services: Pick<Services, 'catalogue' | 'recipes' | 'site'>,
  id: string,
): Promise<ReturnType<typeof presetAnswer> | ReturnType<typeof savedAnswer>> {
  const preset = presets.find(({ name }) => name === id);
  if (preset) return presetAnswer(preset);
  const saved = await services.recipes.find(id);
  if (!saved) throw recipeNotFound(id);
  return savedAnswer(services, saved);
}
