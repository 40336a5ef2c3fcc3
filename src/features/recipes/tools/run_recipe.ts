import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';
import { costOf, SUM_OF_STEPS } from '../../definitions/price.ts';
import { ORIGINAL_PNG_B64 } from '../../definitions/sample_pictures.ts';
import { type CallContext, defineTool, type StepOutcome } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import {
  ANSWER_CHARACTERS_MAX,
  FOR_EACH_MAX,
  RECIPE_TITLE_CHARACTERS_MAX,
  STEP_CHARACTERS_MIN,
  STEP_RUNS_MAX,
} from './limits.ts';
import { presets } from './presets.ts';
import { saveRecipe } from './save_recipe.ts';
import { nameSteps, stepSequencesOf, stepsField } from './step_sequences.ts';

const count = z.int().min(0).max(STEP_RUNS_MAX);

/** Response fields of a call with several steps. */
const stepAnswers = {
  state: z
    .enum(['done', 'partial'])
    .describe('partial: a step failed; completed steps are charged, the others are not.'),
  delivered: count.describe('Completed steps.'),
  failed: count,
  skipped: count.describe('Steps after one that failed.'),
  results: z
    .array(z.string())
    .max(FOR_EACH_MAX)
    .optional()
    .describe('With for_each: handles of the last file of each item, in their order; for zip_files.'),
  steps: z.array(
    z.object({
      item: z
        .int()
        .min(0)
        .max(FOR_EACH_MAX - 1)
        .optional()
        .describe('Place in for_each, from 0.'),
      save_as: z.string(),
      tool: z.string(),
      state: z.enum(['done', 'failed', 'skipped']),
      kept: z.boolean().describe('Reused from an earlier run of the same step on the same image, free.'),
      cost: z.object({ credit: z.int().min(0).max(1_000_000), usd: z.number().min(0).max(1_000_000) }),
      answer: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('Result of the tool; files as handle and link.'),
      left_out: z.array(z.string()).optional().describe('Fields omitted for size; later steps can use them.'),
      warnings: z.array(z.string()).optional(),
      error: z
        .object({
          code: z.string(),
          detail: z.string(),
          retry_after_s: z.number().min(0).max(86_400).optional(),
        })
        .optional(),
    }),
  ),
};

/** Outcomes of the steps, without long values. */
export function answerOf(outcomes: readonly StepOutcome[]) {
  const inState = (state: StepOutcome['state']) =>
    outcomes.filter((outcome) => outcome.state === state).length;
  const isLoop = outcomes.some(({ course }) => course > 0);
  const delivered = inState('done');
  const room = Math.max(STEP_CHARACTERS_MIN, Math.floor(ANSWER_CHARACTERS_MAX / outcomes.length));
  return {
    state: delivered === outcomes.length ? ('done' as const) : ('partial' as const),
    delivered,
    failed: inState('failed'),
    skipped: inState('skipped'),
    ...(isLoop && { results: lastFiles(outcomes) }),
    steps: outcomes.map(({ course, step, state, kept, credits, output, warnings, error }) => {
      const { credit, usd } = costOf(credits);
      return {
        ...(isLoop && { item: course }),
        save_as: step.save_as,
        tool: step.tool,
        state,
        kept,
        cost: { credit, usd },
        ...(output && shorten(output, room)),
        ...(warnings && warnings.length > 0 && { warnings: [...warnings] }),
        ...(error && { error }),
      };
    }),
  };
}

/** Handles of the last file of each step sequence. */
function lastFiles(outcomes: readonly StepOutcome[]): string[] {
  const bySequence = new Map<number, string>();
  for (const { course, output } of outcomes)
    if (typeof output?.result === 'string') bySequence.set(course, output.result);
  return [...bySequence.values()];
}

/** The most important fields of a result: the location of its file. */
const FIRST = ['result', 'result_url'];

/**
 * Keeps as many fields of a result as fit, preferring short ones, in their original order, because twelve full results would fill the
 * context of an agent.
 * @param characters length of the JSON
 */
function shorten(output: Readonly<Record<string, unknown>>, characters: number) {
  const sizes = Object.entries(output).map(([name, value]) => ({
    name,
    size: JSON.stringify(value)?.length ?? 0,
    rank: FIRST.indexOf(name) >= 0 ? FIRST.indexOf(name) : FIRST.length,
  }));
  const shown = new Set<string>();
  let left = characters;
  for (const { name, size } of sizes.sort((a, b) => a.rank - b.rank || a.size - b.size)) {
    if (size > left && name !== FIRST[0]) break;
    shown.add(name);
    left -= size;
  }
  const names = Object.keys(output);
  const long = names.filter((name) => !shown.has(name));
  return {
    answer: Object.fromEntries(names.filter((name) => shown.has(name)).map((name) => [name, output[name]])),
    ...(long.length > 0 && { left_out: long }),
  };
}

