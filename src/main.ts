import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { App } from './app.ts';
import type { Config } from './config/config.ts';
import { HEADERS_TIMEOUT_MS } from './config/limits.ts';
import { REQUEST_TIMEOUT_MS, TIMEOUT_CHECK_MS } from './interfaces/http/limits.ts';

/** Interval of memory checks in the main process: four clients that resize produce 140 MB of garbage per second. */
const MEMORY_CHECK_MS = 250;

/** Above this size, garbage is collected after each growth by SERVER_GROWTH_BYTES. A new process uses 200 MB. */
const SERVER_MEMORY_BYTES_MIN = 256 * 1024 * 1024;
const SERVER_GROWTH_BYTES = 32 * 1024 * 1024;
/** Growth of the old generation that triggers a collection. */
const SERVER_OLD_GROWTH_BYTES = 96 * 1024 * 1024;

/** Semi-spaces start at 1 MB; 4 MB as in image-processing workers. */
const YOUNG_GENERATION_GROWTH = 4;

/**
 * Budget of a WebAssembly function before V8 optimises it, in about bytes: 8 times the default. Opening the embedded database runs
 * hundreds of functions just often enough for the default, and optimising them took a quarter of the CPU time of a start.
 */
const WASM_TIERING_BUDGET = 100_000_000;

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `Atelier needs Node 24; this is ${process.version}. "npm start" uses the Node that "npm ci" installs.`,
  );
  process.exit(1);
}
// Images pass through as bytes outside V8's heap. V8 collects the whole heap after every 32 MB of such bytes, about eight
// requests, which took a third of this process. With these it collects when heap and bytes together have tripled.
setFlagsFromString('--external-memory-accounted-in-global-limit');
setFlagsFromString('--heap-growing-percent=200');
// Set before sources are loaded: V8 rejects code that was compiled with other flags.
setFlagsFromString(`--wasm-tiering-budget=${WASM_TIERING_BUDGET}`);
keepYoungGeneration(YOUNG_GENERATION_GROWTH);
collectAbove(SERVER_MEMORY_BYTES_MIN);

// Loaded after the check: an older Node cannot read the rest.
await import('./config/config.ts').then(({ readConfig }) => start(readConfig())).catch(giveUp);

/**
 * Grows the semi-spaces of V8 by `factor`, and keeps that size: by default they grow to 64 MB each, and only a `node` flag limits them. V8 shrinks them
 * at a full collection during low allocation, as between two calls; then they are grown again. At 1 MB there were 4 times as many scavenges,
 * each of which ages the objects of running calls and visits every handle of a running `JSON.parse`: a text of 11 million values took 29 s of
 * CPU instead of 2.5 s. See decisions 6, 14 and 20.
 */
function keepYoungGeneration(factor: number): void {
  const size = () =>
    getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? Infinity;
  const least = 2 * factor * 1024 * 1024;
  const grow = () => {
    if (size() >= least) return;
    setFlagsFromString(`--semi-space-growth-factor=${factor}`);
    // They grow at the end of a scavenge in which as many bytes survived as they hold.
    const survivors: object[] = [];
    while (size() < least && survivors.length < 200_000)
      for (let count = 0; count < 1000; count += 1) survivors.push({ count });
    setFlagsFromString('--semi-space-growth-factor=1');
  };
  grow();
  setInterval(grow, MEMORY_CHECK_MS).unref();
}

/**
 * Tripling is too much if a few responses hold hundreds of megabytes: above this size garbage is collected immediately. The chunks of bodies are young
 * objects: collecting them takes a tenth of the time of a full collection, during which nothing else runs.
 */
function collectAbove(bytes: number): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: { readonly type: 'minor' | 'major' }) => void;
  // Resident memory, and bytes outside the heap: freed memory that is filled with garbage again does not grow.
  const sizes = () => {
    const { rss, arrayBuffers } = process.memoryUsage();
    return [Math.max(rss, bytes - SERVER_GROWTH_BYTES), arrayBuffers];
  };
  const isGrown = (now: number[], held: number[], by: number) =>
    now.some((size, at) => size > held[at]! + by);
  let [afterMinor, afterMajor] = [sizes(), sizes()];
  const look = () => {
    const now = sizes();
    if (isGrown(now, afterMajor, SERVER_OLD_GROWTH_BYTES)) {
      collect({ type: 'major' });
      afterMajor = sizes();
      afterMinor = afterMajor;
    } else if (isGrown(now, afterMinor, SERVER_GROWTH_BYTES)) {
      collect({ type: 'minor' });
      afterMinor = sizes();
    }
    // Collected memory is returned to the system later; the next checks see it.
    const lower = (held: number[]) => held.map((size, at) => Math.min(size, now[at]!));
    [afterMinor, afterMajor] = [lower(afterMinor), lower(afterMajor)];
  };
  setInterval(look, MEMORY_CHECK_MS).unref();
}

/**
 * Listens, opens the app and prints the URL. Requests that arrive while the app opens wait for it.
 * SIGTERM and SIGINT stop it: no new calls, running ones finish, everything is closed.
 */
