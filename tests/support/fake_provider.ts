import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerOf, type Wire } from './provider_answers.ts';

/** Response of a provider to one request. */
export type Reply =
  | { readonly content: string; readonly finish?: 'stop' | 'length' | 'content_filter' }
  | { readonly calls: readonly (readonly [tool: string, args: object])[] }
  | { readonly status: number }
  | { readonly afterMs: number }
  | Page
  | 'hang up';

/** An arbitrary response. */
export interface Page {
  /** Absent: 200. */
  readonly pageStatus?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly page: string | Uint8Array;
  /** After the body: nothing, without closing the connection; or the body again, endlessly. */
  readonly after?: 'stalls' | 'goes on';
}

export interface FakeProvider {
  readonly wire: Wire;
  readonly url: string;
  /** Bodies of all requests, with the key as sent. */
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire, walked by name
  readonly requests: { path: string; body: any; key: string | undefined }[];
  /** Bytes of pages sent so far. */
  readonly sent: { bytes: number };
  close(): Promise<void>;
}

/**
 * Simulates the wire format of a provider: sends these replies in turn, and the last one for all further
 * requests.
 */
export async function startFakeProvider(wire: Wire, ...replies: Reply[]): Promise<FakeProvider> {
  const requests: FakeProvider['requests'] = [];
  const sent = { bytes: 0 };
  const { keyHeader, completion } = WIRES[wire];
  const server = createServer(async (request, response) => {
    const reply = replies[Math.min(requests.length, replies.length - 1)]!;
    const body = await jsonOf(request);
    requests.push({ path: request.url!, body, key: request.headers[keyHeader]?.toString() });
    if (reply === 'hang up') return request.socket.destroy();
    if ('page' in reply) return sendPage(response, reply, sent);
    if ('afterMs' in reply) await new Promise((resolve) => setTimeout(resolve, reply.afterMs).unref());
    const isBad = 'status' in reply;
    response.writeHead(isBad ? reply.status : 200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(isBad ? { error: { message: 'no: key-1234', type: 'x' } } : completion(reply, body)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    wire,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    sent,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Said = Exclude<Reply, 'hang up' | { status: number } | Page>;
const textOf = (reply: Said): string => ('content' in reply ? reply.content : '{}');
const finishOf = (reply: Said) => ('finish' in reply && reply.finish) || 'stop';

function sendPage(
  response: ServerResponse,
  { pageStatus, headers, page, after }: Page,
  sent: { bytes: number },
) {
  response.writeHead(pageStatus ?? 200, { 'content-type': 'application/json', ...headers });
  sent.bytes += page.length;
  if (after === undefined) return response.end(page);
  response.write(page);
  if (after === 'stalls') return;
  const goOn = () => {
    while (!response.destroyed) {
      sent.bytes += page.length;
      if (!response.write(page)) break;
    }
  };
  response.on('drain', goOn);
  goOn();
}

const toolCalls = ({ calls }: Extract<Reply, { calls: unknown }>) => ({
  content: null,
  tool_calls: calls.map(([name, args], at) => ({
    id: `call_${at}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  })),
});

const CONDUCTS = { stop: 'answers', length: 'is cut off', content_filter: 'is blocked' } as const;

interface WireFormat {
  /** Header of the key. */
  readonly keyHeader: string;
  completion(reply: Said, request: unknown): object;
}

const WIRES: Record<Wire, WireFormat> = {
  openai_compatible: {
    keyHeader: 'authorization',
    completion: (reply) => ({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model: 'eyes-1',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            ...('calls' in reply ? toolCalls(reply) : { content: textOf(reply) }),
          },
          finish_reason: 'calls' in reply ? 'tool_calls' : finishOf(reply),
        },
      ],
      usage: { prompt_tokens: 1200, completion_tokens: 400, total_tokens: 1600 },
    }),
  },
  openai: {
    keyHeader: 'authorization',
    completion: (reply) => answerOf('openai', CONDUCTS[finishOf(reply)], textOf(reply)),
  },
  anthropic: {
    keyHeader: 'x-api-key',
    completion: (reply, request) => ({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'eyes-1',
      content: finishOf(reply) === 'content_filter' ? [] : [blockOf(textOf(reply), request)],
      stop_reason: { stop: 'end_turn', length: 'max_tokens', content_filter: 'refusal' }[finishOf(reply)],
      stop_sequence: null,
      usage: { input_tokens: 1200, output_tokens: 400 },
    }),
  },
  google: {
    keyHeader: 'x-goog-api-key',
    completion: (reply) => ({
      candidates: [
        {
          content: { role: 'model', parts: [{ text: textOf(reply) }] },
          finishReason: { stop: 'STOP', length: 'MAX_TOKENS', content_filter: 'SAFETY' }[finishOf(reply)],
        },
      ],
      usageMetadata: { promptTokenCount: 1200, candidatesTokenCount: 400, totalTokenCount: 1600 },
    }),
  },
};

/** If the request asks for an object by a tool, the model calls the tool; otherwise it writes text. */
function blockOf(text: string, request: unknown): object {
  const [tool] = (request as { tools?: { name: string }[] }).tools ?? [];
  if (!tool) return { type: 'text', text };
  try {
    return { type: 'tool_use', id: 'toolu_1', name: tool.name, input: JSON.parse(text) };
  } catch {
    return { type: 'text', text };
  }
}

async function jsonOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}
