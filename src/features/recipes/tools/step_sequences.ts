import { z } from 'zod';
import { closest } from '../../../catalog/closest.ts';
import { AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';
import type { Step, StepSequence } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import { checkSteps } from './check_steps.ts';
import { RECIPE_STEPS_MAX, STEP_RUNS_MAX } from './limits.ts';
import { presets } from './presets.ts';

const NAME = /^[a-z][a-z0-9_]{0,39}$/;

const nameField = z.string().regex(NAME, 'must be a name such as cut_out');

/** The steps of a recipe, as sent. */
export const stepsField = z
  .array(
    z.object({
      tool: z.string().max(100).describe('Name of the tool.'),
      params: z
        .record(z.string(), z.unknown())
        .default({})
        .describe(
          'Input of the tool. "$cut" is the file of an earlier step, "$cut.width" a field of its result.',
        ),
      save_as: nameField.optional().describe('Name of its result. Default: step_1, step_2, …'),
    }),
  )
  .min(1)
  .max(RECIPE_STEPS_MAX);

/** Fills in the default names. */
export const nameSteps = (steps: z.output<typeof stepsField>) =>
  steps.map((step, at) => ({ ...step, save_as: step.save_as ?? `step_${at + 1}` }));

interface StepSequenceOptions {
  readonly steps?: z.output<typeof stepsField> | undefined;
  readonly recipe?: string | undefined;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly for_each?: Readonly<Record<string, readonly unknown[]>> | undefined;
}

type Needs = Pick<Services, 'catalogue' | 'recipes'>;

/**
 * Expands a call of run_recipe into step sequences: one, or one per value of an input.
 * @throws AtelierError recipe_not_found; invalid_input for steps and inputs that do not match
 */
export async function stepSequencesOf(
  asked: StepSequenceOptions,
  services: Needs,
): Promise<readonly StepSequence[]> {
  const { steps, defaults } = await recipeOf(asked, services);
  const [loop, values] = loopOf(asked);
  const given = { ...defaults, ...asked.inputs };
  const names = [...Object.keys(given), ...(loop === undefined ? [] : [loop])];
  const wanted = checkSteps(services.catalogue, steps, names);
  refuseUnused([...Object.keys(asked.inputs), ...(loop === undefined ? [] : [loop])], wanted);
  const runs = steps.length * values.length;
  if (runs > STEP_RUNS_MAX) {
    const message = `${steps.length} steps for ${values.length} values are ${runs} runs. The limit per call is ${STEP_RUNS_MAX}. Send fewer values.`;
    throw invalidField('for_each', message, { code: 'too_big' });
  }
  return values.map((value) => ({ steps, inputs: loop === undefined ? given : { ...given, [loop]: value } }));
}

/** The steps to run, and the defaults of their inputs. */
async function recipeOf(
  { steps, recipe }: StepSequenceOptions,
  { recipes }: Pick<Services, 'recipes'>,
): Promise<{ steps: readonly Step[]; defaults: Record<string, unknown> }> {
  if ((steps === undefined) === (recipe === undefined)) {
    throw invalidField(
      'steps',
      'Send either steps, or recipe: the name of a preset or the id of a saved recipe.',
    );
  }
  if (steps !== undefined) return { steps: nameSteps(steps), defaults: {} };
  const preset = presets.find(({ name }) => name === recipe);
  if (preset) {
    const inputs = Object.entries(preset.inputs).filter(([, { otherwise }]) => otherwise !== undefined);
    return {
      steps: preset.steps,
      defaults: Object.fromEntries(inputs.map(([name, { otherwise }]) => [name, otherwise])),
    };
  }
  const saved = await recipes.find(recipe!);
  if (saved) return { steps: saved.steps, defaults: {} };
  throw recipeNotFound(recipe!);
}

export function recipeNotFound(asked: string): AtelierError {
  const names = presets.map(({ name }) => name);
  const near = closest(asked, names);
  return new AtelierError(
    'recipe_not_found',
    `Recipe ${JSON.stringify(asked.slice(0, 60))} not found. Presets: ${names.join(', ')}. Saved recipes have an id, rcp_….`,
    { members: { did_you_mean: near } },
  );
}

const ONCE: readonly [undefined, readonly unknown[]] = [undefined, [undefined]];

/** The input to iterate over, and its values. */
function loopOf({
  for_each,
  inputs,
}: StepSequenceOptions): readonly [string | undefined, readonly unknown[]] {
  if (for_each === undefined) return ONCE;
  const entries = Object.entries(for_each);
  if (entries.length !== 1) {
    throw invalidField(
      'for_each',
      'for_each must name exactly one input: {"photo": ["upload:…", "upload:…"]}.',
    );
  }
  const [[name, values]] = entries as [[string, readonly unknown[]]];
  if (!Object.hasOwn(inputs, name)) return [name, values];
  throw invalidField('for_each', `${name} is in both inputs and for_each. Remove it from inputs.`);
}

function refuseUnused(sent: readonly string[], wanted: readonly string[]): void {
  const unused = sent.find((name) => !wanted.includes(name));
  if (unused === undefined) return;
  const asks = wanted.length > 0 ? `The steps need ${wanted.join(', ')}.` : 'The steps need no input.';
  throw invalidField(`inputs.${unused}`, `No step uses $${unused}. ${asks}`, { code: 'unknown' });
}
