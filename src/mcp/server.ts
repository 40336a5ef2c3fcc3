import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
} from '@modelcontextprotocol/server';
import type { CallKit } from '../call/kit.ts';
import { DESCRIPTION } from '../catalogue/about.ts';
import { MCP_CAPABILITIES, MCP_IDENTITY } from '../catalogue/mcp_card.ts';
import { type McpTool, mcpTool } from '../catalogue/mcp_tools.ts';
import { nearNames, noSuchTool } from '../catalogue/unknown_tool.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import { isReadOnly } from '../tools/is_read_only.ts';
import { highestPrice } from '../tools/price.ts';
import type { AnyTool } from '../tools/tool.ts';
import { answerCall } from './answer_call.ts';
import type { Exchange, ServerOptions } from './exchange.ts';
import { RESULT_TEMPLATE, readResult } from './result_resource.ts';

const INSTRUCTIONS = `${DESCRIPTION}
Paid tools: call register_wallet with an EVM address (free, brings 10 credits), then send "Authorization: Bearer <address>" with every request. A failed call costs nothing; dry_run: true tells the price.
Pictures: pass https://… , upload:<id> (POST /api/uploads), asset:<key> or result:<id> rather than base64. Answers carry a small preview and result_url; result:<id> goes into the next tool, or is read as atelier://results/<id>.
search_tools finds a tool; an error says what to send instead.`;

const HOUR_MS = 3_600_000;

/** The catalogue as an MCP server for one exchange. Checking, payment and limits are those of `call/`. */
export function catalogueServer(kit: CallKit, exchange: Exchange, options: ServerOptions): Server {
  const { tools } = kit.services.catalogue;
  const server = new Server(
    { ...MCP_IDENTITY, version: options.version, websiteUrl: options.publicUrl },
    {
      capabilities: MCP_CAPABILITIES,
      instructions: INSTRUCTIONS,
      cacheHints: cacheHints(exchange),
    },
  );
  server.setRequestHandler('tools/list', () => ({ tools: selectTools(tools, exchange).map(describeTool) }));
  server.setRequestHandler('tools/call', ({ params }, context): Promise<CallToolResult> => {
    const tool = findTool(kit, exchange, params.name);
    return answerCall(kit, tool, params, { exchange, options, request: context.mcpReq });
  });
  server.setRequestHandler('resources/list', () => ({ resources: [] }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [RESULT_TEMPLATE] }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    try {
      return { contents: [await readResult(kit.services.results, uri)] };
    } catch (error) {
      if (!(error instanceof AtelierError)) throw error;
      if (error.status === 404) throw new ResourceNotFoundError(uri, error.message);
      const { code, message, details } = error;
      const isOurs = error.status >= 500;
      throw new ProtocolError(
        isOurs ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams,
        message,
        { code, retry_after_s: details.retryAfterSeconds, ...details.members },
      );
    }
  });
  return server;
}

function cacheHints(exchange: Exchange) {
  const cacheScope = selectsByHeader(exchange) ? ('private' as const) : ('public' as const);
  const hour = { ttlMs: HOUR_MS, cacheScope };
  return {
    'tools/list': hour,
    'resources/list': hour,
    'resources/templates/list': hour,
    'server/discover': hour,
  };
}

/** Descriptions never change while the process lives. */
const descriptions = new WeakMap<AnyTool, McpTool>();

function describeTool(tool: AnyTool): McpTool {
  const known = descriptions.get(tool) ?? mcpTool(tool);
  descriptions.set(tool, known);
  return known;
}

/** @throws ProtocolError invalid params, as the protocol wants it for a name that is not in tools/list */
function findTool({ services: { catalogue } }: CallKit, exchange: Exchange, name: string): AnyTool {
  const offered = selectTools(catalogue.tools, exchange);
  const tool = offered.find((candidate) => candidate.name === name);
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

const isFreeIn = (sets: Set<string>, tool: AnyTool): boolean =>
  sets.has('free') && highestPrice(tool.price) === 0;
