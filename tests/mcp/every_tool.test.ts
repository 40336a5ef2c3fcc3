import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { imageFieldsOf } from '../../src/features/definitions/fields.ts';
import { highestPrice } from '../../src/features/definitions/price.ts';
import type { AnyTool } from '../../src/features/definitions/tool.ts';
import { tools } from '../../src/features/tools.ts';
import { importExampleWork } from '../support/import_example_work.ts';
import { openTestApp, type TestApp } from '../support/open_test_app.ts';
import { scene } from '../support/scene.ts';
import { unsendableSteps } from '../support/sendable_steps.ts';
import { toppedUp } from '../support/topped_up.ts';
import { listen } from './listen.ts';

/** What every tool answers over MCP, in the clients people use: the list is the only thing this file knows. */

/** Whose assets the examples speak of. */
const WALLET = '0x52908400098527886e0f7030069857d2e4169ee7';
const BEARER = { authorization: `Bearer ${WALLET}` };

/** What a model reads of an answer: its text and its links, in o200k. */
const TOKENS_MAX = 3000;

// biome-ignore lint/suspicious/noExplicitAny: a test says which shape it expects
type Result = any;
interface AnyClient {
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<Result>;
  close(): Promise<void>;
}

const folder = mkdtempSync(join(tmpdir(), 'atelier-every-tool-'));
let app: TestApp;
let server: { url: string; close(): void };
const clients: AnyClient[] = [];
/** The official client of either generation; each checks every answer against the schema that tools/list showed it. */
const connect = {
  async sdk1(headers: Record<string, string>): Promise<AnyClient> {
    const client = new Client1({ name: 'test', version: '1' });
    await client.connect(new Transport1(new URL(server.url), { requestInit: { headers } }) as never);
    await client.listTools();
    clients.push(client as AnyClient);
    return client as AnyClient;
  },
  async sdk2(headers: Record<string, string>): Promise<AnyClient> {
    const client = new Client2({ name: 'test', version: '1' });
    await client.connect(new Transport2(new URL(server.url), { requestInit: { headers } }));
    await client.listTools();
    clients.push(client as AnyClient);
    return client as AnyClient;
  },
};
const GENERATIONS = ['sdk1', 'sdk2'] as const;
const payers: Record<string, AnyClient> = {};
const strangers: Record<string, AnyClient> = {};

