import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { DESCRIPTION } from '../../catalog/about.ts';
import { MCP_CAPABILITIES, MCP_ICONS, MCP_IDENTITY } from '../../catalog/mcp_card.ts';
import { type McpTool, mcpTool } from '../../catalog/mcp_tools.ts';
import { toolWithLetters } from '../../catalog/tool_with_letters.ts';
import { nearNames, noSuchTool } from '../../catalog/unknown_tool.ts';
import { isReadOnly } from '../../features/definitions/is_read_only.ts';
import { isFree } from '../../features/definitions/price.ts';
import type { AnyTool } from '../../features/definitions/tool.ts';
import type { PipelineContext } from '../../pipeline/types.ts';
import { answerCall } from './answer_call.ts';
import { askInPlace } from './ask_in_place.ts';
import { callerOf } from './caller_of.ts';
import { complete } from './complete.ts';
import type { Exchange, ServerOptions } from './exchange.ts';
import { getPrompt } from './prompts/get_prompt.ts';
import { prompts } from './prompts/prompts.ts';
import type { Prompt } from './prompts/types.ts';
import { listResources, readResource } from './resources/read_resource.ts';
import { resourceKinds } from './resources/resource_kinds.ts';
import type { Reader } from './resources/types.ts';
import { showsViews } from './shows_views.ts';
import { traceMessage } from './trace_message.ts';

const INSTRUCTIONS = `${DESCRIPTION}
Paid tools: call register_wallet with an EVM address (free, brings 10 credits), then send payer: "<address>" beside the arguments, or "Authorization: Bearer <address>" with every request. Without a wallet or credits, request_payment has a person pay. A failed call costs nothing; dry_run: true tells the price.
Pictures: pass https://… , upload:<id>, asset:<key> or result:<id> rather than base64. A file on the person's machine: request_upload answers a command or page that brings it here. Beside any picture, expect_bytes and expect_sha256 refuse one that broke off. Answers carry a small preview; result:<id> goes into the next tool, or is read as atelier://results/<id>.
Every answer has cost and next_steps; a picture also result, result_url, width, height, engine and degraded. The list is short: get_tool_schema has every bound and output field. Prompts lead through several tools; atelier://guides/… says how. search_tools finds a tool; an error says what to send instead.`;

const HOUR_MS = 3_600_000;

/** The catalogue as an MCP server for one exchange. Checking, payment and limits are those of `pipeline/`. */
export function catalogueServer(kit: PipelineContext, exchange: Exchange, options: ServerOptions): Server {
  const { tools } = kit.services.catalogue;
  const server = new Server(
    { ...MCP_IDENTITY, version: options.version, websiteUrl: options.publicUrl, icons: MCP_ICONS },
    {
      capabilities: MCP_CAPABILITIES,
      instructions: INSTRUCTIONS,
      cacheHints: cacheHints(exchange),
    },
  );
  server.setRequestHandler('tools/list', (_request, { mcpReq }) => {
    const described = selectTools(tools, exchange).map(describeTool);
    // The whole list serves everybody; what was left out for one client is for that client alone.
    return showsViews(mcpReq)
      ? { tools: described }
      : { tools: described.map(withoutView), ttlMs: HOUR_MS, cacheScope: 'private' as const };
  });
  server.setRequestHandler('tools/call', ({ params }, { mcpReq: request }) => {
    const tool = findTool(kit, exchange, params.name);
    const answer = (sent: Parameters<typeof answerCall>[2]): Promise<CallToolResult> =>
      answerCall(kit, tool, sent, { exchange, options, request });
    const { _meta: meta } = params;
    return traceMessage(kit.telemetry, { exchange, method: 'tools/call', meta }, () =>
      askInPlace(kit, tool, params, { exchange, request, answer }),
    );
  });
  addReading(server, kit, exchange);
  addPrompts(server, kit);
  return server;
}

function addReading(server: Server, kit: PipelineContext, exchange: Exchange): void {
  const readerFor = ({ mcpReq }: ServerContext): Reader => ({
    kit,
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

function addPrompts(server: Server, kit: PipelineContext): void {
  server.setRequestHandler('prompts/list', () => ({ prompts: prompts.map(describePrompt) }));
  server.setRequestHandler('prompts/get', ({ params }) => getPrompt(params.name, params.arguments));
  server.setRequestHandler('completion/complete', ({ params }) => complete(kit, params));
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

/** Whoever says who they are is shown what is theirs beside what is everybody's. */
const isKnown = ({ headers, peer }: Exchange): boolean =>
  headers.has('authorization') || peer.signed !== undefined;

/** Descriptions never change while the process lives. */
const descriptions = new WeakMap<AnyTool, McpTool>();

function describeTool(tool: AnyTool): McpTool {
  const known = descriptions.get(tool) ?? mcpTool(tool);
  descriptions.set(tool, known);
  return known;
}

function withoutView({ _meta: { ui: _, ..._meta } = {}, ...tool }: McpTool): McpTool {
  return { ...tool, ...(Object.keys(_meta).length > 0 && { _meta }) };
}

/** @throws ProtocolError invalid params, as the protocol wants it for a name that is not in tools/list */
function findTool({ services: { catalogue } }: PipelineContext, exchange: Exchange, name: string): AnyTool {
  const offered = selectTools(catalogue.tools, exchange);
  const tool = offered.find((candidate) => candidate.name === name) ?? toolWithLetters(offered, name);
  if (tool) return tool;
  const message = catalogue.find(name)
    ? `The tool ${JSON.stringify(name)} exists, but this connection has chosen other tools.`
    : noSuchTool(catalogue, name);
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, message, {
    did_you_mean: nearNames(catalogue, name),
  });
}

/**
 * The part of the catalogue a client asked for, in catalogue order: `?tools=a,b` or X-MCP-Tools, `?toolsets=creative`
 * or X-MCP-Toolsets (a category, `free` or `all`), `?readonly=true` or X-MCP-Readonly. Tools and toolsets add up;
 * without either all tools are offered.
 */
function selectTools(tools: readonly AnyTool[], exchange: Exchange): AnyTool[] {
  const names = readNames(exchange, 'tools');
  const sets = readNames(exchange, 'toolsets');
  const readOnly = [...readNames(exchange, 'readonly')].some((value) => value === 'true' || value === '1');
  const everything = names.size + sets.size === 0 || sets.has('all');
  return tools
    .filter((tool) => everything || names.has(tool.name) || sets.has(tool.category) || isFreeIn(sets, tool))
    .filter((tool) => !readOnly || isReadOnly(tool));
}

/** True when two clients at the same address may see different lists, so a shared cache must not keep one. */
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

const isFreeIn = (sets: Set<string>, tool: AnyTool): boolean => sets.has('free') && isFree(tool.price);
