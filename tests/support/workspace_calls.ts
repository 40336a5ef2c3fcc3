import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { afterAll, beforeAll } from 'vitest';
import type { TestApp } from './open_test_app.ts';

// biome-ignore lint/suspicious/noExplicitAny: responses of the service
export type Body = any;

/** A service for the tests of a suite, and the calls of an agent that works in workspaces over MCP. */
export function workspaceCalls(open: () => Promise<TestApp>) {
  let opened: TestApp;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());
  const app: TestApp = {
    post: (...sent) => opened.post(...sent),
    get: (...sent) => opened.get(...sent),
    fetch: (...sent) => opened.fetch(...sent),
    close: () => opened.close(),
  };
  const tool = async (name: string, args: object, headers = {}): Promise<Body> => {
    const params = { name, arguments: args };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    return (await app.post('/mcp', message, headers)).body.result;
  };
  const openWorkspace = async (args: object = {}, headers = {}): Promise<Body> =>
    (await tool('open_workspace', args, headers)).structuredContent;
  return { app, tool, openWorkspace };
}

/** The image in the result of a tool over MCP. */
export const imageIn = ({ content }: Body): Buffer =>
  Buffer.from(content.find(({ type }: Body) => type === 'image').data, 'base64');

/** An image of one colour, as base64. */
export async function plainImage(red: number): Promise<string> {
  const background = { r: red % 256, g: (red * 37) % 256, b: 90 };
  const image = sharp({ create: { width: 60, height: 40, channels: 3, background } });
  return (await image.png().toBuffer()).toString('base64');
}
