import { EventSourceParserStream } from 'eventsource-parser/stream';

/** A server to call. */
export interface Place {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  fetch(request: Request): Promise<Response>;
}

export interface Sending {
  /** Address, session or key. */
  readonly bearer?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Requests a job; the response is then 202. `when_long`: only if the call is expected to be long. */
  readonly isAsync?: boolean | 'when_long' | undefined;
  /** Idempotency key: a repeated call with the same body is charged once. */
  readonly idempotencyKey?: string | undefined;
  onProgress?(fraction: number, message: string): void;
}

export type Body = Record<string, unknown>;

/** A response of the service, including errors. */
export interface Reply {
  readonly status: number;
  readonly body: Body;
}

/** The service did not respond. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** Calls a tool and follows its progress. @throws ConnectionError if no response of the service arrives */
export async function sendTool(
  place: Place,
  tool: string,
  input: Body,
  { bearer, signal, isAsync, idempotencyKey, onProgress }: Sending = {},
): Promise<Reply> {
  const request = new Request(`${place.baseUrl}/api/tools/${encodeURIComponent(tool)}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: onProgress ? 'text/event-stream, application/json' : 'application/json',
      ...authorization(bearer),
      ...(isAsync && { Prefer: isAsync === 'when_long' ? 'respond-async, wait=20' : 'respond-async' }),
      ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
    },
    body: JSON.stringify(input),
    ...(signal && { signal }),
  });
  const response = await reach(place, request);
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') && response.body;
  return isStream ? finalReply(response.body, onProgress) : replyOf(response, place);
}

/** Sends a GET, or a DELETE. @throws ConnectionError if no response of the service arrives */
export async function readJson(
  place: Place,
  path: string,
  { bearer, signal, method = 'GET' }: Pick<Sending, 'bearer' | 'signal'> & { method?: 'GET' | 'DELETE' } = {},
): Promise<Reply> {
  const headers = authorization(bearer);
  const request = new Request(place.baseUrl + path, { method, headers, ...(signal && { signal }) });
  return replyOf(await reach(place, request), place);
}

/** Uploads a file. @throws ConnectionError if no response of the service arrives */
export async function sendFile(
  place: Place,
  path: string,
  file: Blob,
  { bearer, signal }: Pick<Sending, 'bearer' | 'signal'> = {},
): Promise<Reply> {
  const headers = { ...authorization(bearer), ...(file.type && { 'Content-Type': file.type }) };
  const request = new Request(place.baseUrl + path, {
    method: 'POST',
    headers,
    body: file,
    ...(signal && { signal }),
  });
  return replyOf(await reach(place, request), place);
}

/** Any response of the server. @throws ConnectionError if there is none */
export async function reach({ baseUrl, fetch }: Place, request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error;
    const reason = (error as { cause?: { code?: string } }).cause?.code ?? (error as Error).message;
    throw new ConnectionError(`No server answers at ${baseUrl} (${reason}).`, { cause: error });
  }
}

const authorization = (bearer: string | undefined): Record<string, string> =>
  bearer ? { Authorization: `Bearer ${bearer}` } : {};

/** The server-sent events of a response. */
export const readEvents = (body: ReadableStream<Uint8Array>) =>
  body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());

async function finalReply(
  body: ReadableStream<Uint8Array>,
  onProgress: Sending['onProgress'],
): Promise<Reply> {
  for await (const { event, data } of readEvents(body)) {
    if (event === 'result') return JSON.parse(data) as Reply;
    if (event !== 'progress') continue;
    const { fraction, message } = JSON.parse(data) as { fraction: number; message: string };
    onProgress?.(Number(fraction), String(message));
  }
  throw new ConnectionError('The connection ended before the answer came. The same call can be sent again.');
}

async function replyOf(response: Response, { baseUrl }: Place): Promise<Reply> {
  const text = await response.text();
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return { status: response.status, body: value as Body };
  } catch {
    // Reported below, like JSON that is not an object.
  }
  throw new ConnectionError(`${baseUrl} answered ${response.status} without JSON: is Atelier running there?`);
}
