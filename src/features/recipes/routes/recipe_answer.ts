import { z } from 'zod';
import type { Services } from '../../services.ts';
import { checkSteps } from '../tools/check_steps.ts';
import type { Preset } from '../tools/presets.ts';
import type { SavedRecipe } from '../types.ts';

/** A recipe as everybody sees it: not whose it is. */
export const recipeFields = {
  id: z.string().describe('What run_recipe takes as recipe.'),
  title: z.string(),
  about: z.string().optional(),
  inputs: z
    .array(
      z.object({
        name: z.string(),
        about: z.string().optional(),
        otherwise: z.unknown().optional().describe('Taken where it is not sent.'),
      }),
    )
    .describe('What run_recipe takes as inputs, or one of them as for_each.'),
  steps: z.array(
    z.object({ tool: z.string(), params: z.record(z.string(), z.unknown()), save_as: z.string() }),
  ),
};

/** And what is known of one that was saved. */
export const savedFields = {
  ...recipeFields,
  sha256: z.string().describe('Of the steps as JSON: they never change under this id.'),
  url: z.string().describe('Whoever has this link can read it, and run it by its id.'),
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

/** A tool may have gone since the recipe was saved: then it can be read still, and a run says what is wrong. */
function inputsOf(catalogue: Services['catalogue'], steps: SavedRecipe['steps']) {
  try {
    return checkSteps(catalogue, steps).map((name) => ({ name }));
  } catch {
    return [];
  }
}
