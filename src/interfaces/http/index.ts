import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { JSON_BODY_BYTES_MAX, JSON_BODY_COPIES } from '../../config/limits.ts';
import { AtelierError, isForOperator } from '../../core/errors/atelier_error.ts';
import type { Visit } from '../../core/request_scope/types.ts';
import { repairQuery } from '../../features/community/routes/repair_query.ts';
import { imageFieldsOf } from '../../features/definitions/fields.ts';
import { type AnyOperation, type BytesAnswer, isStoredFile } from '../../features/definitions/operation.ts';
import { limitsOf } from '../../features/definitions/tool.ts';
import type { SignedRequest } from '../../features/wallets/ownership/types.ts';
import { isOwnHost, type KnownOrigins, precheckCpu, readPageOrigin } from '../../pipeline/admission.ts';
import { asAtelierError } from '../../pipeline/errors.ts';
import { auditRefusals, recordClientError, requireFewClientErrors } from '../../pipeline/observe.ts';
import { callOperation, isCountedInCpu } from '../../pipeline/operations.ts';
import { callTool } from '../../pipeline/pipeline.ts';
import type { CallResponse, Client, PipelineContext } from '../../pipeline/types.ts';
import { addressOf, callerOf, exactAddressOf, normaliseAddress, requestId } from './caller.ts';
import { compressAnswers, holdsFile } from './compress_answers.ts';
import { hasCredentials, limitsToLookAt, lookEarly } from './early_look.ts';
import { exposedHeaders } from './exposed_headers.ts';
import { PARSE_TURN_BYTES_MIN } from './limits.ts';
import type { RequestLogger } from './log_requests.ts';
import { observeRequests } from './observe_requests.ts';
import { createParseTurns } from './parse_turns.ts';
import { progressStream, wantsProgress } from './progress_stream.ts';
import { type BodySource, closingConnection, mediaType, readBody, readJson } from './read_body.ts';
import {
  fileResponse,
  isForPerson,
  jsonResponse,
  problemPageResponse,
  problemResponse,
  withEtag,
} from './respond.ts';
import { honoPath, methodsAt, nothingHere } from './routes.ts';
import { type SignedBody, signedBody } from './signed_body.ts';
import { storedFileResponse } from './stored_file.ts';
import { streamBody } from './stream_body.ts';
import { streamResponse } from './stream_response.ts';

/** The largest body of an operation that names no other bound: no picture comes in there. */
const OPERATION_BODY_BYTES_MAX = 1024 * 1024;

type Env = {
  Bindings: { incoming?: IncomingMessage; outgoing?: ServerResponse };
  Variables: { requestId: string; holdsFile?: boolean; visit?: Visit };
};
type Mounted = (request: Request, from: MountedRequest) => Promise<Response>;

/** What an endpoint that speaks a protocol of its own has to know of a request. */
interface MountedRequest {
  readonly address: string;
  readonly requestId: string;
  readonly signed?: SignedRequest;
  readBody(): Promise<Buffer>;
  /** Counts messages that came in one request beside its first. */
  countMore(messages: number): Promise<void>;
}

/** What is known of a request of a browser that was refused: its path and query, and its Cookie header. */
interface RefusedRequest {
  readonly address: string;
  readonly requestId: string;
  readonly cookies: string | undefined;
}

export interface HttpOptions {
  readonly kit: PipelineContext;
  readonly operations: readonly AnyOperation[];
  /** Endpoints that speak a protocol of their own, such as /mcp. */
  readonly mounts: Readonly<Record<string, Mounted>>;
  readonly trustedProxies: readonly string[];
  readonly logger: RequestLogger;
  /** Whose pages may call here, and whether this server is on the internet at all. */
  readonly pages: KnownOrigins & { readonly isPrivate: boolean; readonly isLoopback: boolean };
  /** What a browser shows of a request that was refused; absent: the problem object everybody gets. */
  showProblem?(error: AtelierError, request: RefusedRequest): Promise<BytesAnswer>;
  /** Resolves when it is the turn of an address to parse a large body. */
  parseTurn(address: string): Promise<void>;
  /** Told about failures that are ours. */
  report(error: unknown, context: { requestId: string; path: string }): void;
}

