import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { imageFieldsOf } from '../../../features/definitions/fields.ts';
import { handleIn } from '../../../features/definitions/images_in.ts';
import { RECIPE_STEPS_MAX, RECIPE_TITLE_CHARACTERS_MAX } from '../../../features/recipes/tools/limits.ts';
import { rememberedRuns } from '../tools/earlier_results.ts';
import { batchField } from '../tools/post_run.ts';
import { type Job, readRuns } from '../tools/read_runs.ts';
import { fieldsOf } from '../tools/tool_fields.ts';
import type { Visit } from '../types.ts';
import { freeName } from './draft.ts';
import type { RecipeStep } from './read_recipe.ts';

/** A finished run that becomes a step. */
interface Done {
  readonly id: string;
  readonly tool: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Handle of the file it made. */
  readonly result: string | undefined;
}

/** Recorded runs as a recipe. */
interface Recorded {
  readonly title: string;
  readonly steps: readonly RecipeStep[];
}

/**
 * The steps that led to a run: the run and the earlier runs of this browser whose results it used. Other images become inputs.
 * @throws AtelierError job_not_found if the run has expired or belongs to another visitor, or its settings were too long to store
 */
export async function recordedSteps(visit: Visit, id: string): Promise<Recorded> {
  const runs = await readRuns(visit, [...new Set([id, ...rememberedRuns(visit)])]);
  const done = await Promise.all(runs.map(({ job }) => (job ? doneOf(visit, job) : undefined)));
  const known = done.filter((one) => one !== undefined);
  const last = known.find((one) => one.id === id);
  if (!last)
    throw new AtelierError(
      'job_not_found',
      'The settings of this run are no longer stored. Run the tool again, then save the run as a recipe.',
    );
  return compose(chainOf(last, known), visit);
}

async function doneOf({ studio: { context } }: Visit, job: Job): Promise<Done | undefined> {
  const params = job.state === 'succeeded' ? await context.services.jobs.paramsOf(job.job_id) : undefined;
  const { result } = (job.result ?? {}) as { result?: string };
  return params && { id: job.job_id, tool: job.tool, params, result };
}

/** The run and its dependencies in topological order. */
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

/** Parameters of the call, not of the step. */
const LEFT_OUT = /^(output|async|dry_run|preview|payer|workspace)$/;

interface Wiring {
  /** Step names by the handle of their result. */
  readonly names: ReadonlyMap<string, string>;
  /** Input name for an image. */
  readonly input: (handle: string) => string;
  readonly isMain: boolean;
  readonly isImage: boolean;
}

/** Replaces results by references, and temporary images by inputs. */
function rewired(value: unknown, wiring: Wiring): unknown {
  const { names, input, isMain, isImage } = wiring;
  if (typeof value === 'string') {
    const made = names.get(value);
    if (made) return `$${made}`;
    const isPassing = /^(upload|result):/.test(value) && handleIn(value) !== undefined;
    // "kept" stands for inline bytes of the call.
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
