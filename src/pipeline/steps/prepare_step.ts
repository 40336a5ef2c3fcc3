import { AtelierError, invalidField } from '../../core/errors/atelier_error.ts';
import type { AnyTool, Step, StepSequence } from '../../features/definitions/tool.ts';
import {
  fillIn,
  handleOf,
  type Reference,
  referencesIn,
  valueAt,
} from '../../features/recipes/tools/references.ts';
import { schemaWithout } from '../../features/recipes/tools/save_recipe.ts';
import { requireCallAccess, requireToolAllowed } from '../admission.ts';
import { coerceInput } from '../coerce_input.ts';
import type { RunNotes } from '../execute.ts';
import { readControls, receiveCall, validateInput } from '../receive.ts';
import type { Client, PipelineContext, Principal, ToolCall } from '../types.ts';
import type { OpenAct } from '../workspace.ts';

interface StepAdmission {
  readonly client: Client;
  readonly principal: Principal;
  readonly course: StepSequence;
  readonly step: Step;
  readonly outputs: Outputs;
  /** Dry run: price only. */
  readonly isDryRun?: boolean;
}

/** A step as a call of its tool. */
export interface StepCall extends ToolCall {
  /** Fields that wait for the result of an earlier step; none where the input is complete. */
  readonly open: readonly string[];
}

/**
 * Admits a step like a call of its tool: access, and the input as far as it is known.
 * @throws AtelierError as that call would
 */
export async function admitStep(
  context: PipelineContext,
  { client, principal, course, step, outputs, isDryRun = false }: StepAdmission,
): Promise<StepCall> {
  const { requestId, address, signal, onProgress } = client;
  const own: Client = { requestId, address, signal, ...(onProgress && { onProgress }) };
  const sent = receiveCall(context, step.tool, undefined, own);
  const { tool } = sent;
  const { params, open, warnings: fillWarnings } = resolveReferences(tool, step, course, outputs);
  const mustPay = sent.mustPay && !isDryRun;
  await requireToolAllowed(context, { tool, mustPay }, { principal, method: undefined });
  const schema = open.length === 0 ? tool.input : schemaWithout(tool.input, open);
  // Coercion applies to a step as to a call.
  const { sent: read, warnings: coercions } = client.isModel
    ? coerceInput(schema, params)
    : { sent: params, warnings: [] };
  const { controls, rest } = readControls(tool, read, {});
  const { input, warnings: unknownFields } = validateInput(schema, rest);
  await requireCallAccess(context, { tool, input }, principal);
  return {
    ...sent,
    raw: read,
    principal,
    // Its price is part of the hold for all steps.
    x402: undefined,
    mpp: undefined,
    method: undefined,
    controls,
    rest,
    input,
    warnings: [...fillWarnings, ...coercions, ...unknownFields],
    open,
  };
}

/** Results of earlier steps of a sequence, by name. */
export type Outputs = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

export interface ResolvedStep {
  readonly params: Record<string, unknown>;
  /** Fields omitted from `params`: they wait for a future result. */
  readonly open: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * The parameters of a step with its references resolved, as far as known. Files are passed as links: the bytes of twelve steps
 * would not fit into one response. @throws AtelierError for an invalid reference
 */
export function resolveReferences(
  tool: AnyTool,
  { params: sent }: Step,
  { inputs }: Pick<StepSequence, 'inputs'>,
  outputs: Outputs,
): ResolvedStep {
  const isKnown = ({ name }: Reference) => Object.hasOwn(inputs, name) || outputs.has(name);
  const isOpen = (value: unknown) => !referencesIn(value).every(isKnown);
  const known = Object.entries(sent).filter(([, value]) => !isOpen(value));
  const filled = known.map(([field, value]) => [
    field,
    fillIn(value, (reference) => standsFor(field, reference, { inputs, outputs })),
  ]);
  const asked: Record<string, unknown> = Object.fromEntries(filled);
  const hasOutput = Object.hasOwn(tool.input.shape, 'output');
  return {
    params: { ...asked, ...(hasOutput && { output: 'url' }) },
    open: Object.keys(sent).filter((field) => isOpen(sent[field])),
    warnings:
      hasOutput && asked.output === 'base64'
        ? ['Steps return links: output "base64" was changed to "url".']
        : [],
  };
}

function standsFor(
  field: string,
  { text, name, path }: Reference,
  { inputs, outputs }: { inputs: StepSequence['inputs']; outputs: Outputs },
): unknown {
  const output = outputs.get(name);
  const value =
    output === undefined
      ? valueAt(inputs[name], path)
      : path.length === 0
        ? handleOf(output)
        : valueAt(output, path);
  if (value !== undefined) return value;
  const where = output === undefined ? `the input ${name}` : `the result of ${name}`;
  throw invalidField(field, `${text} does not exist in ${where}.`);
}

/**
 * Adds the position of the step in the call to its error. Errors other than AtelierError are returned
 * unchanged.
 */
export function stepError(error: unknown, { steps }: Pick<StepSequence, 'steps'>, step: Step): unknown {
  if (!(error instanceof AtelierError)) return error;
  const at = steps.indexOf(step);
  // A corrected body of the step alone is not a body of this call.
  const { errors, try: _, ...details } = error.details;
  return new AtelierError(error.code, `Step ${at + 1}, ${step.save_as} (${step.tool}): ${error.message}`, {
    ...details,
    ...(errors && {
      errors: errors.map((problem) => ({ ...problem, field: `steps.${at}.params.${problem.field}` })),
    }),
  });
}

/** Price of one step. */
export interface StepPrice {
  /** Index of its sequence, from 0. */
  readonly course: number;
  readonly step: Step;
  readonly credits: number;
  /** Reason for a lower price. */
  readonly note?: string;
}

/** Shared state of the steps of one call. */
export interface StepsRun {
  readonly client: Client;
  readonly principal: Principal;
  /** Id of the hold for all steps. */
  readonly hold: string | undefined;
  /** Credits of the hold. */
  readonly held: number;
  readonly signal: AbortSignal;
  readonly deadline: AbortSignal;
  /** Deadline, in milliseconds since 1970. */
  readonly endsAt: number;
  /** The client does not wait: a step is retried where the server is at capacity. */
  readonly isJob: boolean;
  readonly notes: RunNotes;
  /** The activity of the whole call; its steps are activities of their own. */
  readonly act: OpenAct | undefined;
}

/** Progress of the steps. */
export interface Progress {
  /** Credits to charge. */
  spent: number;
  /** Keys of cached results that are in `spent`. */
  readonly paidKeys: Set<string>;
  /** A step with side effects was interrupted: only a release of the whole hold is sure to undo its changes. */
  isUnsure: boolean;
  /** A step ordered work that a provider bills: the call is charged even if its client disconnects. */
  isBilled: boolean;
}
