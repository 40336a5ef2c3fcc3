import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { z } from 'zod';
import { createCatalogue } from '../../src/catalog/create_catalogue.ts';
import { readConfig } from '../../src/config/config.ts';
import type { AtelierError } from '../../src/core/errors/atelier_error.ts';
import { FREE } from '../../src/features/definitions/price.ts';
import { type CallContext, defineTool } from '../../src/features/definitions/tool.ts';
import { getToolSchema } from '../../src/features/discovery/tools/get_tool_schema.ts';
import { searchTools } from '../../src/features/discovery/tools/search_tools.ts';
import { runCli } from '../../src/interfaces/cli/run_cli.ts';
import type { World } from '../../src/interfaces/cli/world.ts';
import { sampleTools } from './sample_tools.ts';

export const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
export const WALLET = `0x${'a'.repeat(40)}`;
export const KEY = `atl_key_${'k'.repeat(43)}`;
export const turned = {
  image_b64: PNG.toString('base64'),
  content_type: 'image/png',
  note: null,
  result_url: 'http://fake/api/results/1',
  cost: { credit: 0, usd: 0 },
};
type Reply = { status: number; body: Record<string, unknown> };

const keepFile = defineTool({
  name: 'keep_file',
  title: 'Keep a file',
  category: 'storage',
  summary: 'Keep the bytes.',
  price: FREE,
  input: z.object({
    data: z.string().meta({ contentMediaType: 'application/octet-stream' }),
    content_type: z.string().default('image/png'),
  }),
  output: z.object({ kept: z.boolean() }),
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  examples: [],
  run: () => Promise.reject(new Error('not called')),
});
const services = { catalogue: createCatalogue([...sampleTools, keepFile]) };
const readCatalogue = async (tool: string, input: Record<string, unknown>): Promise<Reply> => {
  const answered = await answer(post(`/api/tools/${tool}`, input), { status: 0, body: {} }, []);
  return { status: answered.status, body: (await answered.json()) as Record<string, unknown> };
};
const post = (path: string, body: object) =>
  new Request(`http://fake${path}`, { method: 'POST', body: JSON.stringify(body) });

/** The two catalogue tools actually run; any other call is answered with `reply` over an event stream. */
async function answer(request: Request, reply: Reply, sent: SentCall[]): Promise<Response> {
  const tool = new URL(request.url).pathname.replace('/api/tools/', '');
  if (tool === '/api/jobs/job_1') return Response.json(await job(sent, request.method));
  if (tool.startsWith('/api/jobs/')) return Response.json({ detail: 'No such job.' }, { status: 404 });
  if (tool === '/api/results/none') return Response.json({}, { status: 404 });
  if (tool === '/api/results/1') return new Response(PNG, { headers: { 'Content-Type': 'image/png' } });
  if (tool === '/api/wallet') {
    const isKnown = request.headers.get('authorization') === `Bearer ${KEY}`;
    return Response.json(isKnown ? { wallet: WALLET } : { detail: 'The key was revoked.' });
  }
  const input = (await request.json()) as Record<string, unknown>;
  try {
    if (tool === 'search_tools')
      return Response.json(
        await searchTools.run(searchTools.input.parse(input), services, {} as CallContext),
      );
    if (tool === 'get_tool_schema')
      return Response.json(
        await getToolSchema.run(getToolSchema.input.parse(input), services, {} as CallContext),
      );
  } catch (error) {
    const { message, details, status } = error as AtelierError;
    return Response.json({ detail: message, status, ...details.members }, { status });
  }
  const authorization = request.headers.get('authorization');
  const prefer = request.headers.get('prefer');
  sent.push({ tool, input, authorization, prefer });
  // Calls here are never long.
  if (prefer === 'respond-async') return Response.json({ job_id: 'job_1', state: 'queued' }, { status: 202 });
  const events = `: hello\n\nevent: progress\ndata: {"fraction":0.5,"message":"half\\u001b[2J way"}\n\nevent: result\r\ndata: ${JSON.stringify(reply)}\r\n\r\n`;
  return new Response(events, { headers: { 'Content-Type': 'text/event-stream' } });
}

