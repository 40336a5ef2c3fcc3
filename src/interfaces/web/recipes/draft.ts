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

/** A recipe being edited: the form values, valid or not. */
export interface Draft {
  readonly title: string;
  readonly steps: readonly StepDraft[];
}

export interface StepDraft {
  readonly tool: string;
  /** Name of its result for later steps. */
  readonly save_as: string;
  /** Field texts of the tool. */
  readonly settings: Settings;
  /** Parameters without a form field. */
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
/** Name of the control for a fixed image URL or handle. */
export const ownInForm = (step: number, field: string): string => `${step}.${field}.own`;
/** Picker value that selects the fixed image. */
export const OWN = 'own';

/** Whether a text refers to an input or to the result of an earlier step. */
export const isReference = (text: string): boolean => /^\$[A-Za-z]\w*(\.\w+)*$/.test(text);

/** Form values of a recipe or of recorded steps. */
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

/** Posted form values. */
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
      // An unticked box is sent as "false".
      const isUnticked = field.kind === 'tick' && value === 'false' && otherwise !== true;
      return isSaid && !isUnticked ? [[name, value]] : [];
    }),
  );
}

/** Parameters without a field, from the hidden control; malformed JSON counts as empty. */
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

/** A new step uses the image of the last step, else the image input. */
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

/** Default step name: the tool name, with a number if taken. */
export function freeName(tool: string, taken: readonly string[]): string {
  const name = tool.replace(/\W/g, '_').slice(0, 36);
  let free = name;
  for (let at = 2; taken.includes(free); at += 1) free = `${name}_${at}`;
  return free;
}

/** @throws AtelierError invalid_input for malformed settings */
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

/** References are passed unparsed for any kind of field. */
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
