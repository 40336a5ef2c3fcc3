import { followJob } from './follow_job.ts';
import { AtelierProblem } from './problem.ts';
import { retry } from './retry.ts';
import { type Envelope, KEYED_TOOLS, PICTURE_FIELDS, type Quote, TOOLS, type Tools } from './tools.ts';
import { type Body, type Place, type Reply, reach, sendFile, sendTool } from './transport.ts';

export { AtelierProblem } from './problem.ts';
export type * from './tools.ts';
export { ConnectionError } from './transport.ts';

export type ToolName = keyof Tools;
export type Input<Name extends ToolName> = Tools[Name]['input'];
export type Answer<Name extends ToolName> = Tools[Name]['answer'] & Envelope;

export interface ClientOptions {
  /** URL of the server, such as http://127.0.0.1:8080. */
  readonly url: string;
  /** The payer: a wallet address, or a session or key of a wallet (`atl_…`). */
  readonly bearer?: string;
  /** Maximum retries of a call that may succeed later. Default: 3. */
  readonly retries?: number;
  readonly fetch?: (request: Request) => Promise<Response>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /**
   * Idempotency key: a repeated call with the same key is charged once. Default: a new key for each call that
   * costs credits or stores something.
   */
  readonly idempotencyKey?: string;
  /** Runs the call as a job, which continues if this program ends, and waits for its result. */
  readonly asJob?: boolean;
  onProgress?(fraction: number, message: string): void;
}

/** One function per tool, and functions for quotes and files. */
export type Client = {
  [Name in ToolName]: (input: Input<Name>, options?: CallOptions) => Promise<Answer<Name>>;
} & {
  /** Price and estimate of a call; nothing runs and nothing is charged. */
  quote<Name extends ToolName>(
    tool: Name,
    input: Input<Name>,
    options?: Pick<CallOptions, 'signal'>,
  ): Promise<Quote>;
  /** Uploads a file; its handle is valid in any image field for an hour. */
  upload(file: Uint8Array | Blob, options?: Pick<CallOptions, 'signal'>): Promise<string>;
  /** Downloads the file at the `result_url` of a response. */
  download(answer: { result_url: string }, options?: Pick<CallOptions, 'signal'>): Promise<Uint8Array>;
};

/**
 * Creates a client of one server. Images may be passed as bytes: they are uploaded first. A refused call
 * throws an AtelierProblem, a call without a response a ConnectionError; calls that may succeed later are
 * retried automatically.
 */
export function createClient({ url, bearer, retries = 3, fetch = globalThis.fetch }: ClientOptions): Client {
  // A plain function call: the fetch of browsers must not be called as a method of another object.
  const place: Place = { baseUrl: url.replace(/\/+$/, ''), fetch: (request) => fetch(request) };
  const upload: Client['upload'] = (file, { signal } = {}) =>
    retry(
      async () => {
        const blob = file instanceof Blob ? file : new Blob([file as Uint8Array<ArrayBuffer>]);
        const name = 'name' in blob && typeof blob.name === 'string' ? blob.name : '';
        const path = name ? `/api/uploads?name=${encodeURIComponent(name.slice(-200))}` : '/api/uploads';
        const { body } = accepted(await sendFile(place, path, blob, { bearer, signal }));
        return String(body.uri);
      },
      { retries, signal },
    );
  const call = async (tool: ToolName, input: Body, options: CallOptions = {}): Promise<Body> => {
    const { signal, onProgress, asJob } = options;
    const idempotencyKey =
      options.idempotencyKey ?? (KEYED_TOOLS.has(tool) ? globalThis.crypto.randomUUID() : undefined);
    const sent = await withHandles(tool, input, (file) => upload(file, options));
    const sending = { bearer, signal, idempotencyKey, isAsync: asJob, ...(onProgress && { onProgress }) };
    return retry(
      async () => {
        const { status, body } = accepted(await sendTool(place, tool, sent, sending));
        if (status !== 202) return body;
        const owner = typeof sent.payer === 'string' ? sent.payer : bearer;
        return accepted(await followJob(place, String(body.job_id), { ...sending, bearer: owner })).body;
      },
      { retries, signal },
    );
  };
  const tools = Object.fromEntries(
    TOOLS.map((tool) => [tool, (input: Body, options?: CallOptions) => call(tool, input, options)]),
  );
  const quote = (tool: ToolName, input: Body, options?: CallOptions) =>
    call(tool, { ...input, dry_run: true }, { ...options, idempotencyKey: '' });
  const download: Client['download'] = async ({ result_url }, { signal } = {}) => {
    const response = await reach(place, new Request(result_url, signal ? { signal } : {}));
    if (response.ok) return new Uint8Array(await response.arrayBuffer());
    throw new AtelierProblem({ status: response.status, body: await bodyOf(response) });
  };
  return { ...tools, quote, upload, download } as unknown as Client;
}

const bodyOf = (response: Response): Promise<Body> =>
  response.json().then(
    (body) => body as Body,
    () => ({}),
  );

/** @throws AtelierProblem for an error response */
function accepted(reply: Reply): Reply {
  if (reply.status < 400) return reply;
  throw new AtelierProblem(reply);
}

/**
 * Replaces bytes in image fields, and in lists and objects such as layers, by handles of their uploads; in
 * other fields by base64.
 */
async function withHandles(
  tool: ToolName,
  input: Body,
  upload: (file: Uint8Array | Blob) => Promise<string>,
): Promise<Body> {
  const entries = Object.entries(input).map(async ([name, value]) => {
    if (isFile(value) && !PICTURE_FIELDS[tool].includes(name)) return [name, await base64Of(value)] as const;
    return [name, await uploadIn(value, upload)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function uploadIn(
  value: unknown,
  upload: (file: Uint8Array | Blob) => Promise<string>,
): Promise<unknown> {
  if (isFile(value)) return upload(value);
  if (Array.isArray(value)) return Promise.all(value.map((member) => uploadIn(member, upload)));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(
    async ([name, member]) => [name, await uploadIn(member, upload)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

const isFile = (value: unknown): value is Uint8Array | Blob =>
  value instanceof Uint8Array || value instanceof Blob;

/** A function call takes a limited number of arguments. */
const CHARACTERS_AT_ONCE = 8_192;

async function base64Of(file: Uint8Array | Blob): Promise<string> {
  const bytes = file instanceof Blob ? new Uint8Array(await file.arrayBuffer()) : file;
  let text = '';
  for (let at = 0; at < bytes.length; at += CHARACTERS_AT_ONCE)
    text += String.fromCharCode(...bytes.subarray(at, at + CHARACTERS_AT_ONCE));
  return btoa(text);
}