/** Running at the first poll, finished at the second. */
async function job(sent: SentCall[], method: string) {
  const progress = { fraction: 0.25, message: 'a quarter' };
  if (method === 'DELETE') return { job_id: 'job_1', tool: 'turn_image', state: 'canceled', progress };
  if (!sent.some(({ tool }) => tool === 'looked')) {
    sent.push({ tool: 'looked', input: {}, authorization: null, prefer: null });
    return { job_id: 'job_1', tool: 'turn_image', state: 'running', progress, estimate: { seconds_left: 3 } };
  }
  return { job_id: 'job_1', tool: 'turn_image', state: 'succeeded', progress, result: turned };
}

interface SentCall {
  prefer: string | null;
  tool: string;
  input: Record<string, unknown>;
  authorization: string | null;
}
interface Options {
  reply?: Reply;
  isTTY?: boolean;
  stdin?: Buffer;
  wallet?: string;
  /** The app is in this process. */
  isHere?: boolean;
  /** Runs when the call arrives. */
  before?: () => void;
  /** Parts of the environment that differ. */
  world?: Partial<World>;
  /** Answer of the user to a yes/no question. */
  answer?: boolean;
  /** Line typed by the user. */
  ask?: (question: string) => Promise<string | undefined>;
}

/** Output and exit code of a command. */
export interface Ran {
  code: number;
  stdout: Buffer;
  stderr: string;
  sent: SentCall | undefined;
}

/** Runs the command line in a separate folder for each test. */
export function cliInAFolder() {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'atelier-cli-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  return {
    get folder() {
      return folder;
    },
    run: (words: string[], options: Options = {}) => run(folder, words, options),
    /** @returns its path */
    picture(name = 'photo.png'): string {
      writeFileSync(join(folder, name), PNG);
      return join(folder, name);
    },
  };
}

async function run(
  folder: string,
  words: string[],
  {
    reply = { status: 200, body: turned },
    isTTY = false,
    stdin,
    wallet,
    isHere,
    before,
    world,
    answer: says,
    ask,
  }: Options = {},
): Promise<Ran> {
  const sent: SentCall[] = [];
  const written = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  const output = (to: Buffer[]) => ({
    isTTY,
    columns: 80,
    hasColors: () => isTTY,
    write: (text: string | Uint8Array) => to.push(Buffer.from(text)),
  });
  const code = await runCli(words, {
    terminal: {
      stdout: output(written.stdout),
      stderr: output(written.stderr),
      readStdin: async () => stdin ?? Buffer.alloc(0),
      ...(says !== undefined && { confirm: async () => says }),
      ...(ask && { ask }),
    },
    settings: { wallet, dataDir: join(folder, 'data') },
    folder,
    signal: new AbortController().signal,
    readConfig: (given) =>
      readConfig({ SIGNING_SECRET: 's'.repeat(32), DATABASE_URL: 'postgres://me:hunter2@db/x', ...given }),
    openBackups: () => Promise.reject(new Error('no test here backs anything up')),
    openMaintenance: () => Promise.reject(new Error('no test here keeps anything quiet')),
    openMove: () => Promise.reject(new Error('no test here moves anything')),
    openModels: () => Promise.reject(new Error('no test here asks for networks')),
    openSubjects: () => Promise.reject(new Error('no test here asks for subjects')),
    openMarkTrials: () => Promise.reject(new Error('no test here checks marks')),
    openDataset: () => Promise.reject(new Error('no test here asks for the dataset')),
    openSetup: () => Promise.reject(new Error('no test here sets anything up')),
    openOperator: () => Promise.reject(new Error('no test here acts as the operator')),
    startServer: () => Promise.reject(new Error('no test here starts a server')),
    serveMcp: () => Promise.reject(new Error('no test here serves agents')),
    runWorker: () => Promise.reject(new Error('no test here starts a worker')),
    connect: async () => ({
      baseUrl: 'http://fake',
      ...(isHere && { here: { note: 'It runs here.', readCatalogue } }),
      async fetch(request) {
        const answered = await answer(request, reply, sent);
        if (sent.length > 0) before?.();
        return answered;
      },
      close: async () => {},
    }),
    ...world,
  });
  const [stdout, stderr] = [Buffer.concat(written.stdout), Buffer.concat(written.stderr).toString()];
  return { code, stdout, stderr, sent: sent[0] };
}
