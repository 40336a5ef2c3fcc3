import { z } from 'zod';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import { briefly, shownAs } from '../../definitions/brief.ts';
import { walletField } from '../../definitions/fields.ts';
import { FREE } from '../../definitions/price.ts';
import { withAliases } from '../../definitions/spellings.ts';
import { defineTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import { SAVING_LIMIT } from '../routes/index.ts';
import {
  presetAnswer,
  recipeAnswer,
  recipeFields,
  savedAnswer,
  savedFields,
} from '../routes/recipe_answer.ts';
import { RECIPE_TITLE_CHARACTERS_MAX } from './limits.ts';
import { presets } from './presets.ts';
import { registered, removeRecipe, saveRecipe } from './save_recipe.ts';
import { nameSteps, stepsField } from './step_sequences.ts';

const recipe = z.object({ ...z.object(savedFields).partial().shape, ...recipeFields });

export const manageRecipes = defineTool({
  name: 'manage_recipes',
  title: 'Saved recipes',
  category: 'creative',
  toolset: 'recipes',
  summary:
    'List the presets and saved recipes of a wallet; show, save or delete one. Anyone with its id or link can run it.',
  instead: { run_recipe: 'to run one' },
  words:
    'my recipes, saved workflows, list of presets, store a workflow, keep these steps for later, share a recipe or workflow with a colleague, link to a recipe, delete or remove a recipe, what does this recipe do, macro list, templates',
  price: FREE,
  input: z.object({
    action: z.enum(['list', 'get', 'save', 'delete']).default('list'),
    wallet: briefly(
      walletField.optional().describe('Owner of the recipes. Default: the payer or bearer.'),
      'to list own, save, delete',
    ),
    id: briefly(
      withAliases(
        z
          .string()
          .min(1)
          .max(100)
          .optional()
          .describe('get, delete: id of a saved recipe; get: or a preset.'),
        'recipe',
        'recipe_id',
      ),
      'to get, delete',
    ),
    title: briefly(
      z.string().min(1).max(RECIPE_TITLE_CHARACTERS_MAX).optional().describe('save: title of the recipe.'),
      'to save',
    ),
    steps: shownAs(stepsField.optional().describe('save: same format as in run_recipe.'), {
      type: 'array',
      items: { type: 'object' },
      description: 'to save',
    }),
  }),
  output: z.object({
    presets: z.array(recipe).optional(),
    recipes: z.array(recipe).optional().describe('Newest first.'),
    recipe: recipe.optional(),
    deleted: z.literal(true).optional(),
  }),
  reaches: ({ action }) => REACHES[action],
  effects: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  limit: { ...SAVING_LIMIT, appliesTo: ({ action }) => action === 'save' },
  examples: [{ action: 'list' }, { action: 'get', id: 'photo_to_print' }],
  next: ({ recipe: shown }) =>
    shown === undefined
      ? []
      : [
          {
            action: 'Run it',
            tool: 'run_recipe',
            why: 'With its inputs',
            params: {
              recipe: shown.id,
              inputs: Object.fromEntries(shown.inputs.map((input) => [input.name, 'upload:…'])),
              dry_run: true,
            },
          },
        ],

  async run({ action, id, title, steps, ...sent }, services: Needs, call) {
    const wallet = sent.wallet ?? call.wallet;
    if (action === 'list') {
      const saved = wallet === undefined ? [] : await services.recipes.list(wallet);
      return {
        presets: presets.map(presetAnswer),
        recipes: saved.map((one) => savedAnswer(services, one)),
      };
    }
    if (action === 'save') {
      if (title === undefined || steps === undefined)
        throw invalidField(
          title === undefined ? 'title' : 'steps',
          'title or steps is missing. save needs both.',
        );
      const owner = await registered(services, wallet);
      const saved = await saveRecipe(services, { wallet: owner, title, steps: nameSteps(steps) });
      return { recipe: savedAnswer(services, saved) };
    }
    if (id === undefined) throw invalidField('id', `id is missing. ${action} needs an id from list.`);
    if (action === 'get') return { recipe: await recipeAnswer(services, id) };
    await removeRecipe(services, id, wallet);
    return { deleted: true as const };
  },
});

type Needs = Pick<Services, 'catalogue' | 'recipes' | 'site' | 'wallets'>;

/** The id of a recipe is enough to read it. */
const REACHES = {
  list: 'assets:read',
  get: undefined,
  save: 'assets:write',
  delete: 'assets:write',
} as const;
