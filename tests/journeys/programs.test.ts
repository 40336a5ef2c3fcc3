import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServiceProcess, startService } from '../support/start_service.ts';
import { needs } from '../support/test_requirements.ts';

/** What a workspace prints of its history, run as it stands on another image. */

const ROOT = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'atelier-programs-'));
/** Whatever a shell, jq, Python and JavaScript read in another way than JSON. */
const TEXT = '$5 it\'s "so" \\n \\(1) `id` $(id) 100%\n猫 😀 \u2028 <b>';

// biome-ignore lint/suspicious/noExplicitAny: a test says which shape it expects
type Body = any;

let service: ServiceProcess;
let workspace: string;
let last: number;

async function post(path: string, body: object): Promise<Body> {
  const reply = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await reply.json()) as Body;
  expect([path, reply.status, answer.detail]).toEqual([path, 200, undefined]);
  return answer;
}

/** Too many bytes for one argument of a program, as base64. */
async function noise(): Promise<string> {
  const raw = { width: 300, height: 200, channels: 3 as const };
  return (
    await sharp(randomBytes(300 * 200 * 3), { raw })
      .png()
      .toBuffer()
  ).toString('base64');
}

beforeAll(async () => {
  service = await startService({ DATA_DIR: join(folder, 'data') });
  ({ workspace_id: workspace } = await post('/api/tools/open_workspace', {}));
  await post(`/api/workspaces/${workspace}/items`, {
    images: [{ image: await noise() }, { image: await noise() }],
  });
  const call = async (tool: string, body: object): Promise<number[]> =>
    (await post(`/api/tools/${tool}`, { ...body, workspace })).workspace.items;
  const [small] = await call('resize_image', { image: 'item:1', width: 280, height: 180 });
  const [composed] = await call('compose_image', {
    canvas: { width: 200, height: 120, background: '#f4f1ea' },
    layers: [
      { type: 'image', image: `item:${small}`, box: { x: 10, y: 10, width: 90, height: 60 } },
      { type: 'text', text: TEXT, size: 12, box: { x: 110, y: 10, width: 80, height: 100 } },
    ],
  });
  const set = [
    { name: 'one', width: 64, height: 32 },
    { name: 'two', width: 32, height: 32 },
  ];
  await call('make_variants', { image: `item:${composed}`, set });
  const read = await fetch(`${service.url}/api/workspaces/${workspace}`);
  const { items } = (await read.json()) as Body;
  const two = items.find(({ width, height }: Body) => width === 32 && height === 32).item;
  [last] = (await call('resize_image', { image: `item:${two}`, width: 20, height: 20 })) as [number];
});
afterAll(() => {
  service?.process.kill();
  rmSync(folder, { recursive: true, force: true });
});

const programAs = async (as: string, on?: number): Promise<string> => {
  const query = new URLSearchParams({ item: String(last), as, ...(on && { on: String(on) }) });
  const reply = await fetch(`${service.url}/api/workspaces/${workspace}/program?${query}`);
  return ((await reply.json()) as Body).program;
};
const run = async (program: string, args: readonly string[]): Promise<Body> =>
  JSON.parse(
    (
      await promisify(execFile)(program, args, { cwd: ROOT, maxBuffer: 64 * 1024 ** 2 }).catch((failure) =>
        Promise.reject(new Error(failure.stderr)),
      )
    ).stdout,
  );
const pixelsOf = async (address: string): Promise<Buffer> => {
  const bytes = await (await fetch(address)).arrayBuffer();
  return sharp(Buffer.from(bytes)).raw().toBuffer();
};
const wanted = (): Promise<Buffer> =>
  pixelsOf(`${service.url}/api/workspaces/${workspace}/items/${last}/file`);

async function mcp(call: object): Promise<Body> {
  const reply = await fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify(call),
  });
  const text = await reply.text();
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  const { result } = JSON.parse(data);
  expect(result?.isError, text.slice(0, 500)).toBeFalsy();
  return result.structuredContent;
}

/** Sends the calls one after another, with values of earlier answers in place of `<result of step1>`. */
async function runCalls(program: string): Promise<Body> {
  const answers = new Map<string, Body>();
  let answer: Body;
  for (const call of JSON.parse(program)) {
    const text = JSON.stringify(call).replace(/<([\w.]+) of (step\d+)>/g, (_, path: string, step: string) =>
      path.split('.').reduce((value, name) => value[name], answers.get(step)),
    );
    answer = await mcp(JSON.parse(text));
    answers.set(call.id, answer);
  }
  return answer;
}

describe.each([
  ['curl', 'curl', (text: string) => run('sh', ['-c', text])],
  ['python', 'python3', (text: string) => run('python3', ['-I', '-c', text])],
] as const)('%s', (as, judge, execute) => {
  test('makes the same image', needs(judge), async () => {
    const { result_url: address } = await execute(await programAs(as));
    expect((await pixelsOf(address)).equals(await wanted())).toBe(true);
  });
});

test('TypeScript makes the same image', async () => {
  // Only packages have the compiled client; `installed_libraries` runs that.
  const program = (await programAs('typescript'))
    .replace(/console\.log\((\w+)\)/, 'console.log(JSON.stringify($1))')
    .replace("'@atelier/client'", "'@atelier/client/create_client.ts'");
  const { result_url: address } = await run(process.execPath, [
    '--input-type=module-typescript',
    '-e',
    program,
  ]);
  expect((await pixelsOf(address)).equals(await wanted())).toBe(true);
});

test('calls over MCP make the same image', async () => {
  const { result_url: address } = await runCalls(await programAs('mcp'));
  expect((await pixelsOf(address)).equals(await wanted())).toBe(true);
});

test('a recipe makes the same image, and a different one from another image', async () => {
  const made = async (on?: number) => {
    const recipe = JSON.parse(await programAs('recipe', on));
    const { steps } = await post('/api/tools/run_recipe', { ...recipe, workspace });
    return pixelsOf(steps.at(-1).answer.result_url);
  };
  expect((await made()).equals(await wanted())).toBe(true);
  expect((await made(2)).equals(await wanted())).toBe(false);
});