beforeAll(async () => {
  await importExampleWork(folder);
  app = await openTestApp({ DATA_DIR: folder });
  server = await listen(async (request) => app.fetch(request));
  await toppedUp(app.post, WALLET);
  for (const generation of GENERATIONS) {
    payers[generation] = await connect[generation](BEARER);
    strangers[generation] = await connect[generation]({});
  }
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  server?.close();
  await app?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function upload(bytes: Uint8Array): Promise<string> {
  const init = {
    method: 'POST',
    body: new Blob([Buffer.from(bytes)]),
    headers: { 'Content-Type': 'image/png' },
  };
  const response = await app.fetch(new Request('http://atelier.test/api/uploads', init));
  return `upload:${((await response.json()) as { upload_id: string }).upload_id}`;
}

/** The first example, its pictures sent before and named by their handles, as agents do. */
async function example(tool: AnyTool): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = structuredClone(tool.examples[0]!);
  for (const field of new Set([...imageFieldsOf(tool.input.shape), 'image']))
    if (typeof body[field] === 'string') body[field] = await upload(Buffer.from(body[field], 'base64'));
  if ('job_id' in body) {
    const { body: job } = await app.post('/api/tools/search_tools', { async: true }, BEARER);
    body.job_id = job.job_id;
  }
  if ('workspace' in body) {
    const { body: workspace } = await app.post('/api/tools/open_workspace', {}, BEARER);
    body.workspace = workspace.workspace_id;
  }
  return body;
}

const tokensOf = ({ content }: Result): number => {
  const read = content.map((block: { type: string; text?: string }) =>
    block.type === 'image' ? '' : (block.text ?? JSON.stringify(block)),
  );
  return encode(read.join('\n')).length;
};

/** What comes from outside, the museum's picture and the networks that read; the tools' own tests have them. */
const NEEDS_OTHERS = ['get_artwork_oracle', 'read_text'];

/** Every text in a value that looks like a file. */
const filesIn = (value: unknown): string[] => JSON.stringify(value).match(/[A-Za-z0-9+/]{1000,}/g) ?? [];

describe.each(tools.map((tool) => [tool.name, tool] as const))('%s', (_name, tool) => {
  const itself = NEEDS_OTHERS.includes(tool.name) ? () => {} : test;
  itself('its example succeeds, is short, contains no bytes and suggests valid next steps', async () => {
    const input = await example(tool);
    const result = await payers.sdk1!.callTool({ name: tool.name, arguments: input });

    expect(result.isError, result.content[0].text).toBeFalsy();
    expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
    expect(tokensOf(result)).toBeLessThan(TOKENS_MAX);
    expect(filesIn(result.structuredContent)).toEqual([]);
    expect(unsendableSteps(result.structuredContent)).toEqual([]);
    if (imageFieldsOf(tool.input.shape).some((field) => field in input))
      expect(result.structuredContent).toMatchObject({
        engine: { name: expect.any(String) },
        degraded: expect.any(Boolean),
      });
    // None has been left out for a reason nobody meant: all that the tool suggests can be sent.
    const suggested = tool.next?.(result.structuredContent, input as never, { wallet: WALLET }) ?? [];
    expect(result.structuredContent.next_steps).toHaveLength(suggested.length);
  });

  describe.each(GENERATIONS)('in the client %s', (generation) => {
    test('an error is readable', async () => {
      const wrong = { ...tool.examples[0], [Object.keys(tool.input.shape)[0] ?? 'x']: [[{}]] };
      const { isError, content, structuredContent } = await payers[generation]!.callTool({
        name: tool.name,
        arguments: wrong,
      });

      expect(isError).toBe(true);
      expect(JSON.parse(content[0].text)).toEqual(structuredContent);
      expect(structuredContent).toMatchObject({ code: 'invalid_input', errors: [expect.anything()] });
    });

    test('a quote is readable', async () => {
      const asked = { ...tool.examples[0], dry_run: true };
      const result = await payers[generation]!.callTool({ name: tool.name, arguments: asked });

      expect(result.structuredContent).toMatchObject({
        dry_run: true,
        quote: { credit: expect.any(Number) },
      });
    });

    const unpaid = highestPrice(tool.price) > 0 ? test : () => {};
    unpaid('what an unpaid call lacks can be read', async () => {
      const result = await strangers[generation]!.callTool({ name: tool.name, arguments: tool.examples[0]! });

      expect(result).toMatchObject({ isError: true, structuredContent: { code: 'payment_required' } });
      expect(unsendableSteps(result.structuredContent)).toEqual([]);
    });
  });
});

test('a comparison with a registered image returns text and a change map image', async () => {
  const original = await scene();
  const cropped = await sharp(original)
    .extract({ left: 60, top: 40, width: 480, height: 400 })
    .png()
    .toBuffer();
  await payers.sdk1!.callTool({ name: 'register_hash', arguments: { image: await upload(original) } });
  const result = await payers.sdk1!.callTool({
    name: 'verify_provenance',
    arguments: { image: await upload(cropped) },
  });

  expect(result.structuredContent.difference).toMatchObject({ crop_box: expect.any(Object) });
  expect(result.content.map(({ type }: { type: string }) => type)).toEqual(['text', 'image']);
  expect(tokensOf(result)).toBeLessThan(TOKENS_MAX);
});

test.each(GENERATIONS)(
  'a job accepted earlier under the same key is readable in the client %s',
  async (generation) => {
    const _meta = { 'io.github.atelier/idempotency-key': `job-${generation}` };
    const input = { query: 'resize' };
    await app.post('/api/tools/search_tools', input, {
      ...BEARER,
      Prefer: 'respond-async',
      'Idempotency-Key': `job-${generation}`,
    });
    const call = { name: 'search_tools', arguments: input, _meta };

    expect((await payers[generation]!.callTool(call)).structuredContent).toMatchObject({
      job_id: expect.any(String),
    });
  },
);

test.each(GENERATIONS)('an unknown tool gets similar names in the client %s', async (generation) => {
  const call = payers[generation]!.callTool({ name: 'resiz_image', arguments: {} });

  await expect(call).rejects.toThrow(/Unknown tool "resiz_image". Did you mean resize_image/);
});
