import { ConnectionError, readEvents } from '@atelier/client/transport.ts';
import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/server';
import type { ServerAddress } from './own_server.ts';

export type Params = Record<string, unknown>;

/** The response to a request: its result, or its error. */
export type Answer = JSONRPCMessage & {
  readonly id?: unknown;
  readonly result?: Params;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
};

interface Sending {
  readonly signal: AbortSignal;
  /** Receives messages that the server sends before its response, such as progress. */
  onMessage?(message: JSONRPCMessage): void;
}

export interface Upstream {
  /** @throws ConnectionError if no response arrives; AbortError */
  request(message: JSONRPCRequest, sending: Sending): Promise<Answer>;
  /** Sends a notification. It has no response, and a failure is not reported. */
  notify(message: JSONRPCMessage, signal: AbortSignal): Promise<void>;
  /** Any request of the server's HTTP interface, with the same credentials. @throws ConnectionError */
  fetch(path: string, init: RequestInit & { readonly signal: AbortSignal }): Promise<Response>;
}

const VERSION_META = 'io.modelcontextprotocol/protocolVersion';
/** Parameters that the header Mcp-Name repeats, by method. */
const NAME_PARAMS: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/**
 * The MCP endpoint of a server over HTTP. Every message is a separate request, so the state of the connection
 * is sent with each: the negotiated revision of the protocol, the session, and the name of the client.
 */
export function createUpstream(server: ServerAddress, bearer: string | undefined): Upstream {
  const own: Record<string, string> = bearer ? { Authorization: `Bearer ${bearer}` } : {};
  const agreed: Record<string, string> = {};

  async function reach(path: string, init: RequestInit & { signal: AbortSignal }): Promise<Response> {
    for (let attempt = 1; ; attempt += 1) {
      const address = await server.find();
      try {
        return await fetch(address + path, init);
      } catch (error) {
        if (init.signal.aborted) throw error;
        server.forget(address);
        const code = (error as { cause?: { code?: string } }).cause?.code;
        // A refused connection has transmitted nothing, so the retry does not repeat a call.
        if (code === 'ECONNREFUSED' && attempt < 3) continue;
        const reason = code ?? (error as Error).message;
        throw new ConnectionError(`The connection to ${address} failed (${reason}).`, { cause: error });
      }
    }
  }

  const post = (message: JSONRPCMessage, signal: AbortSignal): Promise<Response> =>
    reach('/mcp', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...own,
        ...agreed,
        ...headersOf(message),
      },
      body: JSON.stringify(message),
      signal,
    });

  return {
    async request(message, { signal, onMessage }) {
      const { method, params } = message;
      const isOpening = method === 'initialize';
      if (isOpening) {
        for (const name of Object.keys(agreed)) delete agreed[name];
        const client = (params as { clientInfo?: { name?: unknown } } | undefined)?.clientInfo?.name;
        if (typeof client === 'string') agreed['User-Agent'] = headerText(client.slice(0, 200));
      }
      const response = await post(message, signal);
      const answer = await answerOf(response, message.id, onMessage);
      if (isOpening && answer.result) {
        const session = response.headers.get('mcp-session-id');
        if (session) agreed['Mcp-Session-Id'] = session;
        agreed['MCP-Protocol-Version'] = String(answer.result.protocolVersion);
      }
      return answer;
    },
    async notify(message, signal) {
      const response = await post(message, signal).catch(() => undefined);
      await response?.body?.cancel();
    },
    fetch: (path, init) => reach(path, { ...init, headers: { ...own, ...init.headers } }),
  };
}

/** Values that revision 2026-07-28 repeats in headers. Earlier revisions have no such parameter. */
function headersOf(message: JSONRPCMessage): Record<string, string> {
  const { method, params } = message as { method?: string; params?: Params };
  const version = (params?._meta as Params | undefined)?.[VERSION_META];
  if (method === undefined || typeof version !== 'string') return {};
  const name = params?.[NAME_PARAMS[method] ?? ''];
  return {
    'MCP-Protocol-Version': headerText(version),
    'Mcp-Method': headerText(method),
    ...(typeof name === 'string' && { 'Mcp-Name': headerText(name) }),
  };
}

/** The encoding of the protocol for text that is not a valid header value: base64 of its UTF-8. */
const headerText = (text: string): string =>
  /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?')
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`;

/** Reads the response; earlier messages of a stream go to `onMessage`. @throws ConnectionError */
async function answerOf(
  response: Response,
  id: JSONRPCRequest['id'],
  onMessage: Sending['onMessage'],
): Promise<Answer> {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream') && response.body) {
    for await (const { data } of readEvents(response.body)) {
      if (data === '') continue;
      const message = JSON.parse(data) as Answer;
      if (message.id === id && !('method' in message)) return message;
      onMessage?.(message);
    }
    throw new ConnectionError('The connection closed before the response arrived. Send the same call again.');
  }
  const text = await response.text();
  try {
    const message = JSON.parse(text) as Answer;
    // A message refused before it was parsed has no id.
    if (message.jsonrpc === '2.0') return { ...message, id } as Answer;
    const detail = (message as { detail?: unknown }).detail;
    return failed(id, typeof detail === 'string' ? detail : `The server answered ${response.status}.`);
  } catch {
    throw new ConnectionError(
      `The server returned ${response.status} without JSON. Check that Atelier runs at this URL.`,
    );
  }
}

/** A result as a response; revision 2026-07-28 requires a member that says so. */
export const completed = ({ id, params }: JSONRPCRequest, result: Params): Answer => {
  const isModern = (params?._meta as Params | undefined)?.[VERSION_META] !== undefined;
  return { jsonrpc: '2.0', id, result: { ...(isModern && { resultType: 'complete' }), ...result } };
};

/** An error as a response: internal error of JSON-RPC. */
export const failed = (id: JSONRPCRequest['id'], message: string): Answer =>
  ({ jsonrpc: '2.0', id, error: { code: -32603, message } }) as Answer;
