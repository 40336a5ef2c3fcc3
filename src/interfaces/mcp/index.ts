import {
  type CallToolResult,
  type CompleteResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { DESCRIPTION } from '../../catalog/about.ts';
import { MCP_CAPABILITIES, MCP_ICONS, MCP_IDENTITY } from '../../catalog/mcp_card.ts';
import {
  isAlwaysOffered,
  isInToolsets,
  type McpTool,
  mcpTool,
  toolsetNames,
  unknownToolset,
} from '../../catalog/mcp_tools.ts';
import { toolWithLetters } from '../../catalog/tool_with_letters.ts';
import { nearNames, noSuchTool } from '../../catalog/unknown_tool.ts';
import { parseBoundedJson } from '../../core/json/parse_bounded_json.ts';
import { isPublicAddress } from '../../core/outbound_http/public_address.ts';
import type { Tracing } from '../../core/telemetry/types.ts';
import { lookAtPayment } from '../../features/billing/tools/look_at_payment.ts';
import { isReadOnly } from '../../features/definitions/is_read_only.ts';
import type { AnyTool } from '../../features/definitions/tool.ts';
import { callTool } from '../../pipeline/pipeline.ts';
import type { PipelineContext } from '../../pipeline/types.ts';
import {
  APPROVAL_KEY,
  answerCall,
  callerOf,
  finishedCall,
  PAYMENT_INTENT_KEY,
  showsViews,
} from './answer_call.ts';
import { choicesOf } from './choices_of.ts';
import { askModelInPlace, asksByLink } from './client_requests.ts';
import { createEndpoint, type Endpoint, type EndpointOptions } from './endpoint.ts';
import type { Exchange, ServerOptions } from './exchange.ts';
import { fixtureServer } from './fixtures/index.ts';
import { withSessions } from './fixtures/sessions.ts';
import { ASKED_LOOK_MS, ASKED_WAIT_MS, ASKED_WAITS_MAX, MCP_COMPLETIONS_MAX } from './limits.ts';
import { findPrompt, getPrompt, type Prompt, prompts } from './prompts/prompts.ts';
import { listResources, readResource, resourceKinds } from './resources/read_resource.ts';
import type { Reader } from './resources/types.ts';
import { addTasks } from './tasks.ts';

interface Params {
  readonly name: string;
  readonly arguments?: Record<string, unknown> | undefined;
  readonly _meta?: Record<string, unknown> | undefined;
}

interface Call {
  readonly exchange: Exchange;
  readonly request: ServerContext['mcpReq'];
}

/** The link for a person, and the event to wait for. */
interface Question {
  readonly url: string;
  readonly message: string;
  readonly awaited: Awaited;
}

/** Sent by the client. It claims nothing that a client may not claim anyway, so it is not authenticated. */
const awaitedState = z.union([
  z.strictObject({ approval: z.string().max(300) }),
  z.strictObject({ payment: z.string().max(300) }),
]);
type Awaited = z.infer<typeof awaitedState>;

const KEY = 'person';

/**
 * Answers a call. If it needs a person's approval or payment and the client can open links, the person is
 * asked in the middle of it: the call waits for a while and continues. Otherwise, or without an answer, the
 * client gets the result of the call.
 * @param answer runs the call
 * @throws UrlElicitationRequiredError for clients before 2026-07-28, which send the same call again
 * afterwards
 */
async function askInPlace(
  context: PipelineContext,
  tool: AnyTool,
  params: Params,
  { exchange, request, answer }: Call & { answer(params: Params): Promise<CallToolResult> },
): Promise<CallToolResult | InputRequiredResult> {
  const way = asksByLink(exchange, request);
  if (!way) return answer(params);
  const awaited = way === 'answer' ? readState(request) : undefined;
  if (awaited) return answer(await withGivenPayment(context, params, awaited, { exchange, request }));
  const told = await answer(params);
  const question = await questionOf(context, tool, told, { params, exchange, request, way });
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

/** Undefined if a link would not help: the error stays as it is. */
async function questionOf(
  context: PipelineContext,
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
  // Before 2026-07-28 the same call is repeated unchanged, so it only finds credits in its wallet.
  const isPayable =
    wallet !== undefined || (code === 'payment_required' && !tool.steps && call.way === 'answer');
  if (!isPayable || !context.services.payments.takes) return undefined;
  const started = await startPayment(context, call, wallet ? { wallet } : { tool: tool.name });
  return started && { ...started, message: `${detail ?? ''} Pay by card to continue.`.trim() };
}

interface Told {
  readonly code?: unknown;
  readonly detail?: string;
  readonly approval?: { readonly id: string; readonly url: string; readonly credits: number };
  readonly credits?: { readonly wallet?: string };
}

/** Starts a payment like request_payment, with its limits; undefined if that is not possible now. */
async function startPayment(
  context: PipelineContext,
  { exchange, request, params }: Call & { params: Params },
  asked: { wallet: string } | { tool: string },
): Promise<Pick<Question, 'url' | 'awaited'> | undefined> {
  try {
    const caller = callerOf(exchange, request.signal, params._meta);
    const { body } = await callTool(context, 'request_payment', asked, {
      ...caller,
      idempotencyKey: undefined,
    });
    const { url, code } = body as { url?: string; code: string };
    return url === undefined ? undefined : { url, awaited: { payment: code } };
  } catch {
    return undefined;
  }
}

/** The same call with the payment or approval given meanwhile, or unchanged. */
async function withGivenPayment(
  context: PipelineContext,
  params: Params,
  awaited: Awaited,
  { exchange, request }: Call,
): Promise<Params> {
  const response = inputResponse(request.inputResponses, KEY);
  if (response.kind !== 'elicit' || response.action !== 'accept') return params;
  await untilAnswered(context, awaited, { address: exchange.peer.address, signal: request.signal });
  if ('approval' in awaited) return withMeta(params, { [APPROVAL_KEY]: awaited.approval });
  return awaited.payment.startsWith('pi_')
    ? withMeta(params, { [PAYMENT_INTENT_KEY]: awaited.payment })
    : params;
}

const withMeta = (params: Params, more: Record<string, string>): Params => ({
  ...params,
  _meta: { ...params._meta, ...more },
});

/** Calls that currently wait for a person, by address. In memory: the limit applies to each process. */
const waiting = new Map<string, number>();

/** Polls until the person has answered, within the time a client may wait. */
async function untilAnswered(
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

/** An unreadable state ends the wait; the call reports the error. */
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

/** Text of the handshake, which models read once. */
const instructions = (tools: readonly AnyTool[]): string => `${DESCRIPTION}
Paid tools: open_account creates a key with 10 credits, register_wallet does so for your own EVM address. Send the key, or the address, as payer in the arguments (also with free tools, to access a locked wallet), or as "Authorization: Bearer …" with every request. Without credits, request_payment lets a person pay. A failed call costs nothing; dry_run: true returns the price.
Images: pass https://… , upload:<id>, asset:<key> or result:<id> rather than base64. For a local file, request_upload returns a command or page that uploads it. expect_bytes and expect_sha256 reject an incomplete image. Responses include a small preview, unless include_preview is false; pass result:<id> to the next tool, or read it as atelier://results/<id>. Tools that return an image accept keep (metadata to preserve: all, rights, none) and keep_location.
Workspaces: pass workspace_id of open_workspace as workspace in the arguments to save the images and results of a call there for people to see; image fields then accept item:<number>. show_workspace lists them.
Every response has cost and next_steps; image results also have result, result_url, width, height, engine and degraded. This list is abridged: get_tool_schema has every limit and output field. Prompts combine several tools; atelier://guides/… explains how. search_tools finds a tool; errors say what to send instead. async: true makes any call a job; long calls become jobs automatically. get_job waits for them. For fewer tools, connect to /mcp?toolsets=…: ${toolsetNames(tools).join(', ')}.`;

const HOUR_MS = 3_600_000;

/**
 * The catalogue as an MCP server for one exchange. Validation, payment and limits are those of `pipeline/`.
 */
function catalogueServer(context: PipelineContext, exchange: Exchange, options: ServerOptions): Server {
  const { tools } = context.services.catalogue;
  const server = new Server(
    { ...MCP_IDENTITY, version: options.version, websiteUrl: options.publicUrl, icons: MCP_ICONS },
    {
      capabilities: MCP_CAPABILITIES,
      instructions: instructions(tools),
      cacheHints: cacheHints(exchange),
    },
  );
  server.setRequestHandler('tools/list', (_request, { mcpReq }) => {
    const described = selectTools(tools, exchange).map(describeTool);
    // The whole list is the same for every client; a filtered list is for one client only.
    return showsViews(mcpReq)
      ? { tools: described }
      : { tools: described.map(withoutView), ttlMs: HOUR_MS, cacheScope: 'private' as const };
  });
  server.setRequestHandler('tools/call', ({ params }, { mcpReq: request }) => {
    const tool = findTool(context, exchange, params.name);
    const answer = (sent: Parameters<typeof answerCall>[2]): Promise<CallToolResult> =>
      answerCall(context, tool, sent, { exchange, options, request });
    const { _meta: meta } = params;
    return traceMessage(context.telemetry, { exchange, method: 'tools/call', meta }, () =>
      askModelInPlace(params, {
        request,
        answer: (sent) => askInPlace(context, tool, sent, { exchange, request, answer }),
      }),
    );
  });
  addTasks(server, {
    context,
    callerOf: ({ signal, _meta }) => callerOf(exchange, signal, _meta),
    resultOf: (job, signal) => finishedCall(context.services, job, signal),
  });
  addReading(server, context, exchange);
  addPrompts(server, context);
  return server;
}

function addReading(server: Server, context: PipelineContext, exchange: Exchange): void {
  const readerFor = ({ mcpReq }: ServerContext): Reader => ({
    context,
    caller: callerOf(exchange, mcpReq.signal),
  });
  const resourceTemplates = resourceKinds.map(({ template }) => template);
  server.setRequestHandler('resources/list', async (_request, context) => ({
    resources: await listResources(readerFor(context)),
  }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }, context) => ({
    contents: [await readResource(uri, readerFor(context))],
  }));
}

function addPrompts(server: Server, context: PipelineContext): void {
  server.setRequestHandler('prompts/list', () => ({ prompts: prompts.map(describePrompt) }));
  server.setRequestHandler('prompts/get', ({ params }) => getPrompt(params.name, params.arguments));
  server.setRequestHandler('completion/complete', ({ params }) => complete(context, params));
}

const describePrompt = ({ name, title, description, arguments: asked }: Prompt) => ({
  name,
  title,
  description,
  arguments: asked.map(({ valuesOf: _, ...argument }) => argument),
});

function cacheHints(exchange: Exchange) {
  const cacheScope = selectsByHeader(exchange) ? ('private' as const) : ('public' as const);
  const hour = { ttlMs: HOUR_MS, cacheScope };
  return {
    'tools/list': hour,
    'resources/list': isKnown(exchange) ? { ttlMs: 0, cacheScope: 'private' as const } : hour,
    'prompts/list': hour,
    'resources/templates/list': hour,
    'server/discover': hour,
  };
}

/** An authenticated client sees its own resources besides the public ones. */
const isKnown = ({ headers, peer }: Exchange): boolean =>
  headers.has('authorization') || peer.signed !== undefined;

/** Descriptions are constant during the life of the process. */
const descriptions = new WeakMap<AnyTool, McpTool>();

function describeTool(tool: AnyTool): McpTool {
  const known = descriptions.get(tool) ?? mcpTool(tool);
  descriptions.set(tool, known);
  return known;
}

function withoutView({ _meta: { ui: _, ..._meta } = {}, ...tool }: McpTool): McpTool {
  return { ...tool, ...(Object.keys(_meta).length > 0 && { _meta }) };
}

/** @throws ProtocolError invalid params, as the protocol requires for a name that is not in tools/list */
function findTool({ services: { catalogue } }: PipelineContext, exchange: Exchange, name: string): AnyTool {
  const chosen = selectTools(catalogue.tools, exchange);
  // Results name these tools, even on a connection that selects others.
  const offered = [...chosen, ...catalogue.tools.filter(isAlwaysOffered)];
  const tool = offered.find((candidate) => candidate.name === name) ?? toolWithLetters(offered, name);
  if (tool) return tool;
  const known = catalogue.find(name);
  const message = known
    ? `The tool ${JSON.stringify(name)} is not in the toolsets of this connection. Connect with the toolset ${known.toolset ?? known.category}.`
    : noSuchTool(catalogue, name);
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, message, {
    did_you_mean: nearNames(catalogue, name),
  });
}

/**
 * The tools that a client selects, in catalogue order: `?tools=a,b` or X-MCP-Tools, `?toolsets=edit,print` or
 * X-MCP-Toolsets, `?readonly=true` or X-MCP-Readonly. Tools and toolsets add up; without either all tools are
 * offered.
 */
function selectTools(tools: readonly AnyTool[], exchange: Exchange): AnyTool[] {
  const names = readNames(exchange, 'tools');
  const sets = readNames(exchange, 'toolsets');
  const readOnly = [...readNames(exchange, 'readonly')].some((value) => value === 'true' || value === '1');
  const everything = names.size + sets.size === 0;
  return tools
    .filter((tool) => everything || names.has(tool.name) || (sets.size > 0 && isInToolsets(tool, sets)))
    .filter((tool) => !readOnly || isReadOnly(tool));
}

/** Whether two clients of one URL may see different lists, so that a shared cache must not store one. */
const selectsByHeader = ({ headers }: Exchange): boolean =>
  ['tools', 'toolsets', 'readonly'].some((name) => headers.has(`x-mcp-${name}`));

function readNames({ url, headers }: Exchange, name: string): Set<string> {
  const texts = [...url.searchParams.getAll(name), headers.get(`x-mcp-${name}`) ?? ''];
  return new Set(
    texts
      .join(',')
      .split(',')
      .map((item) => item.trim().toLowerCase())
      .filter(Boolean),
  );
}

interface Message {
  readonly exchange: Exchange;
  readonly method: string;
  /** As sent by the client. */
  readonly meta: Record<string, unknown> | undefined;
}

/**
 * Handles a message within the trace that its client names in `_meta`, if no header names one. Trusted
 * clients as for `traceRequests`; for others the message belongs to the trace of its request.
 */
function traceMessage<T>(
  tracing: Pick<Tracing, 'enter'>,
  { exchange: { headers, peer }, method, meta = {} }: Message,
  work: () => Promise<T>,
): Promise<T> {
  const { traceparent, tracestate } = meta;
  if (typeof traceparent !== 'string' || headers.has('traceparent') || isPublicAddress(peer.address))
    return work();
  const state = typeof tracestate === 'string' ? { tracestate } : {};
  const from = { traceparent, ...state, isTrusted: true, by: 'request' } as const;
  return tracing.enter(from, method, { 'mcp.method.name': method }, work);
}

type Reference = { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string };
interface CompleteOptions {
  readonly ref: Reference;
  readonly argument: { readonly name: string; readonly value: string };
}

/**
 * Values that begin with the typed text, then those that contain it. @throws ProtocolError for an unknown
 * prompt or template
 */
function complete(context: PipelineContext, { ref, argument }: CompleteOptions): CompleteResult {
  const typed = argument.value.toLowerCase();
  const values = valuesFor(context, ref, argument.name);
  const begin = values.filter((value) => value.toLowerCase().startsWith(typed));
  const hold = values.filter((value) => !begin.includes(value) && value.toLowerCase().includes(typed));
  const found = [...begin, ...hold];
  const shown = found.slice(0, MCP_COMPLETIONS_MAX);
  return { completion: { values: shown, total: found.length, hasMore: found.length > shown.length } };
}

function valuesFor(context: PipelineContext, ref: Reference, argument: string): readonly string[] {
  if (ref.type === 'ref/prompt') {
    const known = findPrompt(ref.name).arguments.find(({ name }) => name === argument);
    const tool = known?.valuesOf && context.services.catalogue.find(known.valuesOf[0]);
    return tool && known?.valuesOf ? choicesOf(tool, known.valuesOf[1]) : [];
  }
  const kind = resourceKinds.find(({ template }) => template.uriTemplate === ref.uri);
  if (!kind) {
    const message = `Unknown template ${JSON.stringify(ref.uri.slice(0, 200))}. Call resources/templates/list for valid ones.`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  }
  return kind.values?.(argument, context) ?? [];
}

export interface McpOptions extends EndpointOptions, ServerOptions {}

/**
 * The catalogue over MCP, for every revision of the protocol. `request.signal` must fire when the client
 * disconnects.
 * Responses never have status 401 or 402: the result of the call says what is missing.
 */
export const createMcp = (context: PipelineContext, options: McpOptions): Endpoint =>
  createEndpoint((exchange) => catalogueServer(context, exchange, options), {
    ...options,
    refuse: (exchange) => unknownToolset(context.services.catalogue.tools, readNames(exchange, 'toolsets')),
    onRefusal: (refusal, { requestId, address }) =>
      context.audit.recordRefusal({ ...refusal, about: 'mcp', requestId, address }),
  });

/**
 * The tools, resources and prompts that the official conformance suites use, behind the same transport. Tests
 * only.
 */
export const createMcpFixtures = (options: EndpointOptions): Endpoint =>
  withSessions(createEndpoint(fixtureServer, options), fixtureServer, options);
