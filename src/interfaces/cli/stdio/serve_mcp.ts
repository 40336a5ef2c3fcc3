import { Console } from 'node:console';
import type { Writable } from 'node:stream';
import { ConnectionError } from '@atelier/client/transport.ts';
import type { JSONRPCMessage, JSONRPCNotification, JSONRPCRequest } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { McpOptions } from '../world.ts';
import { type ClientRoots, createClientRoots, type RootsOptions } from './client_roots.ts';
import { MESSAGE_BYTES_MAX, ROOTS_WAIT_MS } from './limits.ts';
import { callWithFiles, type LocalCallDeps, type Sending } from './local_calls.ts';
import { createOrigins } from './origins.ts';
import { createOwnServer, remoteServer } from './own_server.ts';
import { createToolFacts } from './tool_facts.ts';
import { createUploads } from './uploads.ts';
import { type Answer, createUpstream, failed, type Params, type Upstream } from './upstream.ts';

/**
 * Serves MCP on the standard input and output of this process until the client closes them or the process receives a signal to stop
 * (docs/decisions/0003-mcp.md).
 */
export async function serveMcp({ url, dataDir, bearer, roots, out }: McpOptions): Promise<void> {
  const output = claimStdout();
  const log = (text: string) => void process.stderr.write(text);
  const wire = new StdioServerTransport(process.stdin, output, { maxBufferSize: MESSAGE_BYTES_MAX });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void wire.close());
  const server = url === undefined ? createOwnServer({ dataDir, log }) : remoteServer(url);
  // The server starts during the handshake of the client.
  server.find().catch((error: Error) => log(`${error.message}\n`));
  const base = process.cwd();
  await serveBridge({
    wire,
    upstream: createUpstream(server, bearer),
    roots: { given: roots, base, excluded: [dataDir] },
    out,
    log,
  });
  await server.close();
}

/**
 * Reserves standard output for messages: everything else that writes to it, such as a library or a forgotten
 * console.log, writes to standard error.
 */
function claimStdout(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  globalThis.console = new Console(stderr, stderr);
  return Object.create(stdout, { write: { value: write } }) as Writable;
}

interface BridgeOptions extends Pick<LocalCallDeps, 'out'> {
  readonly wire: Pick<StdioServerTransport, 'start' | 'send' | 'onmessage' | 'onclose' | 'onerror'>;
  readonly upstream: Upstream;
  readonly roots: Omit<RootsOptions, 'ask'>;
  log(text: string): void;
}

type Id = JSONRPCRequest['id'];

/**
 * An MCP server on standard input and output that forwards messages to the MCP endpoint of a server, in the
 * revision of the client.
 * Tool calls may name files of this machine. Resolves when the client has disconnected; running calls are
 * stopped.
 */
export async function serveBridge({
  wire,
  upstream,
  roots: rootsOptions,
  out,
  log,
}: BridgeOptions): Promise<void> {
  const running = new Map<Id, AbortController>();
  const asked = new Map<Id, (result: unknown) => void>();
  const closed = Promise.withResolvers<void>();
  const say = (message: JSONRPCMessage) => wire.send(message).catch(() => {});
  const roots = createClientRoots({ ...rootsOptions, ask: () => askRoots(say, asked) });
  const origins = createOrigins();
  const deps = {
    out,
    upstream,
    roots,
    origins,
    uploads: createUploads(upstream),
    tools: createToolFacts(upstream),
  };

  async function answer(request: JSONRPCRequest): Promise<void> {
    const stopping = new AbortController();
    running.set(request.id, stopping);
    const sending = { signal: stopping.signal, onMessage: (message: JSONRPCMessage) => void say(message) };
    const reply = await respond(request, deps, sending).catch((error: Error) => {
      if (!(error instanceof ConnectionError) && !stopping.signal.aborted) log(`${error.stack}\n`);
      return failed(request.id, error.message);
    });
    if (running.get(request.id) === stopping) running.delete(request.id);
    // A client that has canceled a call expects no response.
    if (!stopping.signal.aborted) await say(reply as JSONRPCMessage);
  }

  function hear(notification: JSONRPCNotification): void {
    const { method, params } = notification;
    if (method === 'notifications/cancelled') running.get(params?.requestId as Id)?.abort();
    else if (method === 'notifications/roots/list_changed') roots.forget();
    else void upstream.notify(notification, AbortSignal.timeout(ROOTS_WAIT_MS));
  }

  wire.onmessage = (message) => {
    if (!('method' in message))
      asked.get(message.id as Id)?.('result' in message ? message.result : undefined);
    else if ('id' in message) void answer(message);
    else hear(message);
  };
  wire.onerror = (error) => log(`${error.message}\n`);
  wire.onclose = () => {
    for (const call of running.values()) call.abort();
    closed.resolve();
  };
  await wire.start();
  await closed.promise;
}

/** `roots/list`, for clients before revision 2026-07-28. */
function askRoots(
  say: (message: JSONRPCMessage) => Promise<void>,
  asked: Map<Id, (result: unknown) => void>,
): Promise<unknown> {
  const id = `roots-${crypto.randomUUID()}`;
  const asking = Promise.withResolvers<unknown>();
  asked.set(id, asking.resolve);
  const late = setTimeout(() => asking.resolve(undefined), ROOTS_WAIT_MS);
  void say({ jsonrpc: '2.0', id, method: 'roots/list' });
  return asking.promise.finally(() => {
    clearTimeout(late);
    asked.delete(id);
  });
}

async function respond(
  request: JSONRPCRequest,
  deps: LocalCallDeps & { readonly roots: ClientRoots },
  sending: Sending,
): Promise<Answer> {
  switch (request.method) {
    case 'tools/call':
      return callWithFiles(request, deps, sending);
    case 'initialize':
      deps.roots.open(request.params);
      return withInstructions(await deps.upstream.request(request, sending));
    case 'server/discover':
      return withInstructions(await deps.upstream.request(request, sending));
    default:
      return deps.upstream.request(request, sending);
  }
}

const INSTRUCTIONS = `Local files: pass their paths in any image or file field, such as image: "/home/me/photo.jpg", "~/photo.jpg" or a file:// URI; uploads and request_upload are not needed. A folder runs the tool for each image in it. Results are written next to the input under a new name and never overwrite a file; path in the response is their location.`;

function withInstructions(answer: Answer): Answer {
  if (!answer.result) return answer;
  const { instructions } = answer.result as Params;
  const text = typeof instructions === 'string' ? `${INSTRUCTIONS}\n\n${instructions}` : INSTRUCTIONS;
  return { ...answer, result: { ...answer.result, instructions: text } };
}
