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
  /** A dry run or preview leaves no trace. */
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
 * The input with handles that stand for themselves in place of `item:3`.
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
  /** What it has made so far. */
  made: { readonly output: Record<string, unknown>; readonly items: readonly number[] };
  /** Acts of its steps. */
  readonly parts: ActPlace[];
}

export const resumeAct = (at: ActPlace): OpenAct => ({ at, made: { output: {}, items: [] }, parts: [] });

/** Calls that are shown: those about images and artworks. What a wallet does with itself is not for others to see. */
const isShown = ({ category, answersSecret, isAboutJobs }: AnyTool): boolean =>
  (category === 'creative' || category === 'dataset') && !answersSecret && !isAboutJobs;

/** Fields that say who pays and not what is made. */
const NOT_KEPT = new Set(['wallet', 'session', 'payer', 'approval', 'workspace']);

/** The part of a call that its act keeps. */
type BegunCall = Pick<ToolCall, 'tool' | 'rest' | 'input'>;

interface Beginning {
  /** The workspace; or a running act that this one is a part of. */
  readonly by: Access | ActPlace;
  readonly loaded: Record<string, unknown>;
  readonly lifetimeMs: number;
  /** Name of the step. */
  readonly step?: string;
}

/**
 * Shows a call in its workspace, with its images. Undefined for one that is not shown.
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

/** The item of this workspace that a handle stands for. */
function itemIn(text: unknown, workspace: string): number | undefined {
  if (typeof text !== 'string' || !text.startsWith(`item:${workspace.slice(4)}/`)) return undefined;
  const [, item] = SIGNED_HANDLE.exec(text) ?? [];
  return item === undefined ? undefined : Number(item);
}

/** Puts the files of a response on the table; they are shown once the act is done. What has no room is a warning. */
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

/** What the response says about an act that goes on. */
export const placedOf = ({ services: { site } }: PipelineContext, { at }: OpenAct): PlacedAct => ({
  id: at.workspace,
  act: at.act,
  items: [],
  url: `${site.publicUrl}/table/${at.workspace}`,
});

/** Runs the rest of a call and ends its act with it; one that has become a job goes on. */
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

/** Ends the act of a call that has its response. */
export async function finishAct(
  { services }: PipelineContext,
  { at, made: { output, items } }: OpenAct,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { credit } = (body.cost ?? { credit: 0 }) as { credit: number };
  const { wallet: _, ...shown } = output;
  await services.workspaces.finish(at, { output: shown, credits: credit, outputs: items });
}

/** What a step of a call came to. */
interface FinishedStep {
  readonly output: Record<string, unknown>;
  readonly credits: number;
}

/** Runs a step as an act of its own. @param whole the act of its call; absent outside of a workspace */
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

/** The charge of all steps was given back: none of them has cost anything. */
export async function waiveSteps({ services }: PipelineContext, act: OpenAct | undefined): Promise<void> {
  if (act && act.parts.length > 0) await services.workspaces.waive(act.parts);
}
