import type { Client } from '@modelcontextprotocol/client';
import { AppBridge } from '@modelcontextprotocol/ext-apps/app-bridge';
import type { Page } from './chromium.ts';

// biome-ignore lint/suspicious/noExplicitAny: messages of the protocol; the official bridge checks them
type Any = any;

export interface ViewHost {
  readonly bridge: AppBridge;
  /** What the view asked of its host, in order: addresses to open, words to say. */
  readonly opened: string[];
  readonly said: string[];
  /** Waits until an expression in the view is true. */
  until(expression: string): Promise<void>;
  /** What a person reads. */
  text(): Promise<string>;
}

interface Shown {
  readonly html: string;
  readonly csp: { readonly resourceDomains: readonly string[] };
  /** Runs what the view calls; null where the test does. */
  readonly client: Client | null;
  readonly theme?: 'light' | 'dark';
  /** Pixels the host gives the view. */
  readonly width?: number;
}

/** What the specification has a host set for a view, beside what the view sets itself. */
const policyOf = (origins: string) =>
  `default-src 'none'; script-src 'unsafe-inline' ${origins}; style-src 'unsafe-inline' ${origins}; img-src data: ${origins}; connect-src 'none'; frame-src 'none'; object-src 'none'`;

/**
 * Shows a view as a chat program does: in a sandboxed frame under a policy of its own, with the official bridge of MCP Apps on the other
 * side. The bridge runs here, and the page in the browser only carries its messages.
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
