import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listen } from '../mcp/listen.ts';
import { type Browser, type Page, startChromium } from '../support/chromium.ts';
import { openTestApp, type TestApp } from '../support/open_test_app.ts';
import { scene } from '../support/scene.ts';
import { needs } from '../support/test_requirements.ts';
import { showView, type ViewHost } from '../support/view_host.ts';

/** The views as a person has them: in a browser, shown by the official bridge of MCP Apps, with the whole service behind it. */

const WALLET = '0x52908400098527886e0f7030069857d2e4169ee7';

// biome-ignore lint/suspicious/noExplicitAny: a test says which shape it expects
type Any = any;

describe('in a browser', needs('Chromium'), () => {
  let app: TestApp;
  let server: { url: string; close(): void };
  let client: Client;
  let browser: Browser;
  let page: Page;
  let photo: string;

  beforeAll(async () => {
    app = await openTestApp();
    server = await listen(async (request) => app.fetch(request));
    const requestInit = { headers: { authorization: `Bearer ${WALLET}` } };
    client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit }));
    await client.callTool({ name: 'register_wallet', arguments: { wallet: WALLET } });
    const png = Buffer.from(await scene(1, 96, 64));
    const body = new Blob([png], { type: 'image/png' });
    const sent = await app.fetch(new Request('http://atelier.test/api/uploads', { method: 'POST', body }));
    photo = ((await sent.json()) as { uri: string }).uri;
    browser = await startChromium(new URL(server.url).host);
  });
  afterAll(async () => {
    await browser?.close();
    await client?.close();
    server?.close();
    await app?.close();
  });

  /** Shows a call of a tool and its answer, in the view that tools/list names for it. */
  async function show(
    name: string,
    input: Record<string, unknown>,
    answer?: Any,
    runs: Client | null = client,
  ): Promise<ViewHost> {
    const { tools } = await client.listTools();
    const { ui } = tools.find((tool) => tool.name === name)!._meta as Any;
    const { contents } = await client.readResource({ uri: ui.resourceUri });
    const { text: html, _meta } = contents[0] as Any;
    page = await browser.open({ width: 640, height: 800 });
    const host = await showView(page, { html, csp: _meta.ui.csp, client: runs });
    await host.bridge.sendToolInput({ arguments: input });
    await host.bridge.sendToolResult(answer ?? (await client.callTool({ name, arguments: input })));
    return host;
  }
  const inView = (expression: string) => page.evaluate(expression, 'frame');
  const click = (selector: string) => inView(`document.querySelector(${JSON.stringify(selector)}).click()`);

  test('an image is compared with its result by slider, zoom and keyboard', async () => {
    const host = await show('resize_image', { image: photo, width: 48, height: 48 });
    await host.until('document.querySelectorAll(".stage img").length === 2');

    expect(await host.text()).toContain('Before shown as a copy of 48 × 32');
    expect(await host.text()).toMatch(/After 48 × 32, PNG, .* made by atelier-lanczos/);
    await inView('document.querySelector("input").value = 20');
    await inView('document.querySelector("input").dispatchEvent(new Event("input"))');
    expect(await inView('document.querySelectorAll(".layer")[1].style.clipPath')).toBe(
      'inset(0px 0px 0px 20%)',
    );
    await inView('document.querySelector(".stage").focus()');
    await page.send('Input.dispatchKeyEvent', { type: 'keyDown', key: '+', text: '+' });
    await host.until('document.querySelector("output").textContent === "× 1.5"');
  });

  test('the result is shown alone when the original is unavailable', async () => {
    const input = { image: photo, width: 48, height: 48 };
    const answer = await client.callTool({ name: 'resize_image', arguments: input });
    const host = await show('resize_image', { ...input, image: 'upload:gone' }, answer);
    await host.until('document.querySelector("figure img")');

    expect(await host.text()).toContain('The original image cannot be shown here.');
  });

  test('a quote shows its price, and its button runs the call with one charge', async () => {
    const host = await show('upscale_image', { image: photo, dry_run: true });
    await host.until('document.querySelector("button.main")');

    expect(await host.text()).toMatch(/2 credits\n.*0\.20 USD/s);
    await click('button.main');
    await host.until('document.querySelectorAll(".stage img").length === 2');
    expect(await host.text()).toContain('Cost: 2 credits');
    const { structuredContent } = await client.callTool({
      name: 'check_balance',
      arguments: { wallet: WALLET },
    });
    expect(structuredContent).toMatchObject({ totals: { spent: 2 } });
  });

  test('third-party text is shown as plain text and not passed to the host', async () => {
    const title = '<img src=x onerror="document.title=`run`">';
    const work = {
      credit_id: 'met_1',
      title,
      artist: '<script>document.title=1</script>',
      image_available: true,
    };
    const results = Array.from({ length: 3000 }, () => work);
    const host = await show(
      'search_artworks',
      { query: 'x' },
      {
        content: [],
        structuredContent: {
          query: '<b>x</b>',
          results,
          warnings: [title],
          next_steps: [{ action: 1 }, null],
        },
        _meta: { 'io.github.atelier/thumbnails': { met_1: 'javascript:document.title="run"' } },
      },
    );
    await host.until('document.querySelector(".tile")');

    expect(
      await inView(
        '[document.images.length, document.scripts.length, document.querySelectorAll(".tile").length]',
      ),
    ).toEqual([0, 1, 100]);
    expect(await host.text()).toContain(title);
    expect(await inView('document.title')).toBe('Contact sheet');
    await click('.tile');
    await click('.closer .main');
    await host.until('!document.querySelector(".closer .main").disabled');
    expect(host.said).toEqual(['Use "artwork:met_1".']);
  });

  test('an unpaid call links only to the payment page', async () => {
    const structuredContent = {
      title: 'Payment required',
      status: 402,
      detail: 'It costs 1 credit.',
      tool: 'mockup_image',
      checkout_url: 'https://atelier.test/checkout/starter',
      pay_url: 'javascript:alert(1)',
    };
    const host = await show('mockup_image', {}, { isError: true, content: [], structuredContent });
    await host.until('document.querySelector(".link")');
    await click('.link');
    await host.until('!document.querySelector(".link").disabled');

    expect(host.opened).toEqual(['https://atelier.test/checkout/starter']);
    expect(await inView('document.querySelectorAll(".link").length')).toBe(1);
    expect(await host.text()).toContain('Try again');
  });

  test('a call that needs approval links to the approval page and runs once approved', async () => {
    const approval = { id: 'apr_1', url: 'https://atelier.test/approve/apr_1' };
    const structuredContent = {
      title: 'The owner has to approve',
      status: 403,
      tool: 'check_balance',
      approval,
    };
    const host = await show(
      'mockup_image',
      { wallet: WALLET },
      { isError: true, content: [], structuredContent },
      null,
    );
    const calls: Any[] = [];
    host.bridge.oncalltool = async (call) => {
      calls.push(call);
      return { content: [], structuredContent: { wallet: 'text' } };
    };
    await host.until('document.querySelector(".link")');
    await click('.link');
    await click('button.main');
    await host.until('document.querySelector("footer")');

    expect(host.opened).toEqual([approval.url]);
    expect(calls).toMatchObject([
      { name: 'check_balance', arguments: { wallet: WALLET, approval: 'apr_1' } },
    ]);
    expect(calls[0]._meta['io.github.atelier/idempotency-key']).toMatch(/^\w{16,}$/);
  });

  test('a view adopts the host’s colours and width', async () => {
    const structuredContent = { results: [{ credit_id: 'met_1', title: 'A Watch' }] };
    const host = await show('search_artworks', {}, { content: [], structuredContent });
    await host.until('document.querySelector(".tile")');
    const variables: Any = { '--color-background-primary': 'rgb(1, 2, 3)' };
    await host.bridge.sendHostContextChange({ theme: 'dark', styles: { variables } });
    await page.evaluate("frame.style.width = '320px'");
    await host.until('innerWidth === 320');

    expect(await inView('getComputedStyle(document.documentElement).colorScheme')).toBe('dark');
    expect(await inView('getComputedStyle(document.documentElement).backgroundColor')).toBe('rgb(1, 2, 3)');
    expect(await inView('document.documentElement.scrollWidth')).toBe(320);
  });
});
