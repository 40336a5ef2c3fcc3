import { AppBridge } from '@modelcontextprotocol/ext-apps/app-bridge';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';

/** The views' side of MCP Apps against the official bridge, without a browser: messages alone. */

// biome-ignore lint/suspicious/noExplicitAny: what a browser has, as little of it as the program asks for
type Any = any;

/** It speaks of a browser's world, which the compiler of the tests does not know. */
const PROGRAM = '../../src/core/html/browser/views/host.ts';

const style: Any = { setProperty: vi.fn() };
const heard = { onInput: vi.fn(), onAnswer: vi.fn(), onCancelled: vi.fn() };
const asked = { said: [] as Any[], sizes: [] as Any[] };
let host: Any;
let bridge: AppBridge;
let toView: (message: object, source?: object) => void;

beforeAll(async () => {
  const parent: Any = { postMessage: (message: Any) => transport.onmessage(structuredClone(message)) };
  vi.stubGlobal('parent', parent);
  vi.stubGlobal('addEventListener', (_name: string, listener: (event: Any) => void) => {
    toView = (data, source = parent) => listener({ source, data });
  });
  const root = { style, getBoundingClientRect: () => ({ width: 639.5, height: 80 }) };
  vi.stubGlobal('document', { documentElement: root, body: { style: {} } });
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly report: () => void;
      constructor(report: () => void) {
        this.report = report;
      }
      observe = () => this.report();
    },
  );
  const transport: Any = {
    start: async () => {},
    close: async () => {},
    send: async (message: object) => {
      toView(structuredClone(message));
    },
  };
  bridge = new AppBridge(
    null,
    { name: 'test', version: '1' },
    { openLinks: {}, serverTools: {} },
    {
      hostContext: { theme: 'dark', availableDisplayModes: ['inline'] },
    },
  );
  bridge.onopenlink = async () => ({ isError: true });
  bridge.onmessage = async (message) => {
    asked.said.push(message);
    return {};
  };
  bridge.oncalltool = async ({ name, arguments: input, _meta }) => ({
    content: [],
    structuredContent: { name, input, key: _meta?.key },
  });
  bridge.onsizechange = (size) => void asked.sizes.push(size);
  await bridge.connect(transport);
  host = await import(PROGRAM);
  await host.connectHost('atelier test', heard);
});
beforeEach(() => vi.clearAllMocks());

test('the handshake succeeds, and the view applies the host context', () => {
  expect(bridge.getAppVersion()).toEqual({ name: 'atelier test', version: '1' });
  expect(bridge.getAppCapabilities()).toEqual({ availableDisplayModes: ['inline', 'fullscreen'] });
  expect([host.hostCan('openLinks'), host.hostCan('serverTools')]).toEqual([true, true]);
  expect(style.colorScheme).toBe('dark');
  expect(asked.sizes).toEqual([{ width: 640, height: 80 }]);
});

test('the view receives the input, result and cancellation of the call', async () => {
  await bridge.sendToolInput({ arguments: { image: 'upload:1' } });
  await bridge.sendToolResult({ content: [], structuredContent: { a: 1 }, _meta: { b: 2 } });
  await bridge.sendToolCancelled({ reason: 'user' });

  expect(heard.onInput).toHaveBeenCalledExactlyOnceWith({ image: 'upload:1' });
  expect(heard.onAnswer).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ structuredContent: { a: 1 }, _meta: { b: 2 } }),
  );
  expect(heard.onCancelled).toHaveBeenCalledOnce();
});

test('the host executes the view’s requests, and a refusal is an error', async () => {
  const { structuredContent } = await host.callTool('resize_image', { width: 1 }, { key: 'k' });
  await host.sayToModel('Use it.');

  expect(structuredContent).toEqual({ name: 'resize_image', input: { width: 1 }, key: 'k' });
  expect(asked.said).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Use it.' }] }]);
  await expect(host.openLink('https://a.test/refused')).rejects.toThrow('rejected');
  await expect(host.changeDisplayMode('fullscreen')).resolves.toEqual({ mode: 'inline' });
});

test('the view answers ping and teardown and rejects other requests', async () => {
  await expect(bridge.teardownResource({})).resolves.toEqual({});
  await expect(bridge.listTools({})).rejects.toThrow();
});

test('messages from other sources are ignored', () => {
  const message = { jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: {} };
  toView(message, {});
  toView({ ...message, jsonrpc: '1.0' });
  toView('text' as never);
  toView(null as never);

  expect(heard.onAnswer).not.toHaveBeenCalled();
});

test('host colours are applied, and entries that are not variables are ignored', async () => {
  const variables: Any = { '--font-sans': 'Serif' };
  await bridge.sendHostContextChange({ theme: 'light', styles: { variables } });
  toView({
    jsonrpc: '2.0',
    method: 'ui/notifications/host-context-changed',
    params: { styles: { variables: { color: 'red' } } },
  });

  expect(style.colorScheme).toBe('light');
  expect(style.setProperty).toHaveBeenCalledExactlyOnceWith('--font-sans', 'Serif');
});
