import { brotliCompressSync, constants } from 'node:zlib';
import type { Browser, BrowserContextOptions, Response } from 'playwright-core';

/** A CPU at a quarter of the speed, and a slow mobile connection. */
const SLOWER = 4;
const LINE = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8 };
/** Time for scripts to change the page after loading. */
const SETTLED_MS = 1500;
/** Usual quality of proxies that compress on the fly. */
const BROTLI_QUALITY = 5;
/** Minimum duration of a long task (Long Tasks API). */
const TASK_MS = 50;

export interface PageCost {
  readonly status: number;
  /** Bytes of everything except images, compressed by Brotli. */
  readonly brotliBytes: number;
  /** The same as sent by this server. */
  readonly sentBytes: number;
  /** Largest contentful paint. */
  readonly paintMs: number;
  /** Total blocking time, from the first paint on. */
  readonly blockedMs: number;
  /** Cumulative layout shift. */
  readonly shift: number;
}

const OBSERVE = `
  globalThis.seen = { paint: 0, first: 0, shift: 0, tasks: [] };
  const watch = (type, see) => new PerformanceObserver((list) => list.getEntries().forEach(see)).observe({ type, buffered: true });
  watch('largest-contentful-paint', ({ startTime }) => { seen.paint = startTime; });
  watch('paint', ({ name, startTime }) => { if (name === 'first-contentful-paint') seen.first = startTime; });
  watch('layout-shift', ({ value, hadRecentInput }) => { if (!hadRecentInput) seen.shift += value; });
  watch('longtask', ({ startTime, duration }) => { seen.tasks.push([startTime, duration]); });
`;

interface Seen {
  readonly paint: number;
  readonly first: number;
  readonly shift: number;
  readonly tasks: readonly (readonly [startMs: number, ms: number])[];
}

/** Loads a page once with an empty cache, on a slow processor and a slow line. */
export async function measurePage(
  browser: Browser,
  url: string,
  { cookie, ...options }: BrowserContextOptions & { readonly cookie?: { name: string; value: string } },
): Promise<PageCost> {
  const context = await browser.newContext(options);
  try {
    if (cookie) await context.addCookies([{ ...cookie, url }]);
    const page = await context.newPage();
    await page.addInitScript(OBSERVE);
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', LINE);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    const responses: Response[] = [];
    page.on('response', (response) => responses.push(response));
    const reply = await page.goto(url, { waitUntil: 'load', timeout: 60_000 });
    await page.waitForTimeout(SETTLED_MS);
    const seen = (await page.evaluate('seen')) as Seen;
    const sizes = await Promise.all(responses.map(sizeOf));
    const blocking = seen.tasks.filter(([start]) => start >= seen.first);
    return {
      status: reply?.status() ?? 0,
      brotliBytes: sizes.reduce((sum, { brotli }) => sum + brotli, 0),
      sentBytes: sizes.reduce((sum, { sent }) => sum + sent, 0),
      paintMs: seen.paint,
      blockedMs: blocking.reduce((sum, [, ms]) => sum + Math.max(0, ms - TASK_MS), 0),
      shift: seen.shift,
    };
  } finally {
    await context.close();
  }
}

const NOTHING = { brotli: 0, sent: 0 };

/** Images are not counted. Compressed formats, such as fonts, are sent unchanged. */
async function sizeOf(response: Response): Promise<{ brotli: number; sent: number }> {
  const type = response.headers()['content-type'] ?? '';
  if (response.request().resourceType() === 'image' || /^image\//.test(type)) return NOTHING;
  // An event stream only ends when the page is closed.
  if (type.startsWith('text/event-stream')) return NOTHING;
  const body = await response.body().catch(() => Buffer.alloc(0));
  const { responseBodySize: sent } = await response.request().sizes();
  if (/^font\//.test(type)) return { brotli: body.length, sent };
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  return { brotli: brotliCompressSync(body, { params }).length, sent };
}
