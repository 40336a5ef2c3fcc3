import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { on } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { streamSSE } from 'hono/streaming';
import { MPP_HEADERS } from '../../catalog/mpp_names.ts';
import { unknownTool } from '../../catalog/unknown_tool.ts';
import { JSON_BODY_BYTES_MAX, JSON_BODY_COPIES } from '../../config/limits.ts';
import { AtelierError, isForOperator } from '../../core/errors/atelier_error.ts';
import { isPublicAddress } from '../../core/outbound_http/public_address.ts';
import type { RequestScope } from '../../core/request_scope/request_scope.ts';
import type { Spool } from '../../core/storage/blobs/spool.ts';
import type { Tracing } from '../../core/telemetry/types.ts';
import { repairQuery } from '../../features/community/routes/repair_query.ts';
import { imageFieldsOf } from '../../features/definitions/fields.ts';
import {
  type AnyOperation,
  type BytesAnswer,
  isStoredFile,
  type OperationCall,
  type StreamAnswer,
} from '../../features/definitions/operation.ts';
import { type AnyTool, type Limit, limitsOf } from '../../features/definitions/tool.ts';
import type { SignedRequest } from '../../features/wallets/ownership/types.ts';
import { isOwnHost, type KnownOrigins, precheckCpu, readPageOrigin } from '../../pipeline/admission.ts';
import { asAtelierError, problemDetails } from '../../pipeline/errors.ts';
import { auditRefusals, recordClientError, requireFewClientErrors } from '../../pipeline/observe.ts';
import { callOperation, isCountedInCpu, type OperationRequest } from '../../pipeline/operations.ts';
import { callTool } from '../../pipeline/pipeline.ts';
import { generalLimit, policyOf } from '../../pipeline/rate_limit.ts';
import { X402_ANSWER_HEADERS } from '../../pipeline/respond.ts';
import type { CallResponse, Client, PipelineContext } from '../../pipeline/types.ts';
import { PARSE_TURN_BYTES_MIN } from './limits.ts';
import {
  announcedBytes,
  type BodySource,
  brokenOff,
  closingConnection,
  mediaType,
  readBody,
  readJson,
  requireWholeBody,
  type SignedBody,
  signedBody,
  spoolBody,
  tooLarge,
  tooSlow,
  watchPace,
} from './read_body.ts';
import {
  addressOf,
  callerOf,
  documentedRoute,
  exactAddressOf,
  logRequests,
  normaliseAddress,
  type RequestLogger,
  readPreference,
  requestId,
} from './request.ts';
import {
  compressAnswers,
  fileResponse,
  holdsFile,
  isForPerson,
  jsonResponse,
  problemPageResponse,
  problemResponse,
  storedFileResponse,
  withEtag,
} from './respond.ts';

interface Routes {
  readonly context: PipelineContext;
  /** Temporary storage of incoming uploads. */
  readonly spool: Spool;
  readonly operations: readonly AnyOperation[];
  readonly mounts: Readonly<Record<string, unknown>>;
}

/** The methods served at a path; empty for an unknown path. */
function methodsAt({ context, operations, mounts }: Routes, path: string): string[] {
  const [, tool] = TOOL_PATH.exec(path) ?? [];
  if (tool) return context.services.catalogue.find(tool) ? ['POST'] : [];
  if (Object.hasOwn(mounts, path)) return ['POST'];
  const methods = operations
    .filter((operation) => pathPattern(operation.path).test(path))
    .flatMap((operation) => operation.methods);
  return [...new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods)];
}

/** A known path with another method is 405 with Allow; anything else is 404. */
function notFoundResponse(
  routes: Routes,
  { method, path }: { readonly method: string; readonly path: string },
): AtelierError {
  const allowed = methodsAt(routes, path);
  if (allowed.length === 0) {
    const [, tool] = TOOL_PATH.exec(path) ?? [];
    if (tool) return unknownTool(routes.context.services.catalogue, tool);
    return new AtelierError(
      'not_found',
      `There is no resource at ${path.slice(0, 200)}. All paths are in /openapi.json.`,
    );
  }
  const allow = allowed.join(', ');
  return new AtelierError('method_not_allowed', `${path.slice(0, 200)} accepts ${allow}, not ${method}.`, {
    headers: { Allow: allow },
  });
}

