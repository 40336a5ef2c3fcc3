import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { audited } from '../call/audited.ts';
import { callOperation } from '../call/call_operation.ts';
import { type CallKit, callTool } from '../call/call_tool.ts';
import type { Caller } from '../call/caller.ts';
import { fromPage } from '../call/foreign_page.ts';
import { isOurHost, type KnownOrigins } from '../call/origin.ts';
import { X402_ANSWER_HEADERS } from '../call/x402_headers.ts';
import { unknownTool } from '../catalogue/unknown_tool.ts';
import { AtelierError } from '../errors.ts';
import { JSON_BODY_BYTES_MAX, OPERATION_BODY_BYTES_MAX } from '../limits.ts';
import { repairQuery } from '../operations/community/repair_query.ts';
import type { AnyOperation } from '../operations/operation.ts';
import type { SignedRequest } from '../services/ownership/index.ts';
import { imageFieldsOf } from '../tools/fields.ts';
import { addressOf, callerOf, requestId } from './caller.ts';
import { compressAnswers, holdsFile } from './compress_answers.ts';
import { logRequests, type RequestLog } from './log_requests.ts';
import { progressStream, wantsProgress } from './progress_stream.ts';
import { type BodySource, mediaType, readBody, readJson } from './read_body.ts';
import { fileResponse, jsonResponse, problemResponse, withEtag } from './respond.ts';
import { type SignedBody, signedBody } from './signed_body.ts';
import { streamResponse } from './stream_response.ts';

type Env = {
  Bindings: { incoming?: IncomingMessage; outgoing?: ServerResponse };
  Variables: { requestId: string; holdsFile?: boolean };
};
type Mounted = (
  request: Request,
  caller: { address: string; requestId: string; signed?: SignedRequest },
) => Promise<Response>;

export interface HttpOptions {
  readonly kit: CallKit;
  readonly operations: readonly AnyOperation[];
  /** Endpoints that speak a protocol of their own, such as /mcp. */
  readonly mounts: Readonly<Record<string, Mounted>>;
  readonly trustedProxies: readonly string[];
  readonly log: RequestLog;
  /** Whose pages may call here, and whether this server is on the internet at all. */
  readonly pages: KnownOrigins & { readonly isPrivate: boolean; readonly isLoopback: boolean };
  /** Told about failures that are ours. */
  report(error: unknown, context: { requestId: string; path: string }): void;
}

/** REST over the lists of tools and operations. Only translates: every rule lives in `call/`. */
export function createHttp(options: HttpOptions): Hono<Env> {
  const app = new Hono<Env>();
  app.use(logRequests(options.log, (c) => address(options, c)));
  app.use(compressAnswers());
  app.use(withHeaders());
  app.use(withOurHost(options));
  app.use(withMethods(options));
  app.use(
    cors({
      origin: '*',
      allowMethods: (_origin, c) => methodsAt(options, c.req.path),
      exposeHeaders: options.kit.x402 ? [...EXPOSED_HEADERS, ...X402_ANSWER_HEADERS] : EXPOSED_HEADERS,
      maxAge: 86_400,
    }),
  );
  app.onError((error, c) => failed(options, c, error));
  app.post('/api/tools/:name', (c) => serveTool(options, c));
  for (const [path, serve] of Object.entries(options.mounts)) {
    app.all(path, (c) => serveMount(options, serve, c));
  }
  for (const operation of options.operations) {
    app.on([...operation.methods], honoPath(operation.path), (c) => serveOperation(options, operation, c));
  }
  app.notFound((c) => failed(options, c, nothingHere(options, c)));
  return app;
}

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

