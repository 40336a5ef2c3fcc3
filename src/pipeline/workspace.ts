import { imageFieldsOf } from '../features/definitions/fields.ts';
import { imagesIn, isSourceImage } from '../features/definitions/images_in.ts';
import type { AnyTool } from '../features/definitions/tool.ts';
import { CLIENT_HANDLE, SIGNED_HANDLE } from '../features/workspaces/tokens.ts';
import type { Access, ActPlace, PlacedAct } from '../features/workspaces/types.ts';
import { asAtelierError } from './errors.ts';
import type { RunNotes } from './execute.ts';
import type { Client, ComposedResponse, PipelineContext, Principal, ToolCall } from './types.ts';

interface Opening {
  readonly principal: Principal;
  readonly client: Client;
  /** A dry run or preview writes nothing. */
  readonly onlyLooks: boolean;
}

/**
 * The workspace that a call names in its field `workspace`.
 * @throws AtelierError workspace_not_found, workspace_denied, scope_denied
 */
export async function openWorkspace(
  { services }: PipelineContext,
  text: string | undefined,
  { principal: { wallet, proof }, client: { isModel }, onlyLooks }: Opening,
): Promise<Access | undefined> {
  if (text === undefined) return undefined;
  return services.workspaces.access(text, { wallet, proof, isModel }, onlyLooks ? 'view' : 'work');
}

/**
 * Replaces handles such as `item:3` in the input by full handles, which are valid without the workspace.
 * @throws AtelierError item_not_found
 */
export async function resolveItems(
  { services: { workspaces } }: PipelineContext,
  access: Access,
  sent: unknown,
): Promise<unknown> {
  const resolve = async (value: unknown): Promise<unknown> => {
    if (typeof value === 'string') {
      const [, item] = value.length < 100 ? (CLIENT_HANDLE.exec(value) ?? []) : [];
      return item === undefined ? value : workspaces.handleOf(access, Number(item));
    }
    if (Array.isArray(value)) return Promise.all(value.map(resolve));
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
      return value;
    const members = Object.entries(value).map(
      async ([name, member]) => [name, await resolve(member)] as const,
    );
    return Object.fromEntries(await Promise.all(members));
  };
  return resolve(sent);
}

/** A call that is shown in its workspace while it runs. */
export interface OpenAct {
  readonly at: ActPlace;
  /** Results so far. */
  made: { readonly output: Record<string, unknown>; readonly items: readonly number[] };
  /** Activities of its steps. */
  readonly parts: ActPlace[];
}

export const resumeAct = (at: ActPlace): OpenAct => ({ at, made: { output: {}, items: [] }, parts: [] });

/** Only calls about images and artworks are shown. Account calls of a wallet are private. */
const isShown = ({ category, answersSecret, isAboutJobs }: AnyTool): boolean =>
  (category === 'creative' || category === 'dataset') && !answersSecret && !isAboutJobs;

/** Fields about payment and access, which are not stored with the activity. */
const NOT_KEPT = new Set(['wallet', 'session', 'payer', 'approval', 'workspace']);

/** The part of a call that its activity stores. */
type BegunCall = Pick<ToolCall, 'tool' | 'rest' | 'input'>;

interface Beginning {
  /** The workspace, or the running activity that contains this one. */
  readonly by: Access | ActPlace;
  readonly loaded: Record<string, unknown>;
  readonly lifetimeMs: number;
  /** Name of the step. */
  readonly step?: string;
}

/**
 * Shows a call in its workspace, with its images. Returns undefined for a call that is not shown.
 * @throws AtelierError workspace_full, storage_quota_exceeded, too_much_kept, storage_full
 */
