import { invalidField } from '../../../core/errors/atelier_error.ts';
import { parseBoundedJson } from '../../../core/json/parse_bounded_json.ts';
import {
  RECIPE_JSON_CHARACTERS_MAX,
  RECIPE_STEPS_MAX,
  RECIPE_TITLE_CHARACTERS_MAX,
} from '../../../features/recipes/tools/limits.ts';
import type { RecipeStep } from './read_recipe.ts';

/** A recipe while it is written: what stands in the form, right or wrong. */
export interface Draft {
  readonly title: string;
  readonly steps: readonly StepDraft[];
}

export interface StepDraft {
  readonly tool: string;
  readonly save_as: string;
  /** JSON. */
  readonly params: string;
}

/** What was posted. */
export function readDraft(form: FormData): Draft {
  const texts = (name: string) => form.getAll(name).map(String);
  const places = texts('save_as');
  const params = texts('params');
  const steps = texts('tool').map((tool, at) => ({
    tool: tool.slice(0, 100),
    save_as: (places[at] ?? '').slice(0, 100),
    params: (params[at] ?? '{}').slice(0, RECIPE_JSON_CHARACTERS_MAX),
  }));
  return {
    title: String(form.get('title') ?? '').slice(0, RECIPE_TITLE_CHARACTERS_MAX),
    steps: steps.slice(0, RECIPE_STEPS_MAX),
  };
}

/** @param deed "up 2", "down 0", "remove 1", "add resize_image"; anything else changes nothing */
export function changeSteps(steps: readonly StepDraft[], deed: string): readonly StepDraft[] {
  const [verb, what = ''] = deed.slice(0, 120).split(' ');
  if (verb === 'add' && what !== '' && steps.length < RECIPE_STEPS_MAX)
    return [...steps, { tool: what, save_as: freeName(steps), params: '{}' }];
  const at = Number(what);
  const step = steps[at];
  if (!step) return steps;
  const others = steps.filter((_, place) => place !== at);
  if (verb === 'remove') return others;
  const to = verb === 'up' ? at - 1 : verb === 'down' ? at + 1 : at;
  return others.toSpliced(Math.max(0, to), 0, step);
}

function freeName(steps: readonly StepDraft[]): string {
  const taken = new Set(steps.map(({ save_as: name }) => name));
  let at = steps.length + 1;
  while (taken.has(`step_${at}`)) at += 1;
  return `step_${at}`;
}

/** @throws AtelierError invalid_input for settings that are not JSON, with the step */
export const stepsOf = (drafts: readonly StepDraft[]): readonly RecipeStep[] =>
  drafts.map(({ params, ...step }, at) => ({ ...step, params: objectIn(params, at + 1) }));

function objectIn(text: string, step: number): Record<string, unknown> {
  try {
    const value = parseBoundedJson(text.trim() || '{}');
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Said below, as for what is JSON and no object.
  }
  throw invalidField(
    'params',
    `The settings of step ${step} must be a JSON object, such as {"image": "$photo"}.`,
  );
}
