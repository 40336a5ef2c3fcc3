import { highestPrice, usd } from '../features/definitions/price.ts';
import type { AnyContract } from '../features/definitions/tool.ts';
import { DESCRIPTION } from './about.ts';
import { freeDetectors } from './free_detectors.ts';
import { MCP_NAMESPACE, toolsetNames, VIEWS_EXTENSION } from './mcp_tools.ts';

type Json = Record<string, unknown>;

export interface CardContext {
  readonly publicUrl: string;
  readonly version: string;
}

/** Server identity, in the MCP handshake and in every document. */
export const MCP_IDENTITY = { name: 'atelier', title: 'Atelier' } as const;

const DRAWING =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#22302b"/><path d="M8 25 16 7l8 18M11 19h10" fill="none" stroke="#f4efe4" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>';

/** Icons of the server, sent on connection. Tools have none: the tool list takes up model context. */
export const MCP_ICONS = [
  {
    src: `data:image/svg+xml;base64,${Buffer.from(DRAWING).toString('base64')}`,
    mimeType: 'image/svg+xml',
    sizes: ['any'],
  },
];

/** Jobs as tasks (SEP-2663), for clients that declare it. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** MCP capabilities, in documents and in the handshake. */
export const MCP_CAPABILITIES = {
  tools: {},
  resources: {},
  extensions: { [VIEWS_EXTENSION]: {}, [TASKS_EXTENSION]: {} },
  prompts: {},
  completions: {},
  logging: {},
} as const;

/** Newest first. */
export const PROTOCOL_VERSIONS = [
  '2026-07-28',
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
] as const;

/** The server card: identity and URL without tools, as in its schema. Served as application/mcp-server-card+json. */
export function serverCard({ publicUrl, version }: CardContext): Json {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${MCP_NAMESPACE}/${MCP_IDENTITY.name}`,
    title: MCP_IDENTITY.title,
    version,
    description: DESCRIPTION,
    websiteUrl: publicUrl,
    remotes: [
      {
        type: 'streamable-http',
        url: `${publicUrl}/mcp`,
        supportedProtocolVersions: PROTOCOL_VERSIONS,
        headers: [
          {
            name: 'Authorization',
            description: 'Optional: "Bearer <wallet address>", for paid tools.',
            isRequired: false,
            isSecret: true,
          },
        ],
      },
    ],
  };
}

/** /.well-known/mcp.json: the card and, for crawlers of older proposals, transport, capabilities and tools. */
export function mcpJson(tools: readonly AnyContract[], context: CardContext): Json {
  const { publicUrl, version } = context;
  return {
    ...serverCard(context),
    protocolVersion: PROTOCOL_VERSIONS[0],
    supportedProtocolVersions: PROTOCOL_VERSIONS,
    serverInfo: { ...MCP_IDENTITY, version },
    transport: { type: 'streamable-http', endpoint: '/mcp', url: `${publicUrl}/mcp` },
    endpoint: `${publicUrl}/mcp`,
    capabilities: MCP_CAPABILITIES,
    authentication: { required: false, schemes: ['bearer-wallet', 'payment-intent'] },
    tools: tools.map(toolEntry),
    toolsets: toolsetNames(tools),
    ai_detectors: freeDetectors(tools).map(({ name }) => `${publicUrl}/api/tools/${name}`),
    openapi: `${publicUrl}/openapi.json`,
    pricing: `${publicUrl}/pricing.json`,
    llms: `${publicUrl}/llms.txt`,
    server_card: `${publicUrl}/mcp/server-card`,
  };
}

const AGENT_CARD_TYPE = 'application/a2a-agent-card+json';

/** /.well-known/ai-catalog.json: locations of the server card and the agent card. Its two drafts name the media type differently. */
export function aiCatalog({ publicUrl }: CardContext): Json {
  const mediaType = 'application/mcp-server-card+json';
  return {
    specVersion: '1.0',
    entries: [
      {
        identifier: `urn:air:${new URL(publicUrl).host}:mcp:${MCP_IDENTITY.name}`,
        displayName: MCP_IDENTITY.title,
        type: mediaType,
        mediaType,
        url: `${publicUrl}/mcp/server-card`,
      },
      {
        identifier: `urn:air:${new URL(publicUrl).host}:agent:${MCP_IDENTITY.name}`,
        displayName: MCP_IDENTITY.title,
        type: AGENT_CARD_TYPE,
        mediaType: AGENT_CARD_TYPE,
        url: `${publicUrl}/.well-known/agent-card.json`,
      },
    ],
  };
}

/** `cost` is the maximum price of a call. */
function toolEntry({ name, title, summary, category, price }: AnyContract): Json {
  const credit = highestPrice(price);
  return {
    name,
    title,
    description: summary,
    category,
    cost: { credit, usd: usd(credit) },
    endpoint: `POST /api/tools/${name}`,
  };
}