/** On every answer: the request id, and what keeps a browser from doing more with it than showing it. */
function withHeaders() {
  return async (c: Context<Env>, next: () => Promise<void>) => {
    c.set('requestId', requestId(c.req.raw));
    await next();
    c.res.headers.set('X-Request-Id', c.get('requestId'));
    c.res.headers.set('X-Content-Type-Options', 'nosniff');
    c.res.headers.set('Referrer-Policy', 'no-referrer');
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
    if (!options.pages.isLoopback || isOurHost(host, options.pages)) return next();
    const caller = callerFrom(options, c, {});
    await audited(options.kit.audit, { about: 'host', caller, raw: undefined }, async () => {
      throw new AtelierError('forbidden_host', `This server is not ${host?.slice(0, 200)}.`);
    });
  };

/** Counted by address: what a protocol carries inside is counted again, by caller, as tool calls. */
async function serveMount(options: HttpOptions, serve: Mounted, c: Context<Env>): Promise<Response> {
  const from = { address: address(options, c), requestId: c.get('requestId') };
  const { limiter, rates } = options.kit;
  const caller = callerFrom(options, c, {});
  await audited(options.kit.audit, { about: 'mcp', caller, raw: undefined }, () =>
    limiter.take({ name: 'mcp', calls: rates.mcp, perSeconds: 60 }, `ip:${from.address}`),
  );
  const source = bodyOf(c);
  if (!source.signed) return serve(c.req.raw, from);
  const bytes = await readBody(source, JSON_BODY_BYTES_MAX);
  return serve(withBody(c.req.raw, bytes), { ...from, signed: source.signed.finish() });
}

/** The same request, with a body that was read already. */
function withBody({ url, method, headers, signal }: Request, bytes: Buffer): Request {
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(url, {
    method,
    headers,
    signal,
    ...(hasBody && { body: bytes as Uint8Array<ArrayBuffer> }),
  });
}

async function serveTool(options: HttpOptions, c: Context<Env>): Promise<Response> {
  const { kit } = options;
  const name = c.req.param('name')!;
  const asBytes = imageFieldsOf(kit.services.catalogue.find(name)?.input.shape ?? {});
  const source = bodyOf(c);
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
  const { request, source } = { request: c.req.raw, source: bodyOf(c) };
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const isRaw = operation.body === 'raw';
  const query = Object.fromEntries(repairQuery(new URL(request.url).searchParams));
  const maxBytes = operation.maxBodyBytes ?? OPERATION_BODY_BYTES_MAX;
  const json = isRead || isRaw || request.method === 'DELETE' ? {} : await readJson(source, maxBytes);
  const body = isRaw && {
    contentType: mediaType(request),
    bytes: await readBody(source, maxBytes),
  };
  // What nobody reads is still covered by a signature, and a body under another method is none of the operation's.
  if (source.signed && (isRead || request.method === 'DELETE')) await readBody(source, maxBytes);
  const caller = callerFrom(options, c, source);
  const answer = await callOperation(
    options.kit,
    operation,
    { ...query, ...json, ...c.req.param() },
    caller,
    {
      method: request.method,
      header: (name) => request.headers.get(name) ?? undefined,
      ...(body && { body }),
    },
  );
  if ('stream' in answer) return streamResponse(answer.stream, { isHead: request.method === 'HEAD' });
  const response = 'file' in answer ? fileResponse(answer.file) : jsonResponse(answer);
  if (!isRead || !response.ok) return response;
  // What also takes POST writes: a kept copy of such an answer would stand for a post that never happened.
  if (operation.methods.includes('POST')) response.headers.set('Cache-Control', 'no-store');
  else
    return withEtag(request, response, {
      cacheSeconds: operation.cacheSeconds ?? 0,
      hasParts: 'file' in answer,
    });
  return response;
}

/** The only reader of the body; a signed one is seen on its way. */
function bodyOf(c: Context<Env>): BodySource & { signed?: SignedBody } {
  const { incoming } = c.env ?? {};
  const request = c.req.raw;
  const signed = signedBody(incoming, request);
  return { incoming, request, ...(signed && { signed, onBytes: signed.onBytes }) };
}

/** Who calls; once the body was read. */
function callerFrom(options: HttpOptions, c: Context<Env>, { signed }: { signed?: SignedBody }): Caller {
  const caller = callerOf(c.req.raw, address(options, c), c.get('requestId'));
  const from = { ...caller, ...fromPage(c.req.raw.headers, options.pages) };
  return signed ? { ...from, signed: signed.finish() } : from;
}

const address = ({ trustedProxies }: HttpOptions, c: Context<Env>): string =>
  addressOf(c.env?.incoming, c.req.raw, trustedProxies);

function failed(options: HttpOptions, c: Context<Env>, error: unknown): Response {
  const id = c.get('requestId') ?? requestId(c.req.raw);
  return problemResponse(error, {
    request: c.req.raw,
    requestId: id,
    publicUrl: options.kit.services.site.publicUrl,
    report: (inner) => options.report(inner, { requestId: id, path: c.req.path }),
  });
}

/** A path we know with another method is 405 with Allow; anything else is 404. */
function nothingHere(options: HttpOptions, c: Context<Env>): AtelierError {
  const { method, path } = c.req;
  const allowed = methodsAt(options, path);
  if (allowed.length === 0) {
    const [, tool] = TOOL_PATH.exec(path) ?? [];
    if (tool) return unknownTool(options.kit.services.catalogue, tool);
    return new AtelierError(
      'not_found',
      `Nothing is served at ${path.slice(0, 200)}. See /openapi.json for every path.`,
    );
  }
  const allow = allowed.join(', ');
  return new AtelierError('method_not_allowed', `${path.slice(0, 200)} takes ${allow}, not ${method}.`, {
    headers: { Allow: allow },
  });
}

const TOOL_PATH = /^\/api\/tools\/([^/]+)$/;

/** What is served at a path; nothing where nothing is. */
function methodsAt({ kit, operations, mounts }: HttpOptions, path: string): string[] {
  const [, tool] = TOOL_PATH.exec(path) ?? [];
  if (tool) return kit.services.catalogue.find(tool) ? ['POST'] : [];
  if (Object.hasOwn(mounts, path)) return ['POST'];
  const methods = operations
    .filter((operation) => pathPattern(operation.path).test(path))
    .flatMap((operation) => operation.methods);
  return [...new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods)];
}

/** What OPTIONS says of a path, to pages (CORS) and to everybody else (Allow). */
const withMethods =
  (options: HttpOptions): MiddlewareHandler<Env> =>
  async (c, next) => {
    await next();
    const allowed = c.req.method === 'OPTIONS' ? methodsAt(options, c.req.path) : [];
    if (allowed.length > 0) c.res.headers.set('Allow', [...allowed, 'OPTIONS'].join(', '));
  };

/** `/a/{b}/{c}` → `/a/:b/:c{.+}`: the last parameter may hold slashes (asset keys do). */
const honoPath = (path: string): string => path.replace(/\{(\w+)\}$/, ':$1{.+}').replace(/\{(\w+)\}/g, ':$1');

const pathPattern = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replace(/[.]/g, '\\.')
      .replace(/\{\w+\}$/, '.+')
      .replace(/\{\w+\}/g, '[^/]+')}$`,
  );
