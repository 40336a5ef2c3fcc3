import { EventSourceParserStream } from 'eventsource-parser/stream';
import { UsageError } from './usage_error.ts';

/** A server to call: far away, on this machine, or opened inside this process. */
export interface Connection {
  readonly baseUrl: string;
  /** Only of an app inside this process. */
  readonly here?: {
    /** What the user should know about where the call runs. */
    readonly note: string;
    /** Answers a tool that reads nothing but the list of tools, for which no app need be opened. */
    readCatalogue(tool: string, input: Body): Promise<Reply>;
  };
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

export interface ToolCall {
  /** Address, session or key. */
  readonly bearer?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Asks for a job; the answer is its 202 then. */
  readonly isAsync?: boolean | undefined;
  onProgress?(fraction: number, message: string): void;
}

export type Body = Record<string, unknown>;

export interface Reply {
  readonly status: number;
  readonly body: Body;
}

/** The call did not come to an answer of the service. */
export class ConnectionError extends Error {}

/** Calls a tool and follows its progress. @throws ConnectionError when no answer of the service arrives */
export async function callTool(
  { baseUrl, fetch }: Connection,
  tool: string,
  input: Body,
  { bearer, signal, isAsync, onProgress }: ToolCall = {},
): Promise<Reply> {
  const request = new Request(`${baseUrl}/api/tools/${encodeURIComponent(tool)}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'text/event-stream, application/json',
      ...authorization(bearer),
      ...(isAsync && { Prefer: 'respond-async' }),
    },
    body: JSON.stringify(input),
    ...(signal && { signal }),
  });
  const response = await requireReached(fetch(request), baseUrl);
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') && response.body;
  return isStream
    ? finalReply(response.body, onProgress)
    : { status: response.status, body: await jsonOf(response, baseUrl) };
}

/** Asks one of the tools that read nothing but the list of tools. */
export const readCatalogue = (connection: Connection, tool: string, input: Body): Promise<Reply> =>
  connection.here ? connection.here.readCatalogue(tool, input) : callTool(connection, tool, input);

/** Asks for something that is read, or with DELETE ended. @throws ConnectionError when no answer of the service arrives */
export async function getJson(
  { baseUrl, fetch }: Connection,
  path: string,
  { bearer, signal, method = 'GET' }: Pick<ToolCall, 'bearer' | 'signal'> & { method?: 'GET' | 'DELETE' },
): Promise<Reply> {
  const request = new Request(baseUrl + path, {
    method,
    headers: authorization(bearer),
    ...(signal && { signal }),
  });
  const response = await requireReached(fetch(request), baseUrl);
  return { status: response.status, body: await jsonOf(response, baseUrl) };
}

/** The wallet a session or key proves. @throws ConnectionError; UsageError for a token the server does not know */
export async function walletOf(connection: Connection, token: string): Promise<string> {
  const { wallet, detail } = (await getJson(connection, '/api/wallet', { bearer: token })).body;
  if (typeof wallet === 'string') return wallet;
  throw new UsageError(`The token of --wallet (or ATELIER_WALLET) proves no wallet. ${detail ?? ''}`.trim());
}

function authorization(bearer: string | undefined): Record<string, string> {
  if (!bearer) return {};
  if (/^[\x21-\x7e]{1,200}$/.test(bearer)) return { Authorization: `Bearer ${bearer}` };
  throw new UsageError(
    '--wallet must be a wallet address (0x and 40 hex digits), or a session or key of one (atl_…).',
  );
}

async function requireReached(response: Promise<Response>, baseUrl: string): Promise<Response> {
  try {
    return await response;
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error;
    const reason = (error as { cause?: { code?: string } }).cause?.code ?? (error as Error).message;
    throw new ConnectionError(
      `No server answers at ${baseUrl} (${reason}). Start one with "atelier start", or name another with --url.`,
    );
  }
}

async function finalReply(
  body: ReadableStream<Uint8Array>,
  onProgress: ToolCall['onProgress'],
): Promise<Reply> {
  const events = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const { event, data } of events) {
    if (event === 'result') return JSON.parse(data) as Reply;
    if (event !== 'progress') continue;
    const { fraction, message } = JSON.parse(data) as { fraction: number; message: string };
    onProgress?.(Number(fraction), String(message));
  }
  throw new ConnectionError('The connection ended before the answer came. The same call can be sent again.');
}

async function jsonOf(response: Response, baseUrl: string): Promise<Body> {
  const text = await response.text();
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Body;
  } catch {
    // Said below, together with JSON that is no object.
  }
  throw new ConnectionError(`${baseUrl} answered ${response.status} without JSON: is Atelier running there?`);
}
