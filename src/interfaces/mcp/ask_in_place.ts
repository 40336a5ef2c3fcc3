import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { parseBoundedJson } from '../../core/json/parse_bounded_json.ts';
import { lookAtPayment } from '../../features/billing/tools/look_at_payment.ts';
import type { AnyTool } from '../../features/definitions/tool.ts';
import { callTool } from '../../pipeline/pipeline.ts';
import type { PipelineContext } from '../../pipeline/types.ts';
import { asksByLink } from './asks_by_link.ts';
import { callerOf } from './caller_of.ts';
import type { Exchange } from './exchange.ts';
import { ASKED_LOOK_MS, ASKED_WAIT_MS, ASKED_WAITS_MAX } from './limits.ts';
import { APPROVAL_KEY, PAYMENT_INTENT_KEY } from './meta_keys.ts';

interface Params {
  readonly name: string;
  readonly arguments?: Record<string, unknown> | undefined;
  readonly _meta?: Record<string, unknown> | undefined;
}

interface Call {
  readonly exchange: Exchange;
  readonly request: ServerContext['mcpReq'];
}

/** What a person is led to, and what is waited for there. */
interface Question {
  readonly url: string;
  readonly message: string;
  readonly awaited: Awaited;
}

/** Sent along by the client. It says no more than a caller may say anyway, so nothing vouches for it. */
const awaitedState = z.union([
  z.strictObject({ approval: z.string().max(300) }),
  z.strictObject({ payment: z.string().max(300) }),
]);
type Awaited = z.infer<typeof awaitedState>;

const KEY = 'person';

/**
 * Answers a call; where it needs a person's consent or payment and the client can open links, the person is asked in the middle of it:
 * the call waits a while for what they do and goes on. Whoever cannot be asked so, or does not answer, gets the answer of the call.
 * @param answer runs the call
 * @throws UrlElicitationRequiredError for clients of before 2026-07-28, which send the same call again afterwards
 */
export async function askInPlace(
  kit: PipelineContext,
  tool: AnyTool,
  params: Params,
  { exchange, request, answer }: Call & { answer(params: Params): Promise<CallToolResult> },
): Promise<CallToolResult | InputRequiredResult> {
  const way = asksByLink(exchange, request);
  if (!way) return answer(params);
  const awaited = way === 'answer' ? readState(request) : undefined;
  if (awaited) return answer(await withWhatCame(kit, params, awaited, { exchange, request }));
  const told = await answer(params);
  const question = await questionOf(kit, tool, told, { params, exchange, request, way });
  if (!question) return told;
  const { url, message } = question;
  if (way === 'error') {
    const elicitationId = Object.values(question.awaited)[0] as string;
    throw new UrlElicitationRequiredError([{ mode: 'url', elicitationId, url, message }], message);
  }
  return inputRequired({
    inputRequests: { [KEY]: inputRequired.elicitUrl({ url, message }) },
    requestState: Buffer.from(JSON.stringify(question.awaited)).toString('base64url'),
  });
}

function readState({ requestState }: Call['request']): Awaited | undefined {
  const sent = requestState();
  if (typeof sent !== 'string') return undefined;
  try {
    return awaitedState.safeParse(parseBoundedJson(Buffer.from(sent, 'base64url'))).data;
  } catch {
    return undefined;
  }
}

/** Undefined where no link would help: the caller is told as ever. */
async function questionOf(
  kit: PipelineContext,
  tool: AnyTool,
  { isError, structuredContent }: CallToolResult,
  call: Call & { params: Params; way: 'answer' | 'error' },
): Promise<Question | undefined> {
  if (!isError) return undefined;
  const { code, approval, credits, detail } = (structuredContent ?? {}) as Told;
  if (code === 'approval_required' && approval) {
    const message = `Approve or refuse one call of ${tool.name} for ${approval.credits} credits.`;
    return { url: approval.url, message, awaited: { approval: approval.id } };
  }
  const wallet = code === 'insufficient_credits' ? credits?.wallet : undefined;
  // Before 2026-07-28 the same call comes again, so only what it will find by itself helps: credits in its wallet.
  const isPayable =
    wallet !== undefined || (code === 'payment_required' && !tool.steps && call.way === 'answer');
  if (!isPayable || !kit.services.payments.takes) return undefined;
  const started = await startPayment(kit, call, wallet ? { wallet } : { tool: tool.name });
  return started && { ...started, message: `${detail ?? ''} Pay by card to go on.`.trim() };
}

