import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { EXAMPLE_PNG_B64 } from '../../src/features/definitions/example_image.ts';
import { ENDED, EVERY_SPECK, jobIn, noise } from '../support/job_calls.ts';
import { openTestApp, type TestApp } from '../support/open_test_app.ts';
import { newOwner } from '../support/owner.ts';
import { WAIT_MS_MAX } from '../support/wait_ms_max.ts';
import { listen } from './listen.ts';

// Jobs wait for their turn.

let app: TestApp;
let server: { url: string; close(): void };
let client: Client;

beforeAll(async () => {
  app = await openTestApp();
  server = await listen(async (request) => app.fetch(request));
  client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
  await client.listTools();
});
afterAll(async () => {
  await client?.close();
  server?.close();
  await app?.close();
});

// biome-ignore lint/suspicious/noExplicitAny: a test says which shape it expects
const call = (name: string, args: object): Promise<any> =>
  client.callTool({ name, arguments: args as Record<string, unknown> });

/** Asks as an agent does, until the job has ended. */
async function ended(step: { tool: string; params: object }) {
  for (;;) {
    const answer = await call(step.tool, step.params);
    if (ENDED.includes(answer.structuredContent.state)) return answer;
  }
}

test('a call with async becomes a job at once and names the tool to wait with', async () => {
  const { structuredContent, isError } = await call('resize_image', {
    image: EXAMPLE_PNG_B64,
    width: 8,
    height: 8,
    async: true,
  });
  const { job_id: id } = structuredContent;

  expect(isError).toBeFalsy();
  expect(structuredContent).toMatchObject({
    tool: 'resize_image',
    state: 'queued',
    next_steps: [
      { tool: 'get_job', params: { job_id: id } },
      { tool: 'cancel_job', params: { job_id: id } },
    ],
  });
});

test('the result of a job equals that of the tool, with a preview and without bytes', async () => {
  const sent = { image: EXAMPLE_PNG_B64, width: 8, height: 8 };
  const waited = await call('resize_image', sent);
  const accepted = await call('resize_image', { ...sent, async: true });
  const { structuredContent, content } = await ended(accepted.structuredContent.next_steps[0]);

  expect(structuredContent).toMatchObject({ state: 'succeeded', progress: { fraction: 1 } });
  expect(Object.keys(structuredContent.result)).toEqual(Object.keys(waited.structuredContent));
  expect(content.map(({ type }: { type: string }) => type)).toEqual(
    waited.content.map(({ type }: { type: string }) => type),
  );
  expect(JSON.parse(content[0].text)).toEqual(structuredContent);
});

test('a failed job returns its problem', async () => {
  const { wallet } = await newOwner(app);
  const sent = { wallet: `0x${'9'.repeat(40)}`, key: 'note', data: 'aGVsbG8=', payer: wallet, async: true };
  const accepted = await call('save_asset', sent);
  const step = accepted.structuredContent.next_steps[0];
  const { structuredContent } = await ended(step);

  expect(step.params.payer).toBe(wallet);
  expect(structuredContent).toMatchObject({ state: 'failed', problem: { code: 'wallet_mismatch' } });
});

test('waiting for a job is never itself a job, even with async', async () => {
  const busy = { image: await noise(900), ...EVERY_SPECK, async: true };
  const { structuredContent: accepted } = await call('vectorize_image', busy);
  const { job_id } = accepted;
  const { structuredContent: seen } = await call('get_job', { job_id, wait_seconds: 0, async: true });
  await call('cancel_job', { job_id, async: true });

  expect(seen).toMatchObject({ job_id, tool: 'vectorize_image' });
});

test('a wallet’s job is hidden from other wallets', async () => {
  const { wallet } = await newOwner(app);
  const sent = { wallet, key: 'note', data: 'aGVsbG8=', payer: wallet, async: true };
  const { job_id: id } = (await call('save_asset', sent)).structuredContent;
  const answer = await call('get_job', { job_id: id });

  expect(answer).toMatchObject({ isError: true, structuredContent: { code: 'job_not_found' } });
});

