import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Body, Reply } from '@atelier/client/transport.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import type { CallContext } from '../../features/definitions/tool.ts';
import type { Connection } from './client.ts';
import { UsageError } from './usage_error.ts';

/** The app, opened in this process. */
export interface OpenedApp {
  fetch(request: Request): Response | Promise<Response>;
  close(): Promise<void>;
}

export interface Places {
  /** A server named by the user. */
  readonly url?: string | undefined;
  /** Folder whose running server is used, when there is one. */
  readonly dataDir?: string | undefined;
  readonly fetch: (request: Request) => Promise<Response>;
  openApp(): Promise<OpenedApp>;
}

/**
 * The server to call: the one named, else the one that runs on this data folder, else the app itself in this process, opened
 * when it is first called. (Two processes must never open the same embedded database.) @throws UsageError for a URL that is none
 */
export async function connect({ url, dataDir = '', fetch, openApp }: Places): Promise<Connection> {
  const address = url === undefined ? await runningServer(dataDir) : checkUrl(url);
  if (address !== undefined) return { baseUrl: address, fetch, close: async () => {} };
  let app: Promise<OpenedApp> | undefined;
  return {
    baseUrl: 'http://127.0.0.1',
    here: {
      note: `No server is named with --url or runs on ${dataDir}, so the call runs here: links in the answer end with it.`,
      readCatalogue: readLocalCatalogue,
    },
    async fetch(request) {
      app ??= openApp();
      return (await app).fetch(request);
    },
    close: async () => (await app)?.close(),
  };
}

function checkUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:')
    return url.href.replace(/[?#].*$/, '').replace(/\/+$/, '');
  throw new UsageError(
    `--url must start with http:// or https://, such as http://127.0.0.1:8080; got "${text}".`,
  );
}

/** The address a server wrote into its data folder, if its process is still there. */
async function runningServer(dataDir: string): Promise<string | undefined> {
  const text = await readFile(join(dataDir, 'server.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const { pid, url } = JSON.parse(text) as { pid: number; url: string };
    return Number.isInteger(pid) && pid > 0 && isAlive(pid) ? checkUrl(url) : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process is there and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Answers search_tools and get_tool_schema from the list of this program: no server, no database, nothing written. */
async function readLocalCatalogue(name: string, input: Body): Promise<Reply> {
  // Loaded when it is needed: with a server at hand reading all tools would be most of a command's time.
  const { createCatalogue } = await import('../../catalog/create_catalogue.ts');
  const { tools } = await import('../../features/tools.ts');
  const tool = tools.find((other) => other.name === name)!;
  try {
    const services = { catalogue: createCatalogue(tools) };
    const body = await tool.run(tool.input.parse(input), services as never, {} as CallContext);
    return { status: 200, body: body as Body };
  } catch (error) {
    if (!(error instanceof AtelierError)) throw error;
    const { status, message, details } = error;
    return { status, body: { status, detail: message, ...details.members } };
  }
}