interface Told {
  readonly code?: unknown;
  readonly detail?: string;
  readonly approval?: { readonly id: string; readonly url: string; readonly credits: number };
  readonly credits?: { readonly wallet?: string };
}

/** As request_payment does it, with its bounds; undefined where it cannot be started now. */
async function startPayment(
  kit: PipelineContext,
  { exchange, request, params }: Call & { params: Params },
  asked: { wallet: string } | { tool: string },
): Promise<Pick<Question, 'url' | 'awaited'> | undefined> {
  try {
    const caller = callerOf(exchange, request.signal, params._meta);
    const { body } = await callTool(kit, 'request_payment', asked, { ...caller, idempotencyKey: undefined });
    const { url, code } = body as { url?: string; code: string };
    return url === undefined ? undefined : { url, awaited: { payment: code } };
  } catch {
    return undefined;
  }
}

/** The same call with what the person has given meanwhile, or as it was. */
async function withWhatCame(
  kit: PipelineContext,
  params: Params,
  awaited: Awaited,
  { exchange, request }: Call,
): Promise<Params> {
  const response = inputResponse(request.inputResponses, KEY);
  if (response.kind !== 'elicit' || response.action !== 'accept') return params;
  await untilThere(kit, awaited, { address: exchange.peer.address, signal: request.signal });
  if ('approval' in awaited) return withMeta(params, { [APPROVAL_KEY]: awaited.approval });
  return awaited.payment.startsWith('pi_')
    ? withMeta(params, { [PAYMENT_INTENT_KEY]: awaited.payment })
    : params;
}

const withMeta = (params: Params, more: Record<string, string>): Params => ({
  ...params,
  _meta: { ...params._meta, ...more },
});

/** Calls that wait for a person now, by address. In memory: each process bounds its own. */
const waiting = new Map<string, number>();

/** Looks every now and then until the person has answered, as long as somebody may wait. */
async function untilThere(
  { services }: PipelineContext,
  awaited: Awaited,
  { address, signal }: { address: string; signal: AbortSignal },
): Promise<void> {
  const ofAll = [...waiting.values()].reduce((sum, calls) => sum + calls, 0);
  const own = waiting.get(address) ?? 0;
  const mayWait = own < ASKED_WAITS_MAX.ofAddress && ofAll < ASKED_WAITS_MAX.ofAll;
  const end = performance.now() + (mayWait ? ASKED_WAIT_MS : 0);
  waiting.set(address, own + 1);
  try {
    while (await isWaiting(services, awaited)) {
      if (performance.now() >= end || signal.aborted) return;
      await new Promise((resolve) => setTimeout(resolve, ASKED_LOOK_MS));
    }
  } finally {
    const left = (waiting.get(address) ?? 1) - 1;
    if (left > 0) waiting.set(address, left);
    else waiting.delete(address);
  }
}

/** What cannot be looked at is not waited for; the call will say what is wrong. */
async function isWaiting(services: PipelineContext['services'], awaited: Awaited): Promise<boolean> {
  try {
    if ('payment' in awaited) {
      const isOfCard = /^(cs|pi)_/.test(awaited.payment);
      return isOfCard && (await lookAtPayment(awaited.payment, services)).state === 'waiting';
    }
    const found = await services.consents.findApproval(awaited.approval.replace(/^apr_/, ''));
    return found?.state === 'waiting';
  } catch {
    return false;
  }
}
