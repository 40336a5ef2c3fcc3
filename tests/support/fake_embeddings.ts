import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeEmbeddings {
  readonly url: string;
  /** Texts of all requests, with their bearer. */
  readonly requests: { input: string[]; model: string; bearer: string | undefined }[];
  /** Current behaviour. */
  mode: 'well' | 'badly' | 'down' | 'in another length';
  close(): Promise<void>;
}

/** One dimension per topic: a simulated model that knows that "feline" means cats. */
const MEANINGS: readonly RegExp[] = [
  /\bcats?\b|feline|kitten/i,
  /\bships?\b|boat|vessel|sail/i,
  /\bflowers?\b|bloom/i,
];

/** A server with the wire format of OpenAI for embeddings. */
export async function startFakeEmbeddings(): Promise<FakeEmbeddings> {
  const fake: { mode: FakeEmbeddings['mode'] } = { mode: 'well' };
  const requests: FakeEmbeddings['requests'] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { input, model } = JSON.parse(Buffer.concat(chunks).toString());
    requests.push({ input, model, bearer: request.headers.authorization });
    const isDown = fake.mode === 'down';
    response.writeHead(isDown ? 500 : 200, { 'content-type': 'application/json' });
    if (isDown) return response.end(JSON.stringify({ error: { message: 'no: key-1234', type: 'x' } }));
    const data = input.map((text: string, index: number) => ({
      object: 'embedding',
      index,
      embedding: fake.mode === 'badly' ? [] : vectorOf(text, fake.mode === 'well' ? 0 : 1),
    }));
    response.end(
      JSON.stringify({ object: 'list', data, model, usage: { prompt_tokens: 1, total_tokens: 1 } }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(fake, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

const vectorOf = (text: string, more: number): number[] => [
  ...MEANINGS.map((meaning) => (meaning.test(text) ? 1 : 0.01)),
  0.1,
  ...Array(more).fill(0.1),
];