const TOOL_PATH = /^\/api\/tools\/([^/]+)$/;

/** `/a/{b}/{c}` → `/a/:b/:c{.+}`: the last parameter may hold slashes (asset keys do). */
const honoPath = (path: string): string => path.replace(/\{(\w+)\}$/, ':$1{.+}').replace(/\{(\w+)\}/g, ':$1');

const pathPattern = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replace(/[.]/g, '\\.')
      .replace(/\{\w+\}$/, '.+')
      .replace(/\{\w+\}/g, '[^/]+')}$`,
  );

/** Headers that identify or pay for a client instead of its IP address. */
const CREDENTIALS = [
  'authorization',
  'signature-input',
  'payment-signature',
  'sign-in-with-x',
  'x-payment',
  'x-payment-intent',
];

/**
 * Refuses a request before its body is read: of an address that was refused too often or has no CPU time
 * left, and, if only the address can be counted, beyond a limit. Counts nothing. @throws AtelierError
 * rate_limited
 */
async function precheckLimits(
  context: PipelineContext,
  request: Request,
  address: string,
  { limits, isCountedInCpu = true }: { limits: readonly Limit[]; isCountedInCpu?: boolean },
): Promise<void> {
  await requireFewClientErrors(context, address);
  const bringsCredentials = hasCredentials(request);
  if (isCountedInCpu) precheckCpu(context, { bringsCredentials });
  if (bringsCredentials) return;
  for (const limit of limits) {
    await context.limiter.look(
      policyOf(context, limit),
      limit.by === 'everybody' ? 'everybody' : `ip:${address}`,
    );
  }
}

/** Whether a request may be counted against or paid by something other than its address. */
const hasCredentials = ({ headers }: Request): boolean => CREDENTIALS.some((name) => headers.has(name));

/** The limits that count a call whatever its input, which is not read yet. */
const limitsBeforeBody = (context: PipelineContext, tool: AnyTool | undefined): readonly Limit[] =>
  tool ? [generalLimit(context, tool), ...limitsOf(tool.limit).filter(({ appliesTo }) => !appliesTo)] : [];

/** Clients that want the progress of a long call request an event stream. */
const wantsProgress = (request: Request): boolean =>
  (request.headers.get('accept') ?? '').includes('text/event-stream');

interface Watched {
  readonly caller: Client;
  readonly publicUrl: string;
  report(error: unknown): void;
  work(caller: Client): Promise<CallResponse>;
}

/** Sends `progress` events while the call runs and one `result` event {status, body} at the end. */
function progressStream(c: Context, { caller, publicUrl, report, work }: Watched): Response {
  return streamSSE(c, async (stream) => {
    const send = (event: string, data: unknown) => stream.writeSSE({ event, data: JSON.stringify(data) });
    const watched: Client = {
      ...caller,
      onProgress: (fraction, message) => void send('progress', { fraction, message }),
    };
    try {
      const { body, status = 200 } = await work(watched);
      await send('result', { status, body });
    } catch (error) {
      const known = asAtelierError(error);
      if (isForOperator(known.code)) report(error);
      const body = problemDetails(known, { requestId: caller.requestId, instance: c.req.path, publicUrl });
      await send('result', { status: known.status, body });
    }
  });
}

/** The response headers that pages of other origins may read. */
const exposedHeaders = ({ x402, mpp }: PipelineContext): string[] => [
  ...EXPOSED_HEADERS,
  ...(x402 ? X402_ANSWER_HEADERS : []),
  ...(mpp ? [MPP_HEADERS.receipt] : []),
];

const EXPOSED_HEADERS = [
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'Allow',
  'Accept-Signature',
  'Link',
  'WWW-Authenticate',
  'ETag',
  'Accept-Ranges',
  'Content-Range',
  'Location',
  'Preference-Applied',
  'Idempotency-Replayed',
];

/** Maximum body of an operation without a limit of its own; such bodies contain no image. */
const OPERATION_BODY_BYTES_MAX = 1024 * 1024;

type Env = {
  Bindings: { incoming?: IncomingMessage; outgoing?: ServerResponse };
  Variables: { requestId: string; holdsFile?: boolean; scope?: RequestScope };
};
type Mounted = (request: Request, from: MountedRequest) => Promise<Response>;

/** Request data for an endpoint with its own protocol. */
interface MountedRequest {
  readonly address: string;
  readonly requestId: string;
  readonly signed?: SignedRequest;
  readBody(): Promise<Buffer>;
  /** Counts the messages of one request beyond the first. */
  countMore(messages: number): Promise<void>;
}

/** A rejected browser request: path with query, and Cookie header. */
interface RefusedRequest {
  readonly address: string;
  readonly requestId: string;
  readonly cookies: string | undefined;
}

export interface HttpOptions {
  readonly context: PipelineContext;
  /** Temporary storage of incoming uploads. */
  readonly spool: Spool;
  readonly operations: readonly AnyOperation[];
  /** Endpoints with a protocol of their own, such as /mcp. */
  readonly mounts: Readonly<Record<string, Mounted>>;
  readonly trustedProxies: readonly string[];
  readonly logger: RequestLogger;
  /** Origins whose pages may call this server, and whether the server is on the internet. */
  readonly pages: KnownOrigins & { readonly isPrivate: boolean; readonly isLoopback: boolean };
  /**
   * The page that a browser shows for a refused request; absent: the problem object that other clients get.
   */
  showProblem?(error: AtelierError, request: RefusedRequest): Promise<BytesAnswer>;
  /** Resolves when it is the turn of this address to parse a large body. */
  parseTurn(address: string): Promise<void>;
  /** Called for server errors. */
  report(error: unknown, context: { requestId: string; path: string }): void;
}

/** REST over the catalogue and the operations. Only translates: all rules are in `pipeline/`. */
export function createHttp(given: Omit<HttpOptions, 'parseTurn'>): Hono<Env> {
  const options: HttpOptions = { ...given, parseTurn: createParseTurns() };
  const app = new Hono<Env>();
  // First, so that the CPU time of everything below is charged to the request scope.
  app.use(withVisit(options));
  app.use(...observeRequests(options.context, options.logger, (c) => address(options, c)));
  app.use(compressAnswers());
  app.use(withHeaders());
  app.use(withOurHost(options));
  app.use(withMethods(options));
  app.use(withCors(options));
  app.onError((error, c) => answerFailure(options, c, error));
  app.post('/api/tools/:name', (c) => serveTool(options, c));
  for (const [path, serve] of Object.entries(options.mounts)) {
    app.all(path, (c) => serveMount(options, serve, c));
  }
  for (const operation of options.operations) {
    app.on([...operation.methods], honoPath(operation.path), (c) => serveOperation(options, operation, c));
  }
  app.notFound((c) => answerFailure(options, c, notFoundResponse(options, c.req)));
  return app;
}

/** On every response: the request id, and headers that restrict what a browser may do with it. */
function withHeaders() {
  return async (c: Context<Env>, next: () => Promise<void>) => {
    c.set('requestId', requestId(c.req.raw));
    await next();
    c.res.headers.set('X-Request-Id', c.get('requestId'));
    c.res.headers.set('X-Content-Type-Options', 'nosniff');
    // nginx buffers responses unless its configuration or the response says otherwise.
    if (c.res.headers.get('Content-Type')?.startsWith('text/event-stream'))
      c.res.headers.set('X-Accel-Buffering', 'no');
    if (!c.res.headers.has('Referrer-Policy')) c.res.headers.set('Referrer-Policy', 'no-referrer');
    if (!c.res.headers.has('Content-Security-Policy')) {
      c.res.headers.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
    }
  };
}

/**
 * Pages of every origin may call. The library handles only preflight requests: it sets headers before the
 * response exists, which is then rebuilt as a native one with its body as a stream, and that takes 0.2 ms of
 * every request.
 */
function withCors(options: HttpOptions): MiddlewareHandler<Env> {
  const exposed = exposedHeaders(options.context);
  const preflight = cors({
    origin: '*',
    allowMethods: (_origin, c) => methodsAt(options, c.req.path),
    exposeHeaders: exposed,
    maxAge: 86_400,
  });
  return async (c, next) => {
    if (c.req.method === 'OPTIONS') return preflight(c, next);
    await next();
    c.res.headers.set('Access-Control-Allow-Origin', '*');
    c.res.headers.set('Access-Control-Expose-Headers', exposed.join(','));
  };
}

/**
 * On loopback, also for reads: to a browser, a page whose name was rebound to this machine is same-origin.
 */
function withOurHost(options: HttpOptions): MiddlewareHandler<Env> {
  let lastOwn: string | undefined;
  const isOwn = (host: string | undefined): boolean => {
    if (host !== undefined && host === lastOwn) return true;
    const own = isOwnHost(host ?? null, options.pages);
    if (own) lastOwn = host;
    return own;
  };
  return async (c, next) => {
    const host = c.req.header('host');
    if (!options.pages.isLoopback || isOwn(host)) return next();
    const caller = callerFrom(options, c, {});
    await auditRefusals(
      options.context.audit,
      { about: 'host', client: caller, raw: undefined },
      async () => {
        throw new AtelierError(
          'forbidden_host',
          `The host name ${host?.slice(0, 200)} is not allowed on this server.`,
        );
      },
    );
  };
}

/** The response to OPTIONS for a path, for pages (CORS) and other clients (Allow). */
const withMethods =
  (options: HttpOptions): MiddlewareHandler<Env> =>
  async (c, next) => {
    await next();
    const allowed = c.req.method === 'OPTIONS' ? methodsAt(options, c.req.path) : [];
    if (allowed.length > 0) c.res.headers.set('Allow', [...allowed, 'OPTIONS'].join(', '));
  };

/** A request holds its memory until its response has been sent. */
function withVisit(options: HttpOptions): MiddlewareHandler<Env> {
  return async (c, next) => {
    const { incoming } = c.env ?? {};
    const cpu = { address: exactAddressOf(incoming, c.req.raw, options.trustedProxies) };
    const scope = options.context.requestScopes.begin(normaliseAddress(cpu.address), cpu);
    c.set('scope', scope);
    const { outgoing } = c.env ?? {};
    outgoing?.once('close', scope.close);
    try {
      await scope.run(next);
    } finally {
      if (!outgoing || outgoing.closed) scope.close();
    }
  };
}

/** Counted by address: the tool calls inside a protocol are counted again, by client. */
async function serveMount(options: HttpOptions, serve: Mounted, c: Context<Env>): Promise<Response> {
  const { limiter, rates } = options.context;
  const from = { address: address(options, c), requestId: c.get('requestId') };
  const count = () => limiter.take({ name: 'mcp', calls: rates.mcp, perSeconds: 60 }, `ip:${from.address}`);
  await requireFewClientErrors(options.context, from.address);
  precheckCpu(options.context, { bringsCredentials: hasCredentials(c.req.raw) });
  await count();
  const source = bodyOf(options, c);
  const readOnce = async () => {
    const bytes = await readBody(source, JSON_BODY_BYTES_MAX, JSON_BODY_COPIES);
    if (bytes.byteLength >= PARSE_TURN_BYTES_MIN) await source.parseTurn?.();
    return bytes;
  };
  const countMore = async (messages: number) => {
    for (let counted = 0; counted < messages; counted += 1) await count();
  };
  if (!source.signed) return serve(c.req.raw, { ...from, countMore, readBody: readOnce });
  const bytes = await readOnce();
  const signed = source.signed.finish();
  return serve(c.req.raw, { ...from, countMore, signed, readBody: async () => bytes });
}

async function serveTool(options: HttpOptions, c: Context<Env>): Promise<Response> {
  const { context } = options;
  const name = c.req.param('name')!;
  const tool = context.services.catalogue.find(name);
  await precheckLimits(context, c.req.raw, address(options, c), { limits: limitsBeforeBody(context, tool) });
  const asBytes = imageFieldsOf(tool?.input.shape ?? {});
  const source = bodyOf(options, c);
  const raw = await readJson(source, JSON_BODY_BYTES_MAX, asBytes);
  const { longCalls } = readPreference(c.req.header('prefer') ?? '');
  const caller: Client = { ...callerFrom(options, c, source), longCalls };
  if (wantsProgress(c.req.raw) && !caller.respondAsync) {
    const report = (error: unknown) =>
      options.report(error, { requestId: caller.requestId, path: c.req.path });
    const { publicUrl } = context.services.site;
    return progressStream(c, {
      caller,
      publicUrl,
      report,
      work: (watched) => callTool(context, name, raw, watched),
    });
  }
  const answer = await callTool(context, name, raw, caller);
  c.set('holdsFile', holdsFile(answer.body));
  return jsonResponse(answer);
}

async function serveOperation(
  options: HttpOptions,
  operation: AnyOperation,
  c: Context<Env>,
): Promise<Response> {
  const { request, source } = { request: c.req.raw, source: bodyOf(options, c) };
  const { limit } = operation;
  // Documents and health are public.
  if (operation.tag !== 'discovery')
    await precheckLimits(options.context, request, address(options, c), {
      limits: limitsOf(limit),
      isCountedInCpu: isCountedInCpu(operation),
    });
  const maxBytes = operation.maxBodyBytes ?? OPERATION_BODY_BYTES_MAX;
  const answer = (sent: SentBody) => answerOperation(options, operation, c, { source, sent });
  if (operation.body === 'file') return withSpooledBody(options, operation, c, { source, maxBytes, answer });
  if (operation.body === 'raw') return answer({ body: await rawBody(source, maxBytes) });
  if (operation.body === 'stream')
    return answer({ stream: streamBody(source, maxBytes) }).catch((error) => {
      throw closingConnection(error);
    });
  const hasJson = !isReading(request) && request.method !== 'DELETE';
  if (hasJson) return answer({ json: await readJson(source, maxBytes) });
  // A signature covers even an unused body; other methods have no body here.
  if (source.signed) await readBody(source, maxBytes);
  return answer({});
}

const isReading = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

/** The body of a request in the form that its operation accepts. */
type SentBody = Pick<OperationRequest, 'body' | 'file' | 'stream'> & {
  readonly json?: Record<string, unknown>;
};

interface Spooling {
  readonly source: BodySource;
  readonly maxBytes: number;
  answer(sent: SentBody): Promise<Response>;
}

/** Writes the body to a file, which is deleted after the call. */
async function withSpooledBody(
  options: HttpOptions,
  operation: AnyOperation,
  c: Context<Env>,
  { source, maxBytes, answer }: Spooling,
): Promise<Response> {
  const { context } = options;
  const { request } = source;
  // A replayed response needs no space.
  const mayBeReplay = request.headers.has('idempotency-key');
  if (operation.beforeBody && !mayBeReplay)
    await operation.beforeBody(context.services, announcedBytes(request)).catch((error) => {
      throw closingConnection(error);
    });
  const writer = options.spool.open(address(options, c));
  try {
    const file = await spoolBody(source, maxBytes, writer);
    return await answer({ file: { ...file, contentType: mediaType(request) } });
  } finally {
    await writer.remove();
  }
}

async function answerOperation(
  options: HttpOptions,
  operation: AnyOperation,
  c: Context<Env>,
  { source, sent: { json, ...sent } }: { source: BodySource & { signed?: SignedBody }; sent: SentBody },
): Promise<Response> {
  const { request } = source;
  const isRead = isReading(request);
  const query = Object.fromEntries(repairQuery(new URL(request.url).searchParams));
  const caller = callerFrom(options, c, source);
  const answer = await callOperation(
    options.context,
    operation,
    { ...query, ...json, ...c.req.param() },
    caller,
    { method: request.method, header: (name) => request.headers.get(name) ?? undefined, ...sent },
  );
  if ('stream' in answer) return streamResponse(answer.stream, { isHead: request.method === 'HEAD' });
  const file = 'file' in answer ? answer.file : undefined;
  if (file && isStoredFile(file))
    return storedFileResponse(request, file, { cacheSeconds: operation.cacheSeconds ?? 0 });
  const response = file ? fileResponse(file) : jsonResponse(answer as CallResponse);
  if (!isRead || !response.ok) return response;
  // Operations that accept POST write: a cached response would stand for a write that never happened.
  if (operation.methods.includes('POST')) response.headers.set('Cache-Control', 'no-store');
  else
    return withEtag(request, response, {
      cacheSeconds: operation.cacheSeconds ?? 0,
      hasParts: file !== undefined,
    });
  return response;
}

/**
 * Bytes with their hash, computed while they arrive: at the end, hashing 25 MB would block everything else
 * for a tenth of a second.
 */
async function rawBody(source: BodySource, maxBytes: number): Promise<NonNullable<OperationCall['body']>> {
  const hash = createHash('sha256');
  const onBytes = (chunk: Uint8Array) => {
    hash.update(chunk);
    source.onBytes?.(chunk);
  };
  const bytes = await readBody({ ...source, onBytes }, maxBytes);
  return { contentType: mediaType(source.request), bytes, sha256: hash.digest('hex') };
}

/** The only reader of the body. A signed body is digested as it arrives. */
function bodyOf(options: HttpOptions, c: Context<Env>): BodySource & { signed?: SignedBody } {
  const { incoming } = c.env ?? {};
  const request = c.req.raw;
  const signed = signedBody(incoming, request);
  const { reserve } = options.context.requestScopes;
  const onReceived = c.get('scope')?.receive;
  return {
    incoming,
    request,
    reserve,
    parseTurn: () => options.parseTurn(address(options, c)),
    ...(onReceived && { onReceived }),
    ...(signed && { signed, onBytes: signed.onBytes }),
  };
}

/** The client, once the body was read. */
function callerFrom(options: HttpOptions, c: Context<Env>, { signed }: { signed?: SignedBody }): Client {
  const caller = callerOf(c.req.raw, address(options, c), c.get('requestId'));
  const from = { ...caller, ...readPageOrigin(c.req.raw, options.pages) };
  return signed ? { ...from, signed: signed.finish() } : from;
}

/** Determined once per request, by `withVisit`. */
const address = ({ trustedProxies }: HttpOptions, c: Context<Env>): string =>
  c.get('scope')?.address ?? addressOf(c.env?.incoming, c.req.raw, trustedProxies);

async function answerFailure(options: HttpOptions, c: Context<Env>, error: unknown): Promise<Response> {
  const id = c.get('requestId') ?? requestId(c.req.raw);
  const known = asAtelierError(error);
  const about = c.req.path;
  await recordClientError(options.context, known, { address: address(options, c), requestId: id, about });
  if (isForOperator(known.code)) options.report(error, { requestId: id, path: c.req.path });
  if (options.showProblem && isForPerson(c.req.raw)) {
    const { pathname, search } = new URL(c.req.url);
    const request = { address: pathname + search, requestId: id, cookies: c.req.header('cookie') };
    return problemPageResponse(known, options.showProblem(known, request));
  }
  const { publicUrl } = options.context.services.site;
  return problemResponse(known, { request: c.req.raw, requestId: id, publicUrl });
}

/** Records every request as a log line, in the metrics, and as a span if traces are collected. */
function observeRequests(
  { telemetry }: Pick<PipelineContext, 'telemetry'>,
  logger: RequestLogger,
  addressOf: (c: Context) => string,
): [MiddlewareHandler, MiddlewareHandler] {
  const log = logRequests(logger, {
    addressOf,
    traceContext: telemetry.traceContext,
    onAnswered({ method, route, status, ms }) {
      telemetry.count('atelier_http_requests_total', { method, route, status: String(status) });
      telemetry.observe('atelier_http_request_seconds', { route }, ms / 1000);
    },
  });
  return [traceRequests(telemetry, addressOf), log];
}

/**
 * Spreads synchronous work over rounds of the event loop, one piece per round, by address in turn: forty
 * bodies that complete at the same time would otherwise be parsed in one round, and everything else would
 * wait for all of them.
 * @returns a function that resolves when it is the turn of that address
 */
export function createParseTurns(): (address: string) => Promise<void> {
  /** The next address first. */
  const waiting = new Map<string, (() => void)[]>();
  const next = () => {
    const [address, queue] = waiting.entries().next().value ?? [];
    if (address === undefined || !queue) return;
    waiting.delete(address);
    queue.shift()!();
    if (queue.length > 0) waiting.set(address, queue);
    if (waiting.size > 0) setImmediate(next);
  };
  return (address) =>
    new Promise((resolve) => {
      if (waiting.size === 0) setImmediate(next);
      const queue = waiting.get(address);
      if (queue) queue.push(resolve);
      else waiting.set(address, [resolve]);
    });
}

/**
 * Records each request as a span, from its arrival until its response begins. A trace that a client of this
 * machine or its private network has started is continued; the trace of any other client is linked.
 */
function traceRequests(
  tracing: Pick<Tracing, 'enter'>,
  addressOf: (c: Context) => string,
): MiddlewareHandler {
  return (c, next) => {
    const { method } = c.req;
    const traceparent = c.req.header('traceparent');
    const from = {
      traceparent,
      tracestate: c.req.header('tracestate'),
      isTrusted: traceparent !== undefined && !isPublicAddress(addressOf(c)),
      by: 'request',
    } as const;
    return tracing.enter(from, method, { 'http.request.method': method }, async (span) => {
      await next();
      const route = documentedRoute(c);
      span.rename(`${method} ${route ?? 'none'}`);
      span.set({ 'http.route': route, 'http.response.status_code': c.res.status });
    });
  };
}

/** Streams with backpressure, and stops when the client disconnects. */
function streamResponse(
  { chunks, contentType, headers }: StreamAnswer,
  { isHead }: { isHead: boolean },
): Response {
  const init = { headers: { 'Content-Type': contentType, ...headers } };
  if (isHead) return new Response(null, init);
  // The consumer runs outside the request scope that requested the pieces, and is counted.
  const asAsked = AsyncLocalStorage.snapshot();
  const source = chunks();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await asAsked(() => source.next());
        if (done) controller.close();
        else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
      },
      cancel: async () => {
        await source.return(undefined);
      },
    },
    // Nothing is produced ahead.
    { highWaterMark: 0 },
  );
  return new Response(body, init);
}

/**
 * A body chunk by chunk, for a consumer that streams it; the rest stays unread.
 * @throws AtelierError payload_too_large, body_too_slow, unreadable_request, unsupported_media_type
 */
export async function* streamBody(
  { incoming, request, onReceived }: Pick<BodySource, 'incoming' | 'request' | 'onReceived'>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  requireWholeBody(request);
  if ((Number(request.headers.get('content-length')) || 0) > maxBytes) throw tooLarge(maxBytes);
  const slow = Promise.withResolvers<never>();
  slow.promise.catch(() => {});
  const pace = watchPace(() => slow.reject(tooSlow()));
  const arriving = incoming && arrivingPieces(incoming);
  const pieces = arriving ?? request.body?.[Symbol.asyncIterator]();
  const leave = (error: unknown) => Promise.reject(brokenOff(error));
  let size = 0;
  try {
    while (pieces) {
      const { value, done } = await Promise.race([pieces.next().catch(leave), slow.promise]);
      if (done) return;
      size += value.byteLength;
      if (size > maxBytes) throw tooLarge(maxBytes);
      pace.countBytes(value.byteLength);
      onReceived?.(value.byteLength);
      // The client is not slow while the server is.
      pace.wait();
      yield value;
      pace.goOn();
    }
  } finally {
    pace.end();
    await arriving?.return?.();
  }
}

/** Chunks of a body that may wait in memory; each has up to 64 KiB. */
const PIECES_WAITING_MAX = 4;

/** By events: iterating joins arrived chunks into new buffers, which is garbage of the size of the body. */
function arrivingPieces(incoming: IncomingMessage): AsyncIterator<Uint8Array> {
  const events = on(incoming, 'data', {
    close: ['end', 'close'],
    highWaterMark: PIECES_WAITING_MAX,
    lowWaterMark: 1,
  });
  return {
    async next() {
      const { value, done } = await events.next();
      if (!done) return { value: value[0], done };
      if (!incoming.readableEnded) throw new Error('It closed before its end.');
      return { value: undefined, done };
    },
    async return() {
      await events.return?.();
      // Without a reader it would keep flowing, and be discarded.
      incoming.pause();
      return { value: undefined, done: true };
    },
  };
}
