import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a server that speaks OpenAI's wire format answers one request. */
export type Reply =
  | { readonly content: string; readonly finish?: 'stop' | 'length' | 'content_filter' }
  | { readonly status: number }
  | { readonly afterMs: number }
  | 'hang up';

export interface FakeOpenAi {
  readonly url: string;
  /** Bodies of all requests, and the bearer each came with. */
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire, walked by name
  readonly requests: { body: any; bearer: string | undefined }[];
  close(): Promise<void>;
}

/** Answers with these replies in turn, and with the last one ever after. */
export async function startFakeOpenAi(...replies: Reply[]): Promise<FakeOpenAi> {
  const requests: FakeOpenAi['requests'] = [];
  const server = createServer(async (request, response) => {
    const reply = replies[Math.min(requests.length, replies.length - 1)]!;
    requests.push({ body: await jsonOf(request), bearer: request.headers.authorization });
    if (reply === 'hang up') return request.socket.destroy();
    if ('afterMs' in reply) await new Promise((resolve) => setTimeout(resolve, reply.afterMs).unref());
    const isBad = 'status' in reply;
    response.writeHead(isBad ? reply.status : 200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(isBad ? { error: { message: 'no: key-1234', type: 'x' } } : completion(reply)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const completion = (reply: Exclude<Reply, 'hang up' | { status: number }>) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'eyes-1',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'content' in reply ? reply.content : '{}' },
      finish_reason: ('finish' in reply && reply.finish) || 'stop',
    },
  ],
  usage: { prompt_tokens: 1200, completion_tokens: 400, total_tokens: 1600 },
});

async function jsonOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}
