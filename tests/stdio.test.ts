import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tools } from '../src/features/tools.ts';
import { endOfGroup } from './support/process_group.ts';
import { OF_TESTS } from './support/start_service.ts';

const LAUNCHER = join(import.meta.dirname, '../bin/atelier.mjs');
const top = realpathSync(mkdtempSync(join(tmpdir(), 'atelier-stdio-')));
const photos = join(top, 'photos');
const dataDir = join(top, 'data');
const env = { ...process.env, DATABASE_URL: '', ...OF_TESTS } as Record<string, string>;
const command = (...words: string[]) => ({
  command: process.execPath,
  args: [LAUNCHER, 'mcp', '--data-dir', dataDir, ...words],
  env,
  cwd: photos,
  stderr: 'ignore' as const,
});

/** Keeps the server of the data folder, which the clients of the tests then share. */
let holder: Opened;

beforeAll(async () => {
  mkdirSync(photos);
  holder = await open('legacy');
});
beforeEach(async () => {
  // The folder itself is where the servers work.
  for (const name of readdirSync(photos)) rmSync(join(photos, name), { recursive: true });
  mkdirSync(join(photos, 'set'), { recursive: true });
  const photo = await sharp({ create: { width: 160, height: 120, channels: 3, background: '#2a7' } })
    .jpeg()
    .toBuffer();
  for (const name of ['photo.jpg', 'set/1.jpg', 'set/2.jpg']) writeFileSync(join(photos, name), photo);
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

interface Answer {
  readonly isError?: boolean;
  readonly structuredContent?: Record<string, unknown>;
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
}
type Call = (name: string, args: Record<string, unknown>) => Promise<Answer>;
interface Opened {
  readonly call: Call;
  readonly listTools: () => Promise<{ tools: unknown[] }>;
  readonly instructions: string | undefined;
  readonly close: () => Promise<void>;
}

/** A client of the current library. @param roots folder it declares; absent: it has no roots */
async function open(era: string, roots?: string, ...words: string[]): Promise<Opened> {
  const mode = era === 'legacy' ? ('legacy' as const) : { pin: era };
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode }, capabilities: roots === undefined ? {} : { roots: {} } },
  );
  if (roots !== undefined)
    client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: pathToFileURL(roots).href }] }));
  await client.connect(new StdioClientTransport(command(...words)));
  return {
    call: (name, args) => client.callTool({ name, arguments: args }) as Promise<Answer>,
    listTools: () => client.listTools(),
    instructions: client.getInstructions(),
    close: () => client.close(),
  };
}

/** A client of the library before. */
async function openEarlier(): Promise<Opened> {
  const client = new Client1({ name: 'test', version: '1' });
  await client.connect(new Stdio1(command()));
  return {
    call: (name, args) => client.callTool({ name, arguments: args }) as Promise<Answer>,
    listTools: () => client.listTools(),
    instructions: client.getInstructions(),
    close: () => client.close(),
  };
}

describe.each<[string, () => Promise<Opened>]>([
  ['library 1', openEarlier],
  ['2025-11-25, with roots', () => open('legacy', photos)],
  ['2026-07-28, with roots', () => open('2026-07-28', photos)],
])('a client of %s', (_, connect) => {
  let client: Opened;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.close());

  test('sees every tool, and instructions that name paths', async () => {
    expect((await client.listTools()).tools).toHaveLength(tools.length);
    expect(client.instructions).toContain('pass their paths');
  });

  test('resizes a file by its path and finds the result beside it', async () => {
    const path = join(photos, 'photo-80x60.webp');
    const image = join(photos, 'photo.jpg');
    const answer = await client.call('resize_image', { image, width: 80, format: 'webp' });
    expect(answer.structuredContent).toMatchObject({ width: 80, path });
    expect(JSON.parse(answer.content![0]!.text!)).toEqual(answer.structuredContent);
    expect(await sharp(path).metadata()).toMatchObject({ format: 'webp', width: 80, height: 60 });
  });

  test('gets another name if the name is taken', async () => {
    writeFileSync(join(photos, 'photo-80x60.webp'), 'mine');
    const answer = await client.call('resize_image', { image: 'photo.jpg', width: 80, format: 'webp' });
    expect(answer.structuredContent).toMatchObject({ path: join(photos, 'photo-80x60-2.webp') });
  });

  test('can continue with a result, which is stored beside the same file', async () => {
    const first = await client.call('resize_image', { image: 'photo.jpg', width: 80 });
    const { result } = first.structuredContent!;
    const second = await client.call('convert_image', { image: result, format: 'jpeg' });
    expect(second.structuredContent).toMatchObject({ path: join(photos, 'photo-convert.jpg') });
  });

  test('runs a tool for each image of a folder', async () => {
    const { structuredContent } = await client.call('resize_image', {
      image: join(photos, 'set'),
      width: 20,
    });
    expect(structuredContent).toMatchObject({ done: 2, cost: { credit: 0 } });
    expect(readdirSync(join(photos, 'set/resize')).sort()).toEqual(['1.png', '2.png']);
  });

  test('is refused a file outside, and nothing is written', async () => {
    const answer = await client.call('resize_image', { image: '/etc/passwd', width: 20 });
    expect(answer).toMatchObject({ isError: true, structuredContent: { code: 'path_refused' } });
    expect(readdirSync(photos).sort()).toEqual(['photo.jpg', 'set']);
  });
});

test('results are written to --out', async () => {
  const out = join(top, 'results');
  mkdirSync(out, { recursive: true });
  const client = await open('legacy', undefined, '--out', out);
  const answer = await client.call('resize_image', { image: 'photo.jpg', width: 20 });
  expect(answer.structuredContent).toMatchObject({ path: join(out, 'photo-20x15.png') });
  await client.close();
});

test('a file is uploaded to a remote server, and the result is written locally', async () => {
  const { url } = JSON.parse(readFileSync(join(dataDir, 'server.json'), 'utf8'));
  const client = await open('legacy', photos, '--url', `${url}/mcp`);
  const answer = await client.call('resize_image', { image: 'photo.jpg', width: 20 });
  expect(answer.structuredContent).toMatchObject({ path: join(photos, 'photo-20x15.png') });
  await client.close();
});

test('two commands on one data folder share a server, and the second continues after the first ends', async () => {
  const second = await open('2026-07-28');
  expect((await second.call('resize_image', { image: 'photo.jpg', width: 20 })).isError).toBeFalsy();
  await holder.close();
  expect((await second.call('resize_image', { image: 'photo.jpg', width: 30 })).isError).toBeFalsy();
  await second.close();
});

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

/** The command in a process group of its own, once it has answered. */
async function start(): Promise<{ child: ChildProcess; output: () => string }> {
  const { command: node, args } = command();
  const child = spawn(node, args, { env, cwd: photos, detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
  await expect.poll(() => output.includes('\n')).toBe(true);
  return { child, output: () => output };
}

test('standard output has messages only, and all processes end when the client closes its end', async () => {
  const { child, output } = await start();
  const image = join(photos, 'photo.jpg');
  const params = { name: 'resize_image', arguments: { image, width: 10 } };
  child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params })}\n`);
  await expect.poll(output).toMatch(/"id":2[,}].*\n/);
  for (const line of output().trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  child.stdin!.end();
  expect(await once(child, 'exit')).toEqual([0, null]);
  await endOfGroup(child.pid!);
  expect(existsSync(join(dataDir, 'server.json'))).toBe(false);
});

test('no process is left when it is killed', async () => {
  const { child } = await start();
  child.kill('SIGKILL');
  await endOfGroup(child.pid!);
});
