import { highestPrice } from '../features/definitions/price.ts';
import type { AnyContract } from '../features/definitions/tool.ts';
import { DESCRIPTION } from './about.ts';
import { type CardContext, MCP_IDENTITY, PROTOCOL_VERSIONS } from './mcp_card.ts';
import { creditsText } from './next_steps.ts';

/** The binding of MCP over HTTP. Bindings that A2A does not define are identified by a URL. */
const MCP_BINDING = 'https://modelcontextprotocol.io/specification/2026-07-28/basic/transports';
const OPENAPI_BINDING = 'https://spec.openapis.org/oas/v3.0.3';

/**
 * /.well-known/agent-card.json, in the format of A2A 1.0: capabilities and URLs of this server. It implements
 * no binding of A2A, so its interfaces are MCP and REST, and a client that supports only A2A finds none.
 */
export function agentCard(tools: readonly AnyContract[], { publicUrl, version }: CardContext) {
  return {
    name: MCP_IDENTITY.title,
    description: `${DESCRIPTION} Interfaces: MCP and REST. A2A methods are not supported.`,
    version,
    supportedInterfaces: [
      { url: `${publicUrl}/mcp`, protocolBinding: MCP_BINDING, protocolVersion: PROTOCOL_VERSIONS[0] },
      { url: `${publicUrl}/openapi.json`, protocolBinding: OPENAPI_BINDING, protocolVersion: '3.0.3' },
    ],
    documentationUrl: `${publicUrl}/llms.txt`,
    capabilities: { streaming: false, pushNotifications: false },
    defaultInputModes: ['application/json'],
    defaultOutputModes: ['application/json'],
    securitySchemes: {
      wallet: {
        httpAuthSecurityScheme: {
          scheme: 'Bearer',
          description: 'Optional, for paid tools: a wallet address or a key.',
        },
      },
    },
    skills: tools.map(skillOf),
  };
}

function skillOf({ name, title, summary, category, toolset, price }: AnyContract) {
  const credits = highestPrice(price);
  const cost =
    price.kind === 'steps' ? 'price is the sum of its steps' : credits > 0 ? creditsText(credits) : 'free';
  const tags = [category, ...(toolset && toolset !== 'always' ? [toolset] : [])];
  return { id: name, name: title, description: `${summary} Cost: ${cost}.`, tags };
}
