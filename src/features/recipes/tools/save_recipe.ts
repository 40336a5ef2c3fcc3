import { z } from 'zod';
import { AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';
import type { Step } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import type { SavedRecipe } from '../types.ts';
import { checkSteps } from './check_steps.ts';
import { RECIPE_JSON_CHARACTERS_MAX } from './limits.ts';
import { fillIn, referencesIn } from './references.ts';
import { recipeNotFound } from './step_sequences.ts';

interface Saving {
  readonly wallet: string;
  readonly title: string;
  readonly steps: readonly Step[];
}

type Needs = Pick<Services, 'catalogue' | 'recipes'>;

/**
 * Saves steps. The id grants access. Names that no step has become inputs.
 * @throws AtelierError invalid_input for steps that could never run, and where there are too many recipes
 */
export async function saveRecipe(
  { catalogue, recipes }: Needs,
  { wallet, title, steps }: Saving,
): Promise<SavedRecipe> {
  checkSteps(catalogue, steps);
  if (JSON.stringify(steps).length > RECIPE_JSON_CHARACTERS_MAX) {
    throw invalidField(
      'steps',
      `The steps are longer than ${RECIPE_JSON_CHARACTERS_MAX} characters. Pass images as inputs: "image": "$photo".`,
    );
  }
  refuseWrongParams({ catalogue }, steps);
  return recipes.save({ wallet, title, steps });
}

/** Literal parameters are validated against the tool; references only at the run. */
function refuseWrongParams({ catalogue }: Pick<Needs, 'catalogue'>, steps: readonly Step[]): void {
  const errors = steps.flatMap(({ tool: name, params }, at) => {
    const tool = catalogue.find(name)!;
    const known = Object.entries(params).filter(([, value]) => referencesIn(value).length === 0);
    const open = Object.keys(params).filter((field) => referencesIn(params[field]).length > 0);
    const { error } = schemaWithout(tool.input, open).safeParse(fillIn(Object.fromEntries(known), () => {}));
    return (error?.issues ?? []).map(({ path, message, code }) => {
      const field = ['steps', at, 'params', ...path].join('.');
      return { field, code, message: `Step ${at + 1} (${name}): ${path.join('.')}: ${message}.` };
    });
  });
  if (errors.length > 0)
    throw new AtelierError('invalid_input', errors.map(({ message }) => message).join(' '), { errors });
}

/** The wallet of the caller, where it is registered. @throws AtelierError wallet_not_registered */
export async function registered(
  { wallets }: Pick<Services, 'wallets'>,
  wallet: string | undefined,
): Promise<string> {
  if (wallet !== undefined && (await wallets.isRegistered(wallet))) return wallet;
  throw new AtelierError(
    'wallet_not_registered',
    'Saving a recipe needs a registered wallet. Send it as Authorization: Bearer, or as payer. Registering and saving are free.',
  );
}

/** A recipe of another wallet gets the same response as an unknown id. @throws AtelierError recipe_not_found */
export async function removeRecipe(
  { recipes }: Pick<Services, 'recipes'>,
  id: string,
  wallet: string | undefined,
): Promise<void> {
  if (wallet === undefined || !(await recipes.remove(wallet, id))) throw recipeNotFound(id);
}

/** A schema without some fields, and without its rules across fields. */
export const schemaWithout = (schema: z.ZodObject, fields: readonly string[]): z.ZodObject =>
  z.object(Object.fromEntries(Object.entries(schema.shape).filter(([name]) => !fields.includes(name))));
