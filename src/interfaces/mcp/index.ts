import type { PipelineContext } from '../../pipeline/types.ts';
import { createEndpoint, type Endpoint, type EndpointOptions } from './endpoint.ts';
import type { ServerOptions } from './exchange.ts';
import { fixtureServer } from './fixtures/index.ts';
import { catalogueServer } from './server.ts';

export interface McpOptions extends EndpointOptions, ServerOptions {}

/**
 * The catalogue over MCP, for every revision of the protocol. `request.signal` must fire when the client has gone.
 * Answers never have status 401 or 402: what a caller lacks is told in the result of the call.
 */
export const createMcp = (kit: PipelineContext, options: McpOptions): Endpoint =>
  createEndpoint((exchange) => catalogueServer(kit, exchange, options), {
    ...options,
    onRefusal: (refusal, { requestId, address }) =>
      kit.audit.recordRefusal({ ...refusal, about: 'mcp', requestId, address }),
  });

/** The tools, resources and prompts the official conformance suites ask for, behind the same transport. Tests only. */
export const createMcpFixtures = (options: EndpointOptions): Endpoint =>
  createEndpoint(fixtureServer, options);
