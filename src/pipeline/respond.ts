import { MPP_HEADERS } from '../catalog/mpp_names.ts';
import { asToolSteps, nextSteps } from '../catalog/next_steps.ts';
import type { CatalogueIndex } from '../catalog/types.ts';
import { X402_HEADERS } from '../catalog/x402_names.ts';
import { costOf } from '../features/definitions/price.ts';
import type { AnyTool, Charge } from '../features/definitions/tool.ts';
import type { PlacedAct } from '../features/workspaces/types.ts';
import type { RunNotes } from './execute.ts';
import { LongText } from './request_json.ts';
import type { ComposedResponse, PipelineContext, StoreResponse } from './types.ts';

interface Finished {
  readonly input: Record<string, unknown>;
  readonly output: Record<string, unknown>;
  /** The wallet of the client, where known. */
  readonly wallet?: string | undefined;
  readonly warnings: readonly string[];
  readonly lookedAt?: string | undefined;
  readonly cost: {
    /** In credits, as charged. */
    readonly price: number;
    /** The actual price, and its reason. */
    readonly found?: Charge | undefined;
  };
  /** The client calls tools by name, so next steps name them. */
  readonly isModel?: boolean | undefined;
  /** Payment details of a paid call. */
  readonly receipt?: Record<string, unknown> | undefined;
  readonly workspace?: PlacedAct | undefined;
}

/** By method; payments in credits need no explanation. */
const PAID_WITHOUT_CREDITS: Record<string, string> = {
  card: 'Paid by card. No credits were charged.',
  x402: 'Paid by x402. No credits were charged.',
};

/** The response of a free call; stored for replay where the client sent an Idempotency-Key. */
export async function respondFree(
  context: PipelineContext,
  tool: AnyTool,
  { input, output, wallet, notes, isModel, workspace }: FreeOutcome,
  store: StoreResponse,
): Promise<ComposedResponse> {
  const { warnings, lookedAt, found } = notes;
  const about = { input, output, wallet, isModel, workspace };
  const finished = { ...about, warnings, lookedAt, cost: { price: 0, found } };
  const response = { body: composeBody(context.services.catalogue, tool, finished) };
  const stored = await store(response);
  if (stored) await context.answers.keep(stored);
  return response;
}

interface FreeOutcome {
  readonly input: Record<string, unknown>;
  readonly output: Record<string, unknown>;
  readonly wallet: string | undefined;
  readonly notes: RunNotes;
  readonly isModel?: boolean | undefined;
  readonly workspace?: PlacedAct | undefined;
}

/** The flat response: the tool's own fields, then cost, payment, next_steps, looked_at, workspace, warnings. */
export function composeBody(
  catalogue: CatalogueIndex,
  tool: AnyTool,
  finished: Finished,
): Record<string, unknown> {
  const { input, output, wallet, cost } = finished;
  const note = noteOf(finished);
  const steps = nextSteps(catalogue, tool.next?.(output, input, { wallet }) ?? []);
  return {
    ...output,
    cost: { ...costOf(cost.price), ...(note && { note }) },
    ...(finished.receipt && { payment: finished.receipt }),
    // Added before signing, because the receipt signs the response as it is sent.
    next_steps: finished.isModel ? asToolSteps(steps) : steps,
    ...(finished.lookedAt && { looked_at: finished.lookedAt }),
    ...(finished.workspace && { workspace: finished.workspace }),
    ...(finished.warnings.length > 0 && { warnings: finished.warnings }),
  };
}

function noteOf({ cost: { price, found }, receipt }: Finished): string {
  const changed = found && found.credits > price && 'What it found changed before it ran, so less was taken.';
  return [found?.why, changed, PAID_WITHOUT_CREDITS[String(receipt?.method)]].filter(Boolean).join(' ');
}

/** The longest input repeated in a next step. */
const NEXT_STEP_CHARACTERS_MAX = 2000;

/**
 * The input for a next step that repeats a call; undefined if it is too long to repeat, such as an image in
 * base64.
 */
export function repeatableInput(input: Record<string, unknown>): Record<string, unknown> | undefined {
  if (Object.values(input).some((value) => value instanceof LongText)) return undefined;
  return JSON.stringify(input).length <= NEXT_STEP_CHARACTERS_MAX ? input : undefined;
}

/** The receipt of a payment by MPP, from the response headers of this server. */
export function mppReceiptIn(headers: Record<string, string>): unknown {
  const sent = headers[MPP_HEADERS.receipt];
  return sent === undefined ? undefined : JSON.parse(Buffer.from(sent, 'base64url').toString('utf8'));
}

/** Headers exposed to pages of other origins (CORS). */
export const X402_ANSWER_HEADERS: readonly string[] = [
  X402_HEADERS.demand,
  X402_HEADERS.settlement[2],
  X402_HEADERS.settlement[1],
];

/** The settlement of a payment by x402, from the response headers of this server. */
export function settlementIn(headers: Record<string, string>): unknown {
  const sent = headers[X402_HEADERS.settlement[2]] ?? headers[X402_HEADERS.settlement[1]];
  return sent === undefined ? undefined : JSON.parse(Buffer.from(sent, 'base64').toString('utf8'));
}
