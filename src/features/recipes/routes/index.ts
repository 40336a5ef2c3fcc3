import { z } from 'zod';
import { costFields, freeAnswer } from '../../definitions/free_answer.ts';
import { type AnyOperation, defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import { RECIPE_TITLE_CHARACTERS_MAX } from '../tools/limits.ts';
import { presets } from '../tools/presets.ts';
import { registered, removeRecipe, saveRecipe } from '../tools/save_recipe.ts';
import { nameSteps, stepsField } from '../tools/step_sequences.ts';
import { presetAnswer, recipeAnswer, recipeFields, savedAnswer, savedFields } from './recipe_answer.ts';

type Needs = Pick<Services, 'recipes' | 'wallets' | 'catalogue' | 'site'>;

const idField = z.string().min(1).max(100).describe('Id of a saved recipe, or name of a preset.');

export const SAVING_LIMIT = { name: 'saved-recipes', calls: 60, perSeconds: 3600 } as const;

const saving = defineOperation({
  name: 'save_recipe',
  methods: ['POST'],
  path: '/api/recipes',
  tag: 'recipes',
  summary:
    'Saves steps under an unguessable id: anyone with the link can read the recipe and run it with run_recipe. Names that no step has are its inputs. Free; send the wallet as bearer.',
  input: z.object({
    title: z.string().min(1).max(RECIPE_TITLE_CHARACTERS_MAX),
    steps: stepsField.describe('Same format as in run_recipe.'),
  }),
  answer: z.object({ ...savedFields, ...costFields }),
  reaches: 'assets:write',
  alsoFails: [402],
  limit: SAVING_LIMIT,
  async run({ title, steps }, services: Needs, { wallet }) {
    const saved = await saveRecipe(services, {
      wallet: await registered(services, wallet),
      title,
      steps: nameSteps(steps),
    });
    return { ...savedAnswer(services, saved), ...freeAnswer(services.catalogue) };
  },
});

const listing = defineOperation({
  name: 'list_recipes',
  methods: ['GET'],
  path: '/api/recipes',
  tag: 'recipes',
  summary: 'The presets, and the recipes the wallet in the bearer has saved.',
  input: z.object({}),
  answer: z.object({
    presets: z.array(z.object(recipeFields)),
    recipes: z.array(z.object(savedFields)),
    ...costFields,
  }),
  reaches: 'assets:read',
  isPrivate: true,
  async run(_, services: Needs, { wallet }) {
    const saved = wallet === undefined ? [] : await services.recipes.list(wallet);
    return {
      presets: presets.map(presetAnswer),
      recipes: saved.map((recipe) => savedAnswer(services, recipe)),
      ...freeAnswer(services.catalogue),
    };
  },
});

const reading = defineOperation({
  name: 'get_recipe',
  methods: ['GET'],
  path: '/api/recipes/{id}',
  tag: 'recipes',
  summary: 'One recipe by its id: its steps and the inputs to send.',
  input: z.object({ id: idField }),
  answer: z.object({ ...z.object(savedFields).partial().shape, ...recipeFields, ...costFields }),
  async run({ id }, services: Needs) {
    return { ...(await recipeAnswer(services, id)), ...freeAnswer(services.catalogue) };
  },
});

const deleting = defineOperation({
  name: 'delete_recipe',
  methods: ['DELETE'],
  path: '/api/recipes/{id}',
  tag: 'recipes',
  summary: 'Deletes your own recipe: its link and id stop working.',
  input: z.object({ id: idField }),
  answer: z.object({ id: z.string(), deleted: z.literal(true), ...costFields }),
  reaches: 'assets:write',
  run: ({ id }, services: Needs, call) => remove(id, services, call.wallet),
});

const deletingByPost = defineOperation({
  ...deleting,
  name: 'delete_recipe_by_post',
  methods: ['POST'],
  path: '/api/recipes/{id}/delete',
  summary: 'The same as DELETE, for clients that cannot send it.',
});

async function remove(id: string, services: Needs, wallet: string | undefined) {
  await removeRecipe(services, id, wallet);
  return { id, deleted: true as const, ...freeAnswer(services.catalogue) };
}

export const recipeOperations: readonly AnyOperation[] = [saving, listing, reading, deleting, deletingByPost];