async function start(config: Config): Promise<void> {
  // The database opens in its own thread while this one reads the rest of the sources, which takes as long.
  const data = (await import('./features/operator/storage/open_data.ts')).openData(config);
  data.catch(() => {}); // Reported when the app awaits it.
  const { serve } = await import('@hono/node-server');
  const { openApp } = await import('./app.ts');
  const opening = Promise.withResolvers<Awaited<ReturnType<typeof openApp>>>();
  const server = serve({
    fetch: async (request, env) => (await opening.promise).fetch(request, env as object),
    port: config.PORT,
    hostname: config.HOST,
    serverOptions: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    },
  }) as Server;
  await guardConnections(server, config, opening.promise);
  const { watchServing } = await import('./interfaces/http/connections.ts');
  const serving = watchServing(server);
  await listenOn(server, config);
  const url = addressOf(server, config.HOST);
  const notice = join(config.DATA_DIR, 'server.json');
  await explainFullDisk(config, async () => {
    const publicUrl = config.PUBLIC_URL?.replace(/\/+$/, '') ?? url;
    opening.resolve(await openApp(config, publicUrl, { data, isServer: true }));
    await writeFile(notice, JSON.stringify({ pid: process.pid, url }));
  });
  const stop = async (signal: 'SIGTERM' | 'SIGINT') => {
    // On a terminal there are no clients to wait for.
    if (config.DRAIN_MS > 0 && signal === 'SIGTERM') {
      (await opening.promise).leave();
      serving.leave();
      await new Promise((resolve) => setTimeout(resolve, config.DRAIN_MS));
    }
    (await opening.promise).endStreams();
    // Every tool has a deadline; connections that are still open after it only delay the stop.
    await serving.stop(config.TOOL_DEADLINE_MS);
    await (await opening.promise).close();
    await rm(notice, { force: true });
    process.exit(0);
  };
  // A process group is often told twice, by its launcher and by the system; once is enough.
  let isStopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (!isStopping) stop(signal).catch(giveUp);
      isStopping = true;
    });
  }
  // After the handlers: a program that reads the greeting may stop the server at once.
  console.log(greeting(url, await setupHint(config)));
  void (await opening.promise).startFetching().then((line) => line !== undefined && console.log(line));
}

/** Replaces the error of a disk that fills up during the start by a sentence. */
async function explainFullDisk({ DATA_DIR }: Config, work: () => Promise<void>): Promise<void> {
  const { isDiskFull } = await import('./core/storage/blobs/disk.ts');
  const { diskFullMessage } = await import('./core/storage/blobs/data_folder.ts');
  await work().catch((error: unknown) => {
    throw isDiskFull(error) ? new Error(diskFullMessage(DATA_DIR), { cause: error }) : error;
  });
}

/** Sets up what runs before the app: connection limits, and responses to malformed requests. */
async function guardConnections(
  server: Server,
  config: Config,
  opening: Promise<Pick<App, 'recordRefusedConnection'>>,
): Promise<void> {
  const { answerMalformed } = await import('./interfaces/http/connections.ts');
  const { boundConnections } = await import('./interfaces/http/connections.ts');
  const { drainRefused } = await import('./interfaces/http/connections.ts');
  boundConnections(server, {
    inAll: config.CONNECTIONS_MAX,
    perAddress: config.CONNECTIONS_PER_ADDRESS,
    trustedProxies: config.TRUSTED_PROXIES,
    onRefused: async (from, code) => (await opening).recordRefusedConnection(from, code),
  });
  drainRefused(server);
  answerMalformed(server, () => config.PUBLIC_URL?.replace(/\/+$/, '') ?? addressOf(server, config.HOST));
}

function listenOn(server: Server, { HOST, PORT }: Pick<Config, 'HOST' | 'PORT'>): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new Error(cannotListen(error, HOST, PORT))),
    );
    server.once('listening', resolve);
  });
}

function cannotListen({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE')
    return `Another program is listening on ${host}:${port}. Stop it, or set PORT to another number (0 selects a free port).`;
  return `Cannot listen on ${host}:${port}: ${message}. Set HOST to an IP address of this machine and PORT to a free port.`;
}

/** URL at which clients on this machine reach the server; without a port if it is not listening. */
function addressOf(server: Server, host: string): string {
  const listening = server.address() as AddressInfo | null;
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return listening ? `http://${name}:${listening.port}` : `http://${name}`;
}

function greeting(url: string, hint: string): string {
  return `Atelier is open.

  studio             ${url}/
  tools and prices   ${url}/llms.txt
  REST               ${url}/openapi.json
  MCP                ${url}/mcp
  health             ${url}/health

Try it:
  curl -s ${url}/api/tools/search_tools -d '{}'
${hint}`;
}

async function setupHint(config: Config): Promise<string> {
  if (hasMuseums(config)) return '';
  const { ownCommand } = await import('./config/config.ts');
  return `\nTo download optional models and museum data: ${ownCommand('setup', { folder: process.cwd() })}\n`;
}

/** Whether artworks of a museum were downloaded, or are to be. */
function hasMuseums({ DATA_DIR, MUSEUMS_PULL }: Config): boolean {
  return MUSEUMS_PULL.length > 0 || existsSync(join(DATA_DIR, 'museums'));
}

function giveUp(error: Error): never {
  console.error(error.message);
  process.exit(1);
}
