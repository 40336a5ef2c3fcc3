import type { Client } from '@modelcontextprotocol/client';
import { AppBridge } from '@modelcontextprotocol/ext-apps/app-bridge';
import type { Page } from './chromium.ts';

// biome-ignore lint/suspicious/noExplicitAny: messages of the protocol; the official bridge checks them
type Any = any;

export interface ViewHost {
  readonly bridge: AppBridge;
  /** Requests of the view to its host, in order: URLs to open, messages to send. */
  readonly opened: string[];
  readonly said: string[];
  /** Waits until an expression in the view is true. */
  until(expression: string): Promise<void>;
  /** Visible text. */
  text(): Promise<string>;
}

interface Shown {
  readonly html: string;
  readonly csp: { readonly resourceDomains: readonly string[] };
  /** Runs the tool calls of the view; null if the test does. */
  readonly client: Client | null;
  readonly theme?: 'light' | 'dark';
  /** Width of the view in the host, in pixels. */
  readonly width?: number;
}

/** The content security policy that the specification requires of a host, beside that of the view. */
const policyOf = (origins: string) =>
  `default-src 'none'; script-src 'unsafe-inline' ${origins}; style-src 'unsafe-inline' ${origins}; img-src data: ${origins}; connect-src 'none'; frame-src 'none'; object-src 'none'`;

/**
 * Shows a view like a chat program: in a sandboxed frame with its own policy, connected to the official
 * bridge of MCP Apps. The bridge runs here, and the page in the browser only forwards its messages.
 */
export async function showView(
  page: Page,
  { html, csp, client, theme = 'light', width = 640 }: Shown,
): Promise<ViewHost> {
  const opened: string[] = [];
  const said: string[] = [];
  const capabilities = { openLinks: {}, message: { text: {} }, serverTools: {} };
  const bridge = new AppBridge(client, { name: 'test host', version: '1' }, capabilities, {
    hostContext: {
      theme,
      displayMode: 'inline',
      availableDisplayModes: ['inline', 'fullscreen'],
      containerDimensions: { width },
    },
  });
  bridge.onopenlink = async ({ url }) => {
    opened.push(url);
    return {};
  };
  bridge.onmessage = async ({ content }) => {
    said.push(...content.flatMap((block) => (block.type === 'text' ? [block.text] : [])));
    return {};
  };
  bridge.onsizechange = ({ height }) => {
    void page.evaluate(`frame.style.height = '${Number(height)}px'`).catch(() => {});
  };
  const opening = new Promise<void>((resolve) => {
    bridge.oninitialized = () => resolve();
  });
  const transport: Any = {
    start: async () => {},
    close: async () => {},
    send: (message: object) => {
      const text = JSON.stringify(JSON.stringify(message));
      return page.evaluate(`frame.contentWindow.postMessage(JSON.parse(${text}), '*')`);
    },
  };
  await page.bind('toHost', (text) => transport.onmessage(JSON.parse(text)));
  await bridge.connect(transport);
  const policy = `<meta http-equiv="Content-Security-Policy" content="${policyOf(csp.resourceDomains.join(' '))}">`;
  const shown = html.replace('<head>', `<head>${policy}`);
  await page.evaluate(`
    document.documentElement.style.background = '${theme === 'dark' ? '#111' : '#fff'}';
    document.body.style.margin = '0';
    globalThis.frame = document.createElement('iframe');
    addEventListener('message', ({ source, data }) => source === frame.contentWindow && toHost(JSON.stringify(data)));
    Object.assign(frame, { sandbox: 'allow-scripts', srcdoc: ${JSON.stringify(shown)} });
    frame.style.cssText = 'width: ${width}px; height: 60px; border: 0; display: block';
    document.body.replaceChildren(frame); 0`);
  await opening;
  return {
    bridge,
    opened,
    said,
    text: () => page.evaluate('document.body.innerText', 'frame'),
    async until(expression) {
      const end = Date.now() + 10_000;
      while (!(await page.evaluate(`Boolean(${expression})`, 'frame'))) {
        if (Date.now() > end) throw new Error(`not within 10 s: ${expression}`);
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    },
  };
}
