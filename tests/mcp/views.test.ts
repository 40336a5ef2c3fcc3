import { Script } from 'node:vm';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  McpUiResourceMetaSchema,
  McpUiToolMetaSchema,
  RESOURCE_MIME_TYPE,
} from '@modelcontextprotocol/ext-apps/app-bridge';
import { EXTENSION_ID } from '@modelcontextprotocol/ext-apps/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { VIEW_NAMES, viewUri } from '../../src/catalog/mcp_tools.ts';
import { tools } from '../../src/features/tools.ts';
import { IDEMPOTENCY_KEY, THUMBNAILS_KEY } from '../../src/interfaces/mcp/answer_call.ts';
import { createMcp } from '../../src/interfaces/mcp/index.ts';
import { fakeContext } from './fake_context.ts';
import { type Listening, listen } from './listen.ts';

/** MCP Apps: what a client that shows views is told, and the views as it gets them. */

const BYTES_MAX = 30_000;

let server: Listening;
const clients: Client[] = [];

beforeAll(async () => {
  const options = { publicUrl: 'http://atelier.test', allowedOrigins: [], version: '0.5.0' };
  server = await listen(createMcp(fakeContext(), options));
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  server.close();
});

const SHOWS_VIEWS = { extensions: { [EXTENSION_ID]: { mimeTypes: [RESOURCE_MIME_TYPE] } } };

/** Says with every request what it can do. */
const NEW = { pin: '2026-07-28' };

async function connect(capabilities: object, mode: object | 'legacy' = NEW): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, {
    capabilities,
    versionNegotiation: { mode },
  } as object);
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
  clients.push(client);
  return client;
}

test.each([
  ['that shows views is told of them', SHOWS_VIEWS, true],
  ['that shows none is not told of them', {}, false],
  [
    'that shows other views is not told of them',
    { extensions: { [EXTENSION_ID]: { mimeTypes: ['text/uri-list'] } } },
    false,
  ],
])('a client %s', async (_name, capabilities, getsViews) => {
  const listed = await (await connect(capabilities)).listTools();
  const metas = listed.tools.flatMap(({ _meta }) => (_meta?.ui ? [McpUiToolMetaSchema.parse(_meta.ui)] : []));

  expect(metas.map(({ resourceUri }) => resourceUri)).toEqual(
    getsViews ? expect.arrayContaining(['ui://atelier/compare', 'ui://atelier/cost']) : [],
  );
});

test('a legacy client with unknown capabilities gets the views', async () => {
  const client = await connect({}, 'legacy');
  const { tools: listed } = await client.listTools();

  expect(listed.some(({ _meta }) => _meta?.ui)).toBe(true);
  expect(client.getServerCapabilities()).toMatchObject({ extensions: { [EXTENSION_ID]: {} } });
});

test('every view is listed and read as one small document without external resources', async () => {
  const client = await connect(SHOWS_VIEWS);
  const { resources } = await client.listResources();
  const views = resources.filter(({ uri }) => uri.startsWith('ui://'));

  expect(views).toHaveLength(3);
  for (const { uri, mimeType } of views) {
    const view = await read(client, uri);
    expect([mimeType, view.mimeType]).toEqual([RESOURCE_MIME_TYPE, RESOURCE_MIME_TYPE]);
    expect(McpUiResourceMetaSchema.parse(view._meta.ui)).toEqual({
      csp: { resourceDomains: ['http://atelier.test'] },
      prefersBorder: true,
    });
    expect(Buffer.byteLength(view.text)).toBeLessThanOrEqual(BYTES_MAX);
    expect(view.text).toMatch(/^<!doctype html>\n<html lang="en">/);
    // Nothing of it is elsewhere, no program but the one, and no way for text to become HTML.
    expect(view.text).not.toMatch(
      /src="|href="|@import|url\(|innerHTML|insertAdjacentHTML|document\.write|eval\(/,
    );
    expect(view.text.match(/<script|<\/script|<style|<\/style/g)).toHaveLength(4);
    expect(() => new Script(programOf(view.text))).not.toThrow();
  }
});

interface View {
  readonly text: string;
  readonly mimeType: string;
  readonly _meta: { readonly ui: object };
}

async function read(client: Client, uri: string): Promise<View> {
  const { contents } = await client.readResource({ uri });
  return contents[0] as unknown as View;
}

const programOf = (html: string): string => /<script type="module">([\s\S]*)<\/script>/.exec(html)![1]!;

test('an unknown view returns an error', async () => {
  const client = await connect(SHOWS_VIEWS);
  await expect(client.readResource({ uri: 'ui://atelier/nothing' })).rejects.toThrow('Unknown view');
});

test('views and server use the same metadata keys', async () => {
  const client = await connect(SHOWS_VIEWS);
  const programs = await Promise.all(VIEW_NAMES.map((name) => read(client, viewUri(name))));
  const text = programs.map((view) => programOf(view.text)).join('');

  expect(new Set(text.match(/io\.github\.atelier\/[\w-]+/g))).toEqual(
    new Set([IDEMPOTENCY_KEY, THUMBNAILS_KEY]),
  );
});

test('views call existing tools with existing fields', async () => {
  const client = await connect(SHOWS_VIEWS);
  const view = await read(client, 'ui://atelier/compare');
  const calls = [...programOf(view.text).matchAll(/callTool\('(\w+)', \{([^}]*)\}/g)];

  expect(calls).toHaveLength(1);
  for (const [, name, fields] of calls) {
    const { input } = tools.find((tool) => tool.name === name)!;
    const names = [...fields!.matchAll(/^\s*(\w+)[:,]/gm)].map(([, field]) => field!);
    expect(Object.keys(input.shape)).toEqual(
      expect.arrayContaining(names.filter((field) => field !== 'include_preview')),
    );
  }
});