const PRESETS = presets.map(({ name, inputs }) => `${name} (${Object.keys(inputs).join(', ')})`).join('; ');

const valuesField = z
  .array(z.unknown())
  .refine(
    ({ length }) => length > 0 && length <= FOR_EACH_MAX,
    `must be a list of at least 1 and at most ${FOR_EACH_MAX} values`,
  );

export const runRecipe = defineTool({
  name: 'run_recipe',
  title: 'Run several tools in one call',
  category: 'creative',
  toolset: 'recipes',
  summary:
    'Run up to 12 tools in turn, each on results of earlier ones, for one image or several; charged for the steps that succeed.',
  words:
    'recipe, workflow, pipeline, chain, batch, in one go, in a row, first one tool, then another, several edits at once, several steps at once, automate, then, for each picture, multi-step, macro, do the same to ten pictures, batch process my images, afterwards, one call for several tools, image pipeline in one call, save my workflow and run it again, automate cutting out, enlarging and saving, combine tools, sequence of operations, bulk edit of my photos, all in one, one after another, apply to all pictures, apply the same watermark to twenty photos, single call, whole folder, a series of edits, do all of this, together, complete workflow, from photo to print, logo to merchandise, preset, repeat for every image, step by step, combo, job with several tools',
  price: SUM_OF_STEPS,
  input: z.object({
    steps: stepsField.optional().describe('The steps in their order. Absent with recipe.'),
    recipe: z
      .string()
      .min(1)
      .max(RECIPE_TITLE_CHARACTERS_MAX)
      .optional()
      .describe(`Instead of steps: the id of a saved recipe, or a preset with its inputs: ${PRESETS}.`),
    inputs: z
      .record(z.string(), z.unknown())
      .default({})
      .describe('Values for "$name" in params: {"photo": "upload:…"}.'),
    for_each: z
      .record(z.string(), valuesField)
      .optional()
      .describe(
        'One input with several values; runs all steps for each: {"photo": ["upload:…", "upload:…"]}.',
      )
      .meta({ title: 'For each of' }),
    save: z
      .string()
      .min(1)
      .max(RECIPE_TITLE_CHARACTERS_MAX)
      .optional()
      .describe('Saves the steps under this title; anyone with the id can run them.'),
  }),
  output: z.object({
    ...stepAnswers,
    recipe_id: z.string().optional().describe('Id of the saved recipe.'),
    recipe_url: z
      .string()
      .optional()
      .describe('Anyone with this link can read the recipe and run it by its id.'),
  }),
  effects: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  examples: [
    {
      steps: [
        { tool: 'remove_background', params: { image: '$logo' }, save_as: 'cut' },
        { tool: 'mockup_image', params: { image: '$cut', product: 'mug' }, save_as: 'mug' },
      ],
      inputs: { logo: ORIGINAL_PNG_B64 },
    },
    { recipe: 'photo_to_print', inputs: { photo: EXAMPLE_PNG_B64, size: 'a4' } },
  ],
  next: ({ state, results = [] }, input) =>
    state === 'done'
      ? results.length > 1
        ? [{ action: 'Pack them into one ZIP', tool: 'zip_files', why: 'Free; send `results` as `files`' }]
        : []
      : [
          {
            action: 'Run it again',
            tool: 'run_recipe',
            why: 'Results are kept for 24 hours and are not charged again; only the remaining steps run',
            ...(isShort(input) && { params: { ...input } }),
          },
        ],
  steps: (input, services: Needs) => stepSequencesOf(input, services),
  async run(input, services: Needs, call) {
    const outcomes = await call.runSteps!();
    return { ...answerOf(outcomes), ...(await saved(input, services, call)) };
  },
});

type Needs = Pick<Services, 'catalogue' | 'recipes' | 'site'>;

/** Longer parameters contain images, which are not returned. */
const isShort = (input: object): boolean => JSON.stringify(input).length <= 2_000;

interface Saving {
  readonly save?: string | undefined;
  readonly steps?: z.output<typeof stepsField> | undefined;
}

/** Saves the recipe. If that fails, the results are returned anyway. */
async function saved({ save: title, steps }: Saving, services: Needs, { wallet, warn }: CallContext) {
  if (title === undefined) return {};
  if (steps === undefined || wallet === undefined) {
    warn(
      `The recipe was not saved: ${steps ? 'send a wallet as bearer' : 'only steps can be saved, and this recipe already has an id'}.`,
    );
    return {};
  }
  try {
    const { id } = await saveRecipe(services, { wallet, title, steps: nameSteps(steps) });
    return { recipe_id: id, recipe_url: `${services.site.publicUrl}/api/recipes/${id}` };
  } catch (error) {
    if (!(error instanceof AtelierError)) throw error;
    warn(`The recipe was not saved: ${error.message}`);
    return {};
  }
}
