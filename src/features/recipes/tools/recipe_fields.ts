import { z } from 'zod';
import { RECIPE_STEPS_MAX } from './limits.ts';

const NAME = /^[a-z][a-z0-9_]{0,39}$/;

export const nameField = z.string().regex(NAME, 'must be a name such as cut_out');

/** The steps of a recipe as they are sent. */
export const stepsField = z
  .array(
    z.object({
      tool: z.string().max(100).describe('Name of the tool.'),
      params: z
        .record(z.string(), z.unknown())
        .default({})
        .describe(
          'What the tool takes. "$cut" is the file an earlier step made, "$cut.width" a field of its answer.',
        ),
      save_as: nameField.optional().describe('Name for its answer; absent: step_1, step_2, …'),
    }),
  )
  .min(1)
  .max(RECIPE_STEPS_MAX);

/** With every name given. */
export const nameSteps = (steps: z.output<typeof stepsField>) =>
  steps.map((step, at) => ({ ...step, save_as: step.save_as ?? `step_${at + 1}` }));