export async function beginAct(
  { services }: PipelineContext,
  { tool, rest, input }: BegunCall,
  { by, loaded, lifetimeMs, step }: Beginning,
): Promise<OpenAct | undefined> {
  if (!isShown(tool)) return undefined;
  const fields = imageFieldsOf(tool.input.shape);
  const workspace = 'act' in by ? by.workspace : by.id;
  const texts = new Map(imagesIn(fields, input).map(({ name, image }) => [name, image]));
  const images = imagesIn(fields, loaded).flatMap(({ name: path, image }) =>
    isSourceImage(image) ? [{ path, image, item: itemIn(texts.get(path), workspace) }] : [],
  );
  const known = Object.entries(rest as Record<string, unknown>).filter(
    ([name]) => Object.hasOwn(tool.input.shape, name) && !NOT_KEPT.has(name),
  );
  const isWhole = tool.steps !== undefined;
  const at = await services.workspaces.begin(by, {
    tool: tool.name,
    input: Object.fromEntries(known),
    images,
    lifetimeMs,
    isWhole,
    ...(step !== undefined && { step }),
  });
  return resumeAct(at);
}

/** The item of this workspace that a handle refers to. */
function itemIn(text: unknown, workspace: string): number | undefined {
  if (typeof text !== 'string' || !text.startsWith(`item:${workspace.slice(4)}/`)) return undefined;
  const [, item] = SIGNED_HANDLE.exec(text) ?? [];
  return item === undefined ? undefined : Number(item);
}

/**
 * Adds the files of a response to the workspace; they are shown once the activity ends. Files that exceed a
 * limit become warnings.
 */
export async function placeResults(
  { services }: PipelineContext,
  act: OpenAct | undefined,
  output: Record<string, unknown>,
  notes: RunNotes,
): Promise<PlacedAct | undefined> {
  if (!act) return undefined;
  const { warning, ...placed } = await services.workspaces.place(act.at, output);
  if (warning !== undefined) notes.warnings.push(warning);
  act.made = { output, items: placed.items };
  return placed;
}

/** The workspace field in the response of an activity that continues. */
export const placedOf = ({ services: { site } }: PipelineContext, { at }: OpenAct): PlacedAct => ({
  id: at.workspace,
  act: at.act,
  items: [],
  url: `${site.publicUrl}/table/${at.workspace}`,
});

/** Runs the rest of a call and then ends its activity. The activity of a call that became a job continues. */
export async function withAct(
  context: PipelineContext,
  act: OpenAct | undefined,
  work: () => Promise<ComposedResponse>,
): Promise<ComposedResponse> {
  if (!act) return work();
  const { workspaces } = context.services;
  try {
    const response = await work();
    if (response.status !== 202) await finishAct(context, act, response.body);
    return response;
  } catch (error) {
    const { code, message: detail } = asAtelierError(error);
    await workspaces.fail(act.at, { code, detail });
    throw error;
  }
}

/** Ends the activity of a call that has its response. */
export async function finishAct(
  { services }: PipelineContext,
  { at, made: { output, items } }: OpenAct,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { credit } = (body.cost ?? { credit: 0 }) as { credit: number };
  const { wallet: _, ...shown } = output;
  await services.workspaces.finish(at, { output: shown, credits: credit, outputs: items });
}

/** Result of a step. */
interface FinishedStep {
  readonly output: Record<string, unknown>;
  readonly credits: number;
}

/**
 * Runs a step as an activity of its own. @param whole the activity of its call; absent outside a workspace
 */
export async function withStepAct<Finished extends FinishedStep>(
  context: PipelineContext,
  { whole, call, ...beginning }: { whole: OpenAct | undefined; call: BegunCall } & Omit<Beginning, 'by'>,
  work: () => Promise<Finished>,
): Promise<Finished> {
  const act = whole && (await beginAct(context, call, { ...beginning, by: whole.at }));
  if (!act) return work();
  const { workspaces } = context.services;
  try {
    const done = await work();
    const { items } = await workspaces.place(act.at, done.output);
    await workspaces.finish(act.at, { output: done.output, credits: done.credits, outputs: items });
    whole.parts.push(act.at);
    return done;
  } catch (error) {
    const { code, message: detail } = asAtelierError(error);
    await workspaces.fail(act.at, { code, detail });
    throw error;
  }
}

/** Records that the charge of all steps was refunded. */
export async function waiveSteps({ services }: PipelineContext, act: OpenAct | undefined): Promise<void> {
  if (act && act.parts.length > 0) await services.workspaces.waive(act.parts);
}
