import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const SLOW_MS = 300;

/** Wire formats of image providers, as documented. */
export type ImageWire = 'openai' | 'google' | 'black_forest_labs' | 'openai_compatible';

/** Behaviour of the model for a request. */
export type ImageConduct =
  | 'makes it'
  | 'declines'
  /** Google: declines the prompt. Black Forest Labs: declines the finished image. */
  | 'declines otherwise'
  | 'makes nothing'
  | 'makes no image'
  | 'does not know the size'
  | 'is overloaded'
  | 'fails'
  | 'has another key'
  | 'is slow'
  | 'is silent'
  | 'answers too much';

export interface FakeImageProvider {
  readonly wire: ImageWire;
  /** Base address for GENERATION_BASE_URL. */
  readonly url: string;
  /** Requests for an image, without polling requests. */
  readonly requests: { path: string; body: string; contentType: string; key: string | undefined }[];
  close(): Promise<void>;
}

/**
 * Simulates an image provider. Bodies follow the published formats and are not recorded from live services:
 * OpenAI Images, Gemini generateContent, Black Forest Labs, and the OpenAI format of local servers, as of
 * 2026.
 * @param image the image it returns
 * @param conducts one for each request; the last one applies to all further requests
 */
export async function startFakeImageProvider(
  wire: ImageWire,
  image: Uint8Array,
  ...conducts: ImageConduct[]
): Promise<FakeImageProvider> {
  const requests: FakeImageProvider['requests'] = [];
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    if (request.method === 'GET')
      return sendPolled(response, { url: `http://${request.headers.host}${request.url}`, image });
    const conduct = conducts[Math.min(requests.length, conducts.length - 1)] ?? 'makes it';
    const { 'content-type': contentType = '', host } = request.headers;
    const key = request.headers[KEY_HEADERS[wire]]?.toString();
    requests.push({ path: request.url!, body: body.toString('latin1'), contentType, key });
    if (conduct === 'is silent') return;
    if (conduct === 'is slow') await sleep(SLOW_MS);
    const bytes = conduct === 'makes no image' ? Buffer.from('<svg/>') : Buffer.from(image);
    const problem = PROBLEMS[conduct];
    if (problem) return send(response, problem.status, problemOf(wire, problem), problem.headers);
    if (conduct === 'answers too much')
      return send(response, 200, { data: [{ b64_json: 'A'.repeat(40 * 1024 * 1024) }] });
    const refused = conduct.startsWith('declines') && REFUSALS[wire](conduct, `http://${host}`);
    if (refused) return send(response, refused.status, refused.body);
    send(response, 200, SUCCESSES[wire](bytes, conduct === 'makes nothing', `http://${host}`));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    wire,
    url: `http://127.0.0.1:${port}/${wire === 'google' ? 'v1beta' : 'v1'}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const KEY_HEADERS: Readonly<Record<ImageWire, string>> = {
  openai: 'authorization',
  openai_compatible: 'authorization',
  google: 'x-goog-api-key',
  black_forest_labs: 'x-key',
};

interface Problem {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly headers?: Record<string, string>;
}

const PROBLEMS: Partial<Record<ImageConduct, Problem>> = {
  'does not know the size': { status: 400, code: 'invalid_value', message: 'Invalid value for size.' },
  'is overloaded': {
    status: 429,
    code: 'rate_limit_exceeded',
    message: 'Slow down.',
    headers: { 'retry-after': '7', 'retry-after-ms': '1' },
  },
  fails: { status: 500, code: 'server_error', message: 'Oops.', headers: { 'retry-after-ms': '1' } },
  'has another key': { status: 401, code: 'invalid_api_key', message: 'Incorrect key: key-1234.' },
};

function problemOf(wire: ImageWire, { status, code, message }: Problem): object {
  if (wire === 'google') return { error: { code: status, message, status: code.toUpperCase() } };
  if (wire === 'black_forest_labs') return { detail: message };
  return { error: { message, type: 'error', param: null, code } };
}

type Refuse = (conduct: ImageConduct, origin: string) => { status: number; body: object };

const REFUSALS: Readonly<Record<ImageWire, Refuse>> = {
  openai: () => ({
    status: 400,
    body: {
      error: {
        message:
          'Your request was rejected by the safety system. If you believe this is an error, contact us at help.openai.com and include the request ID req_123. safety_violations=[violence].',
        type: 'image_generation_user_error',
        param: null,
        code: 'moderation_blocked',
      },
    },
  }),
  google: (conduct) => ({
    status: 200,
    body:
      conduct === 'declines otherwise'
        ? {
            promptFeedback: { blockReason: 'PROHIBITED_CONTENT' },
            usageMetadata: { promptTokenCount: 8, totalTokenCount: 8 },
            modelVersion: 'gemini-2.5-flash-image',
          }
        : {
            candidates: [{ finishReason: 'IMAGE_SAFETY', index: 0 }],
            usageMetadata: { promptTokenCount: 8, totalTokenCount: 8 },
            modelVersion: 'gemini-2.5-flash-image',
          },
  }),
  black_forest_labs: (conduct, origin) => ({
    status: 200,
    body: {
      id: 'r1',
      polling_url: `${origin}/v1/get_result?id=${conduct === 'declines' ? 'request-moderated' : 'content-moderated'}`,
    },
  }),
  openai_compatible: () => ({
    status: 400,
    body: { error: { message: 'Potential NSFW content was detected.', type: 'invalid_request_error' } },
  }),
};

type Succeed = (bytes: Buffer, isEmpty: boolean, origin: string) => object;

const SUCCESSES: Readonly<Record<ImageWire, Succeed>> = {
  openai: (bytes, isEmpty) => ({
    created: 1_780_000_000,
    background: 'opaque',
    data: isEmpty ? [] : [{ b64_json: bytes.toString('base64') }],
    output_format: 'png',
    quality: 'medium',
    size: '1024x1024',
    usage: {
      input_tokens: 14,
      input_tokens_details: { image_tokens: 0, text_tokens: 14 },
      output_tokens: 1056,
      total_tokens: 1070,
    },
  }),
  google: (bytes, isEmpty) => ({
    candidates: [
      {
        content: {
          role: 'model',
          parts: isEmpty ? [] : [{ inlineData: { mimeType: 'image/png', data: bytes.toString('base64') } }],
        },
        finishReason: 'STOP',
        index: 0,
      },
    ],
    usageMetadata: { promptTokenCount: 8, candidatesTokenCount: 1290, totalTokenCount: 1298 },
    modelVersion: 'gemini-2.5-flash-image',
    responseId: 'abc',
  }),
  black_forest_labs: (bytes, isEmpty, origin) => ({
    id: 'r1',
    polling_url: `${origin}/v1/get_result?id=${isEmpty ? 'empty' : bytes.toString('latin1').startsWith('<svg') ? 'text' : 'made'}`,
    cost: 4,
    input_mp: 0,
    output_mp: 1,
  }),
  openai_compatible: (bytes, isEmpty) => ({
    created: 1_780_000_000,
    data: isEmpty ? [] : [{ b64_json: bytes.toString('base64') }],
  }),
};

/** Later requests of Black Forest Labs: the state, then the image. */
function sendPolled(response: ServerResponse, { url, image }: { url: string; image: Uint8Array }): void {
  const { searchParams, pathname, origin } = new URL(url);
  const id = searchParams.get('id');
  if (pathname === '/sample') {
    response.writeHead(200, { 'content-type': 'image/png' });
    response.end(id === 'text' ? '<svg/>' : image);
    return;
  }
  const states: Record<string, object> = {
    made: { status: 'Ready', result: { sample: `${origin}/sample?id=made`, seed: 42, prompt: 'x' } },
    text: { status: 'Ready', result: { sample: `${origin}/sample?id=text` } },
    empty: { status: 'Failed' },
    'request-moderated': { status: 'Request Moderated', details: { 'Moderation Reasons': ['Violence'] } },
    'content-moderated': { status: 'Content Moderated', details: { 'Moderation Reasons': ['Violence'] } },
  };
  send(response, 200, { id, result: null, progress: null, ...states[id!] });
}

function send(response: ServerResponse, status: number, body: object, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}
