import {
  createMcpHandler,
  isLegacyRequest,
  type McpServer,
  type Server,
  type ServerNotifier,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { AtelierError, type ErrorCode } from '../../core/errors/atelier_error.ts';
import { isAllowedOrigin, type KnownOrigins } from '../../pipeline/admission.ts';
import { parseBody } from '../../pipeline/request_json.ts';
import { sessionOf } from './client_requests.ts';
import type { Exchange, Peer } from './exchange.ts';
import { MCP_BATCH_MAX, MCP_SUBSCRIPTIONS_MAX } from './limits.ts';

export type Endpoint = (request: Request, peer: Peer) => Promise<Response>;

/** Builds the server for one exchange. `notifier` reaches the open subscriptions of this endpoint. */
export type BuildServer = (exchange: Exchange, notifier: ServerNotifier) => McpServer | Server;

export interface EndpointOptions extends KnownOrigins {
  /** The reason why no message of this request can be answered, for the client; undefined if they can. */
  refuse?(exchange: Exchange): string | undefined;
  /** Called for requests that are refused before any message is read. */
  onRefusal?(refusal: { code: ErrorCode; status: number; detail: string }, peer: Peer): void;
}

/**
 * Serves every revision of the protocol at one address and without sessions. A client that accepts
 * text/event-stream gets a stream, every other plain JSON, whatever else its Accept header says: refusing a
 * plain POST is the most common complaint about MCP servers.
 */
export function createEndpoint(build: BuildServer, options: EndpointOptions): Endpoint {
  const exchanges = new WeakMap<Request, Exchange>();
  const modern = createMcpHandler(
    ({ requestInfo }) => build(exchangeOf(exchanges, requestInfo), modern.notify),
    { legacy: 'reject', maxSubscriptions: MCP_SUBSCRIPTIONS_MAX },
  );

  return async (request, peer) => {
    const origin = request.headers.get('origin');
    if (origin !== null && !isAllowedOrigin(origin, options)) {
      const detail = `Origin ${origin} is not allowed.`;
      options.onRefusal?.({ code: 'forbidden_origin', status: 403, detail }, peer);
      return rpcError(403, -32600, detail);
    }
    if (request.method !== 'POST') {
      return rpcError(405, -32600, 'Send JSON-RPC messages with POST.', { Allow: 'POST' });
    }
    return answer(request, peer);
  };

  async function answer(request: Request, peer: Peer): Promise<Response> {
    const body = await readMessage(request, peer);
    if (body instanceof Response) return body;
    if (Array.isArray(body) && body.length > MCP_BATCH_MAX) {
      const detail = `The batch has ${body.length} messages. The limit is ${MCP_BATCH_MAX}.`;
      options.onRefusal?.({ code: 'payload_too_large', status: 413, detail }, peer);
      return rpcError(413, -32600, detail);
    }
    if (Array.isArray(body)) await peer.countMore(body.length - 1);
    const exchange = describeExchange(request, peer);
    const refused = options.refuse?.(exchange);
    if (refused !== undefined) {
      options.onRefusal?.({ code: 'invalid_input', status: 400, detail: refused }, peer);
      return rpcError(400, -32602, refused);
    }
    const message = asSdkExpects(request);
    if (await isLegacyRequest(message, body)) {
      const response = await serveOnce(build(exchange, modern.notify), message, body, exchange.acceptsEvents);
      return withHeaders(response, sessionOf(body));
    }
    exchanges.set(message, exchange);
    return modern.fetch(message, { parsedBody: body });
  }
}

function withHeaders(response: Response, more: Record<string, string>): Response {
  for (const [name, value] of Object.entries(more)) response.headers.set(name, value);
  return response;
}

function exchangeOf(exchanges: WeakMap<Request, Exchange>, request: Request | undefined): Exchange {
  const exchange = request && exchanges.get(request);
  if (!exchange) throw new Error('the protocol library requested a server outside a request');
  return exchange;
}

/** The parsed body, or the response that refuses it. */
async function readMessage(request: Request, peer: Peer): Promise<unknown> {
  if (!isJson(request.headers.get('content-type'))) {
    return rpcError(415, -32600, 'Send one JSON-RPC message with Content-Type: application/json.');
  }
  try {
    return parseBody(await peer.readBody());
  } catch (error) {
    if (error instanceof SyntaxError) return rpcError(400, -32700, 'Parse error: the body is not JSON.');
    if (!(error instanceof AtelierError) || error.status !== 413) throw error;
    return rpcError(413, -32600, error.message, error.details.headers);
  }
}

/**
 * Agents often omit the type or send text, and `curl -d` sets the form type. The Origin check restricts what
 * pages may send.
 */
const isJson = (contentType: string | null): boolean =>
  contentType === null ||
  /^(application\/([\w.-]+\+)?json|text\/plain|application\/x-www-form-urlencoded)\s*(;|$)/i.test(
    contentType,
  );

const describeExchange = (request: Request, peer: Peer): Exchange => ({
  peer,
  url: new URL(request.url),
  headers: request.headers,
  acceptsEvents: /text\/event-stream/i.test(request.headers.get('accept') ?? ''),
});

/** The library requires both media types in Accept; the form of the response is decided here instead. */
function asSdkExpects(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.set('accept', 'application/json, text/event-stream');
  headers.set('content-type', 'application/json');
  return new Request(request.url, { method: 'POST', headers, signal: request.signal });
}

/** A JSON-RPC error as an HTTP response, for requests refused before there is a message to answer. */
function rpcError(
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers });
}

/**
 * Answers one message of a revision before 2026-07-28. No state outlives the exchange, so a disconnected
 * client can never collect its result: its call is stopped, and a stopped call costs nothing.
 * notifications/cancelled arrives in another request and names only a number that every client starts at 0,
 * so it is accepted and ignored.
 */
async function serveOnce(
  server: McpServer | Server,
  request: Request,
  body: unknown,
  asEvents: boolean,
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: !asEvents,
  });
  await server.connect(transport);
  const stop = () => void server.close().catch(() => {});
  const gone = Promise.withResolvers<Response>();
  const leave = () => {
    stop();
    gone.resolve(new Response(null, { status: 499 }));
  };
  request.signal.addEventListener('abort', leave, { once: true });
  const response = await Promise.race([transport.handleRequest(request, { parsedBody: body }), gone.promise]);
  const isStream = response.headers.get('content-type') === 'text/event-stream';
  return isStream && response.body ? watchBody(response, response.body, stop) : response;
}

/** The same stream; `onCancel` runs if the reader cancels it before its end. */
function watchBody(response: Response, body: ReadableStream<Uint8Array>, onCancel: () => void): Response {
  const reader = body.getReader();
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel(reason) {
      onCancel();
      await reader.cancel(reason);
    },
  });
  return new Response(stream, { status: response.status, headers: response.headers });
}