/** REST over the lists of tools and operations. Only translates: every rule lives in `pipeline/`. */
export function createHttp(given: Omit<HttpOptions, 'parseTurn'>): Hono<Env> {
  const options: HttpOptions = { ...given, parseTurn: createParseTurns() };
  const app = new Hono<Env>();
  // First, so that the CPU time of everything below counts for the visit.
  app.use(withVisit(options));
  app.use(...observeRequests(options.kit, options.logger, (c) => address(options, c)));
  app.use(compressAnswers());
  app.use(withHeaders());
  app.use(withOurHost(options));
  app.use(withMethods(options));
  app.use(
    cors({
      origin: '*',
      allowMethods: (_origin, c) => methodsAt(options, c.req.path),
      exposeHeaders: exposedHeaders(options.kit),
      maxAge: 86_400,
    }),
  );
  app.onError((error, c) => answerFailure(options, c, error));
  app.post('/api/tools/:name', (c) => serveTool(options, c));
  for (const [path, serve] of Object.entries(options.mounts)) {
    app.all(path, (c) => serveMount(options, serve, c));
  }
  for (const operation of options.operations) {
    app.on([...operation.methods], honoPath(operation.path), (c) => serveOperation(options, operation, c));
  }
  app.notFound((c) => answerFailure(options, c, nothingHere(options, c.req)));
  return app;
}

/** On every answer: the request id, and what keeps a browser from doing more with it than showing it. */
function withHeaders() {
  return async (c: Context<Env>, next: () => Promise<void>) => {
    c.set('requestId', requestId(c.req.raw));
    await next();
    c.res.headers.set('X-Request-Id', c.get('requestId'));
    c.res.headers.set('X-Content-Type-Options', 'nosniff');
    // nginx keeps answers back unless it is told not to, by its file or by the answer.
    if (c.res.headers.get('Content-Type')?.startsWith('text/event-stream'))
      c.res.headers.set('X-Accel-Buffering', 'no');
    if (!c.res.headers.has('Referrer-Policy')) c.res.headers.set('Referrer-Policy', 'no-referrer');
    if (!c.res.headers.has('Content-Security-Policy')) {
      c.res.headers.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
    }
  };
}

/** On loopback, also of reads: to a browser, a page whose name was rebound to this machine is one of ours. */
const withOurHost =
  (options: HttpOptions): MiddlewareHandler<Env> =>
  async (c, next) => {
    const host = c.req.header('host') ?? null;
    if (!options.pages.isLoopback || isOwnHost(host, options.pages)) return next();
    const caller = callerFrom(options, c, {});
    await auditRefusals(options.kit.audit, { about: 'host', client: caller, raw: undefined }, async () => {
      throw new AtelierError('forbidden_host', `This server is not ${host?.slice(0, 200)}.`);
    });
  };

/** What OPTIONS says of a path, to pages (CORS) and to everybody else (Allow). */
const withMethods =
  (options: HttpOptions): MiddlewareHandler<Env> =>
  async (c, next) => {
    await next();
    const allowed = c.req.method === 'OPTIONS' ? methodsAt(options, c.req.path) : [];
    if (allowed.length > 0) c.res.headers.set('Allow', [...allowed, 'OPTIONS'].join(', '));
  };

/** What a request holds in memory it holds until its answer has been sent. */
function withVisit(options: HttpOptions): MiddlewareHandler<Env> {
  return async (c, next) => {
    const { incoming } = c.env ?? {};
    const cpu = { address: exactAddressOf(incoming, c.req.raw, options.trustedProxies) };
    const visit = options.kit.visits.begin(normaliseAddress(cpu.address), cpu);
    c.set('visit', visit);
    const { outgoing } = c.env ?? {};
    outgoing?.once('close', visit.close);
    try {
      await visit.run(next);
    } finally {
      if (!outgoing || outgoing.closed) visit.close();
    }
  };
}

