import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { callTool } from './client.ts';
import { connect } from './run_cli.ts';
import { UsageError } from './usage_error.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'atelier-connect-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

const NO_PROCESS = 2 ** 22 + 1;
const notice = (text: string) => writeFileSync(join(dataDir, 'server.json'), text);
const places = {
  dataDir,
  fetch: async () => Response.json({ from: 'network' }),
  openApp: async () => ({ fetch: () => Response.json({ from: 'this process' }), close: async () => {} }),
};
const whoAnswers = async (url?: string) => {
  const connection = await connect({ ...places, url });
  return { from: (await callTool(connection, 'x', {})).body.from, at: connection.baseUrl };
};

test('an explicit server URL is used without its trailing slash', async () => {
  expect(await whoAnswers('https://atelier.test/base/')).toEqual({
    from: 'network',
    at: 'https://atelier.test/base',
  });
});

test('an invalid server URL is rejected', async () => {
  await expect(whoAnswers('file:///etc/passwd')).rejects.toThrow(UsageError);
  await expect(whoAnswers('localhost')).rejects.toThrow('must start with http');
});

test('a server that runs on the same data folder is used', async () => {
  notice(JSON.stringify({ pid: process.pid, url: 'http://127.0.0.1:9999' }));
  expect(await whoAnswers()).toEqual({ from: 'network', at: 'http://127.0.0.1:9999' });
});

test.each([
  ['the address file of a dead server', JSON.stringify({ pid: NO_PROCESS, url: 'http://127.0.0.1:9' })],
  ['a damaged address file', '{'],
])('with %s, the app starts in this process', async (_, text) => {
  notice(text);
  expect((await whoAnswers()).from).toBe('this process');
});

test('an unreachable server, or one that is not Atelier, is named in the error', async () => {
  const refused = {
    baseUrl: 'http://unreachable',
    fetch: () => Promise.reject(new TypeError('fetch failed')),
    close: async () => {},
  };
  await expect(callTool(refused, 'x', {})).rejects.toThrow('No server answers at http://unreachable');
  const other = { ...refused, fetch: async () => new Response('<html>', { status: 404 }) };
  await expect(callTool(other, 'x', {})).rejects.toThrow('is Atelier running there?');
});

test('an event stream that ends early is an error', async () => {
  const fetch = async () =>
    new Response('event: progress\ndata: {}\n\n', { headers: { 'Content-Type': 'text/event-stream' } });
  await expect(callTool({ baseUrl: 'http://x', fetch, close: async () => {} }, 'x', {})).rejects.toThrow(
    'ended before',
  );
});
