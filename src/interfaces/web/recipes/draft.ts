import { parseBoundedJson } from '../../../core/json/parse_bounded_json.ts';
import type { AnyTool } from '../../../features/definitions/tool.ts';
import {
  RECIPE_JSON_CHARACTERS_MAX,
  RECIPE_STEPS_MAX,
  RECIPE_TITLE_CHARACTERS_MAX,
} from '../../../features/recipes/tools/limits.ts';
import { paramsOf, type Settings, sentText, textOf } from '../tools/settings.ts';
import { asLink, type Field, fieldsOf } from '../tools/tool_fields.ts';
import type { RecipeStep } from './read_recipe.ts';

/** A recipe while it is written: what stands in the form, right or wrong. */
export interface Draft {
  readonly title: string;
  readonly steps: readonly StepDraft[];
}

export interface StepDraft {
  readonly tool: string;
  /** What later steps call its result. */
  readonly save_as: string;
  /** Texts of the fields of the tool. */
  readonly settings: Settings;
  /** Parameters that no field shows. */
  readonly rest: Readonly<Record<string, unknown>>;
}

type Tools = readonly AnyTool[];

/** Fields of a tool by its name; none of an unknown one. */
export function fieldsIn(tools: Tools, name: string): readonly Field[] {
  const tool = tools.find((one) => one.name === name);
  return tool ? fieldsOf(tool) : [];
}

/** A field of a step in the form: "2.image". */
export const nameInForm = (step: number, field: string): string => `${step}.${field}`;
/** The address of an image of its own, where no earlier image is picked. */
export const ownInForm = (step: number, field: string): string => `${step}.${field}.own`;
/** The value of a picker that says so. */
export const OWN = 'own';

/** A value that stands for an input or for what an earlier step made, as a whole text. */
export const isReference = (text: string): boolean => /^\$[A-Za-z]\w*(\.\w+)*$/.test(text);

/** A recipe, or steps from runs, as the form shows it. */
export const draftOf = (title: string, steps: readonly RecipeStep[], tools: Tools): Draft => ({
  title,
  steps: steps.map((step) => stepDraft(step, tools)),
});

function stepDraft({ tool: name, params, save_as }: RecipeStep, tools: Tools): StepDraft {
  const fields = fieldsIn(tools, name);
  const shown = fields.filter((field) => params[field.name] !== undefined);
  const isShown = (param: string) => shown.some((field) => field.name === param);
  return {
    tool: name,
    save_as,
    settings: Object.fromEntries(shown.map((field) => [field.name, textOf(field, params[field.name])])),
    rest: Object.fromEntries(Object.entries(params).filter(([param]) => !isShown(param))),
  };
}

/** What was posted. */
export function readDraft(form: FormData, tools: Tools): Draft {
  const texts = (name: string) => form.getAll(name).filter((value) => typeof value === 'string');
  const places = texts('save_as');
  const rests = texts('rest');
  const steps = texts('tool')
    .slice(0, RECIPE_STEPS_MAX)
    .map((name, at) => ({
      tool: name.slice(0, 100),
      save_as: (places[at] ?? '').slice(0, 100),
      settings: settingsIn(form, at, fieldsIn(tools, name)),
      rest: objectIn(rests[at]),
    }));
  return { title: (texts('title')[0] ?? '').slice(0, RECIPE_TITLE_CHARACTERS_MAX), steps };
}

function settingsIn(form: FormData, step: number, fields: readonly Field[]): Settings {
  const sent = (name: string) => {
    const value = form.getAll(name).at(-1);
    return typeof value === 'string' ? value.slice(0, RECIPE_JSON_CHARACTERS_MAX) : undefined;
  };
  return Object.fromEntries(
    fields.flatMap((field) => {
      const { name, otherwise } = field;
      const text = sentText(field, sent, nameInForm(step, ''));
      const value = text === OWN ? sent(ownInForm(step, name)) : text;
      const isSaid = value !== undefined && value !== '' && value !== textOf(field, otherwise);
      // A box without a tick is sent as "false".
      const isUnticked = field.kind === 'tick' && value === 'false' && otherwise !== true;
      return isSaid && !isUnticked ? [[name, value]] : [];
    }),
  );
}

/** Parameters without a field come back as they were sent; anything else was not written by this form. */
function objectIn(text = '{}'): Record<string, unknown> {
  try {
    const value = parseBoundedJson(text.slice(0, RECIPE_JSON_CHARACTERS_MAX));
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** @param deed "up 2", "down 0", "remove 1", "add resize_image"; anything else changes nothing */
export function changeSteps(steps: readonly StepDraft[], deed: string, tools: Tools): readonly StepDraft[] {
  const [verb, what = ''] = deed.slice(0, 120).split(' ');
  if (verb === 'add' && what !== '' && steps.length < RECIPE_STEPS_MAX)
    return [...steps, newStep(what, steps, tools)];
  const at = Number(what);
  const step = steps[at];
  if (!step) return steps;
  const others = steps.filter((_, place) => place !== at);
  if (verb === 'remove') return others;
  const to = verb === 'up' ? at - 1 : verb === 'down' ? at + 1 : at;
  return others.toSpliced(Math.max(0, to), 0, step);
}

/** A new step takes the image that the last one made, or the one that is asked for. */
function newStep(name: string, steps: readonly StepDraft[], tools: Tools): StepDraft {
  const image = fieldsIn(tools, name).find(({ kind, isRequired }) => kind === 'picture' && isRequired);
  const last = steps.findLast(({ tool }) => makesFile(tools, tool));
  const settings = image ? { [image.name]: last ? `$${last.save_as}` : '$photo' } : {};
  return {
    tool: name,
    save_as: freeName(
      name,
      steps.map(({ save_as }) => save_as),
    ),
    settings,
    rest: {},
  };
}

export const makesFile = (tools: Tools, name: string): boolean =>
  Object.hasOwn(tools.find((tool) => tool.name === name)?.output.shape ?? {}, 'result');

/** The name of the tool, with a number where it is taken: the default name of a step. */
export function freeName(tool: string, taken: readonly string[]): string {
  const name = tool.replace(/\W/g, '_').slice(0, 36);
  let free = name;
  for (let at = 2; taken.includes(free); at += 1) free = `${name}_${at}`;
  return free;
}

/** @throws AtelierError invalid_input for settings that cannot be read */
export const stepsOf = (drafts: readonly StepDraft[], tools: Tools): readonly RecipeStep[] =>
  drafts.map(({ tool, save_as, settings, rest }) => ({
    tool,
    save_as,
    params: { ...rest, ...linked(tools, tool, rest), ...paramsIn(fieldsIn(tools, tool), settings) },
  }));

const linked = (tools: Tools, name: string, rest: object) => {
  const tool = tools.find((one) => one.name === name);
  return tool && !Object.hasOwn(rest, 'output') ? asLink(tool) : {};
};

/** A reference stands for the value of any kind of field. */
function paramsIn(fields: readonly Field[], settings: Settings): Record<string, unknown> {
  const isWired = ({ name }: Field) => isReference(settings[name] ?? '');
  const wired = fields.filter(isWired).map(({ name }) => [name, settings[name]]);
  return {
    ...paramsOf(
      fields.filter((field) => !isWired(field)),
      settings,
    ),
    ...Object.fromEntries(wired),
  };
}