/** Counted by address: what a protocol carries inside is counted again, by caller, as tool calls. */
async function serveMount(options: HttpOptions, serve: Mounted, c: Context<Env>): Promise<Response> {
  const { limiter, rates } = options.kit;
  const from = { address: address(options, c), requestId: c.get('requestId') };
  const count = () => limiter.take({ name: 'mcp', calls: rates.mcp, perSeconds: 60 }, `ip:${from.address}`);
  await requireFewClientErrors(options.kit, from.address);
  precheckCpu(options.kit, { bringsCredentials: hasCredentials(c.req.raw) });
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
  const { kit } = options;
  const name = c.req.param('name')!;
  const tool = kit.services.catalogue.find(name);
  await lookEarly(kit, c.req.raw, address(options, c), { limits: limitsToLookAt(kit, tool) });
  const asBytes = imageFieldsOf(tool?.input.shape ?? {});
  const source = bodyOf(options, c);
  const raw = await readJson(source, JSON_BODY_BYTES_MAX, asBytes);
  const caller = callerFrom(options, c, source);
  if (wantsProgress(c.req.raw) && !caller.respondAsync) {
    const report = (error: unknown) =>
      options.report(error, { requestId: caller.requestId, path: c.req.path });
    const { publicUrl } = kit.services.site;
    return progressStream(c, {
      caller,
      publicUrl,
      report,
      work: (watched) => callTool(kit, name, raw, watched),
    });
  }
  const answer = await callTool(kit, name, raw, caller);
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
  // Documents and health are for everybody.
  if (operation.tag !== 'discovery')
    await lookEarly(options.kit, request, address(options, c), {
      limits: limitsOf(limit),
      isCountedInCpu: isCountedInCpu(operation),
    });
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const isRaw = operation.body === 'raw';
  const isStream = operation.body === 'stream';
  const query = Object.fromEntries(repairQuery(new URL(request.url).searchParams));
  const maxBytes = operation.maxBodyBytes ?? OPERATION_BODY_BYTES_MAX;
  const json =
    isRead || isRaw || isStream || request.method === 'DELETE' ? {} : await readJson(source, maxBytes);
  const body = isRaw && {
    contentType: mediaType(request),
    bytes: await readBody(source, maxBytes),
  };
  // What nobody reads is still covered by a signature, and a body under another method is none of the operation's.
  if (source.signed && (isRead || request.method === 'DELETE')) await readBody(source, maxBytes);
  const caller = callerFrom(options, c, source);
  const answering = callOperation(options.kit, operation, { ...query, ...json, ...c.req.param() }, caller, {
    method: request.method,
    header: (name) => request.headers.get(name) ?? undefined,
    ...(body && { body }),
    ...(isStream && { stream: streamBody(source, maxBytes) }),
  });
  const answer = await (isStream
    ? answering.catch((error) => Promise.reject(closingConnection(error)))
    : answering);
  if ('stream' in answer) return streamResponse(answer.stream, { isHead: request.method === 'HEAD' });
  const file = 'file' in answer ? answer.file : undefined;
  if (file && isStoredFile(file))
    return storedFileResponse(request, file, { cacheSeconds: operation.cacheSeconds ?? 0 });
  const response = file ? fileResponse(file) : jsonResponse(answer as CallResponse);
  if (!isRead || !response.ok) return response;
  // What also takes POST writes: a kept copy of such an answer would stand for a post that never happened.
  if (operation.methods.includes('POST')) response.headers.set('Cache-Control', 'no-store');
  else
    return withEtag(request, response, {
      cacheSeconds: operation.cacheSeconds ?? 0,
      hasParts: file !== undefined,
    });
  return response;
}

/** The only reader of the body; a signed one is seen on its way. */
function bodyOf(options: HttpOptions, c: Context<Env>): BodySource & { signed?: SignedBody } {
  const { incoming } = c.env ?? {};
  const request = c.req.raw;
  const signed = signedBody(incoming, request);
  const { reserve } = options.kit.visits;
  const onReceived = c.get('visit')?.receive;
  return {
    incoming,
    request,
    reserve,
    parseTurn: () => options.parseTurn(address(options, c)),
    ...(onReceived && { onReceived }),
    ...(signed && { signed, onBytes: signed.onBytes }),
  };
}

/** Who calls; once the body was read. */
function callerFrom(options: HttpOptions, c: Context<Env>, { signed }: { signed?: SignedBody }): Client {
  const caller = callerOf(c.req.raw, address(options, c), c.get('requestId'));
  const from = { ...caller, ...readPageOrigin(c.req.raw, options.pages) };
  return signed ? { ...from, signed: signed.finish() } : from;
}

const address = ({ trustedProxies }: HttpOptions, c: Context<Env>): string =>
  addressOf(c.env?.incoming, c.req.raw, trustedProxies);

async function answerFailure(options: HttpOptions, c: Context<Env>, error: unknown): Promise<Response> {
  const id = c.get('requestId') ?? requestId(c.req.raw);
  const known = asAtelierError(error);
  const about = c.req.path;
  await recordClientError(options.kit, known, { address: address(options, c), requestId: id, about });
  if (isForOperator(known.code)) options.report(error, { requestId: id, path: c.req.path });
  if (options.showProblem && isForPerson(c.req.raw)) {
    const { pathname, search } = new URL(c.req.url);
    const request = { address: pathname + search, requestId: id, cookies: c.req.header('cookie') };
    return problemPageResponse(known, options.showProblem(known, request));
  }
  const { publicUrl } = options.kit.services.site;
  return problemResponse(known, { request: c.req.raw, requestId: id, publicUrl });
}
