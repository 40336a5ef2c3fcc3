import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { imageFieldsOf } from '../../../features/definitions/fields.ts';
import { handleIn } from '../../../features/definitions/handle_in.ts';
import { RECIPE_STEPS_MAX, RECIPE_TITLE_CHARACTERS_MAX } from '../../../features/recipes/tools/limits.ts';
import { rememberedRuns } from '../tools/earlier_results.ts';
import { batchField } from '../tools/post_run.ts';
import { type Job, readRuns } from '../tools/read_runs.ts';
import { fieldsOf } from '../tools/tool_fields.ts';
import type { Visit } from '../types.ts';
import { freeName } from './draft.ts';
import type { RecipeStep } from './read_recipe.ts';

/** A run that a step is made of. */
interface Done {
  readonly id: string;
  readonly tool: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Handle of the file it made. */
  readonly result: string | undefined;
}

/** What a visitor did, as a recipe. */
interface Recorded {
  readonly title: string;
  readonly steps: readonly RecipeStep[];
}

/**
 * The steps that led to a run: the run itself, and before it those runs of this browser whose results it was given. Images that no run
 * made become inputs.
 * @throws AtelierError job_not_found where the run is forgotten, of someone else, or its settings were too long to be kept
 */
export async function recordedSteps(visit: Visit, id: string): Promise<Recorded> {
  const runs = await readRuns(visit, [...new Set([id, ...rememberedRuns(visit)])]);
  const done = await Promise.all(runs.map(({ job }) => (job ? doneOf(visit, job) : undefined)));
  const known = done.filter((one) => one !== undefined);
  const last = known.find((one) => one.id === id);
  if (!last)
    throw new AtelierError(
      'job_not_found',
      'The settings of this run are no longer kept. Run it again, then save it as a recipe.',
    );
  return compose(chainOf(last, known), visit);
}

async function doneOf({ studio: { kit } }: Visit, job: Job): Promise<Done | undefined> {
  const params = job.state === 'succeeded' ? await kit.services.jobs.paramsOf(job.job_id) : undefined;
  const { result } = (job.result ?? {}) as { result?: string };
  return params && { id: job.job_id, tool: job.tool, params, result };
}

/** The runs before it whose results it uses, each before the one that uses it. */
function chainOf(last: Done, known: readonly Done[]): readonly Done[] {
  const chain: Done[] = [];
  const add = (run: Done) => {
    for (const handle of handlesIn(run.params)) {
      const made = known.find(({ result, id }) => result === handle && id !== run.id);
      if (made && !chain.includes(made)) add(made);
    }
    chain.push(run);
  };
  add(last);
  return chain.slice(-RECIPE_STEPS_MAX);
}

function handlesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return handleIn(value) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(handlesIn) : [];
}

function compose(chain: readonly Done[], { studio: { tools } }: Visit): Recorded {
  const names = new Map<string, string>();
  const taken: string[] = [];
  const input = inputNames();
  const steps = chain.map(({ tool: name, params, result }) => {
    const tool = tools.find((one) => one.name === name);
    const save_as = freeName(name, taken);
    const main = tool && batchField(fieldsOf(tool))?.name;
    const images = tool ? imageFieldsOf(tool.input.shape) : [];
    const wired = Object.entries(params)
      .filter(([param]) => !LEFT_OUT.test(param))
      .map(([param, value]) => {
        const isImage = images.includes(param);
        return [param, rewired(value, { names, input, isMain: param === main, isImage })];
      });
    taken.push(save_as);
    if (result) names.set(result, save_as);
    return { tool: name, save_as, params: Object.fromEntries(wired) };
  });
  const titles = steps.map(({ tool: name }) => tools.find((tool) => tool.name === name)?.title ?? name);
  return { title: titles.join(', then ').slice(0, RECIPE_TITLE_CHARACTERS_MAX), steps };
}

/** How the call was made, and not what it did. */
const LEFT_OUT = /^(output|async|dry_run|preview|payer|workspace)$/;

interface Wiring {
  /** Steps by the handle of what they made. */
  readonly names: ReadonlyMap<string, string>;
  /** The name of the input that an image becomes. */
  readonly input: (handle: string) => string;
  readonly isMain: boolean;
  readonly isImage: boolean;
}

/** References instead of results, and inputs instead of images that will be gone tomorrow. */
function rewired(value: unknown, wiring: Wiring): unknown {
  const { names, input, isMain, isImage } = wiring;
  if (typeof value === 'string') {
    const made = names.get(value);
    if (made) return `$${made}`;
    const isPassing = /^(upload|result):/.test(value) && handleIn(value) !== undefined;
    // "kept" stands for bytes that the call was given.
    return isMain || isPassing || (isImage && value === 'kept') ? `$${input(value)}` : value;
  }
  if (Array.isArray(value)) return value.map((one) => rewired(one, { ...wiring, isMain: false }));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, rewired(one, { ...wiring, isMain: false })]),
  );
}

/** "photo", then "image_2" and so on; the same image is the same input. */
function inputNames(): (handle: string) => string {
  const known = new Map<string, string>();
  return (handle) => {
    const name = known.get(handle) ?? (known.size === 0 ? 'photo' : `image_${known.size + 1}`);
    known.set(handle, name);
    return name;
  };
}