test('a canceled job holds no credits', async () => {
  const { wallet } = await newOwner(app);
  const busy = { image: await noise(900), ...EVERY_SPECK, async: true };
  const others = await Promise.all([1, 2, 3, 4].map(() => call('vectorize_image', busy)));
  const sent = { wallet, key: 'note', data: 'aGVsbG8=', payer: wallet, async: true };
  const [, step] = (await call('save_asset', sent)).structuredContent.next_steps;
  const { structuredContent } = await call(step.tool, step.params);
  for (const { structuredContent: other } of others) await call('cancel_job', { job_id: other.job_id });

  expect(structuredContent).toMatchObject({ state: 'canceled', credits: { held: 0, charged: 0 } });
});

test('a short call is answered at once although its client accepts jobs', async () => {
  const { status } = await app.post('/api/tools/search_tools', {}, { Prefer: 'respond-async, wait=20' });
  expect(status).toBe(200);
});

test('a payment for one call cannot become a job, and the refusal names alternatives', async () => {
  const sent = { image: EXAMPLE_PNG_B64, payer: 'pi_3x', async: true };
  const { isError, structuredContent } = await call('upscale_image', sent);

  expect(isError).toBe(true);
  expect(structuredContent.detail).toBeTruthy();
});

test('async must be a boolean', async () => {
  const { status, body } = await app.post('/api/tools/search_tools', { async: 'yes' });
  expect({ status, field: body.errors?.[0].field }).toEqual({ status: 400, field: 'async' });
});

test('async over REST also creates a job', async () => {
  const { status, body, headers } = await app.post('/api/tools/search_tools', { async: true });

  expect({ status, location: headers.get('location') }).toEqual({
    status: 202,
    location: `/api/jobs/${body.job_id}`,
  });
  expect(await jobIn(app, body.job_id, ENDED)).toMatchObject({ state: 'succeeded' });
});

const TASKS = 'io.modelcontextprotocol/tasks';

/** As a client of 2026-07-28 sends it; the official one does not take tasks yet. */
async function rpc(method: string, params: Record<string, unknown>, extensions: object = { [TASKS]: {} }) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { extensions },
  };
  const response = await fetch(server.url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      'Mcp-Name': String(params.name ?? params.taskId),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test says which shape it expects
  return (await response.json()) as any;
}

const RESIZE = {
  name: 'resize_image',
  arguments: { image: EXAMPLE_PNG_B64, width: 8, height: 8, async: true },
};

test('a job is a task with the tool’s result for clients that declare tasks', async () => {
  const { result: task } = await rpc('tools/call', RESIZE);
  const done = await vi.waitFor(
    async () => {
      const { result } = await rpc('tasks/get', { taskId: task.taskId });
      expect(result.status).toBe('completed');
      return result;
    },
    { timeout: WAIT_MS_MAX, interval: 200 },
  );

  expect(task).toMatchObject({
    resultType: 'task',
    status: 'working',
    taskId: expect.stringMatching(/^job_/),
    ttlMs: expect.any(Number),
  });
  expect(done.result).toMatchObject({ structuredContent: { width: 8 }, content: expect.any(Array) });
});

test('a task can be canceled, even after it has ended; an unknown task is an error', async () => {
  const { result: task } = await rpc('tools/call', RESIZE);
  const answers = [
    await rpc('tasks/cancel', { taskId: task.taskId }),
    await rpc('tasks/cancel', { taskId: task.taskId }),
    await rpc('tasks/get', { taskId: 'job_0' }),
  ];

  expect(answers.slice(0, 2).map(({ result }) => result)).toEqual([
    expect.objectContaining({ resultType: 'complete' }),
    expect.objectContaining({ resultType: 'complete' }),
  ]);
  expect(answers[2].error.code).toBe(-32602);
});

test('without the extension there are no tasks', async () => {
  const [called, asked] = [
    await rpc('tools/call', RESIZE, {}),
    await rpc('tasks/get', { taskId: 'job_0' }, {}),
  ];

  expect(called.result).toMatchObject({
    resultType: 'complete',
    structuredContent: { job_id: expect.any(String) },
  });
  expect(asked.error.data.requiredCapabilities).toEqual({ extensions: { [TASKS]: {} } });
});
