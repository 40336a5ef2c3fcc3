import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { readConfig } from '../src/config/config.ts';
import { openOperator } from '../src/features/operator/service.ts';
import { openBrowser } from '../tests/support/browse.ts';
import { MET, metAnswer } from '../tests/support/museum_answers.ts';
import { scene } from '../tests/support/scene.ts';
import { UNLIMITED } from '../tests/support/unlimited.ts';
import { loadOf, median } from './support/load.ts';
import { measurePage, type PageCost } from './support/measure_page.ts';
import { startServer } from './support/server.ts';

const PAGES = [
  '/',
  '/tools',
  '/tools/resize_image',
  '/tools/upscale_image',
  '/tools/print_ready',
  '/recipes',
  '/recipes/new',
  '/collection',
  '/collection?query=portrait',
  '/works/met_436535',
  '/works/met_436535/zoom',
  '/gallery',
  '/cafe',
  '/registry',
  '/verify',
  '/docs',
  '/docs/operating/operators',
  '/wallet',
  '/operate',
];
const ROUNDS = 3;
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true };
const DESK = { viewport: { width: 1440, height: 900 } };

/** Budget of a page. */
const BUDGET = { bytes: 60_000, zoomBytes: 140_000, paintMs: 1500, blockedMs: 100, shift: 0.001 };

const SERVED = [
  '/',
  '/tools',
  '/tools/resize_image',
  '/recipes',
  '/collection',
  '/docs',
  '/wallet',
  '/health',
];
const CONNECTIONS = 10;
const SECONDS = 5;
const WARM_UP_SECONDS = 2;

/**
 * Every page of the studio on a slow phone, its layout on a desktop, and the number of pages served per
 * second.
 */
export async function run(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
  const museums = await startPictures();
  const settings = { DATA_DIR: folder, ALLOW_PRIVATE_FETCH: 'true', ...UNLIMITED };
  const server = await startServer('src/main.ts', { ...settings, MUSEUM_MIRROR: museums.url });
  const browser = await openBrowser(new URL(server.url).host);
  try {
    const token = await operatorToken(folder);
    await fetch(`${server.url}/iiif/3/met_436535/info.json`);
    const lines: string[] = [];
    for (const path of PAGES) {
      lines.push(await lineOf(browser, server.url + path, { path, token }));
      console.error(lines.at(-1));
    }
    return [TITLE, HEADS, ...lines, '', await served(server.url)].join('\n');
  } finally {
    await browser.close();
    await server.stop();
    museums.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const TITLE = `## The studio\n\n\`npm run bench studio\`. A phone (390 pixels), processor slowed down 4 times, a line of 1.6 Mbit/s and 150 ms, empty cache; median of ${ROUNDS}, but the most bytes and shifts,
which are those of a desk (1440 pixels) as well. Bytes are everything but pictures: as brotli of quality 5, which a proxy makes, and as this server sends it alone. Budget: ${BUDGET.bytes / 1000} kB of brotli (zoom:
${BUDGET.zoomBytes / 1000}), largest contentful paint ${BUDGET.paintMs / 1000} s, total blocking time ${BUDGET.blockedMs} ms, no shift. What is over it is bold.\n`;
const HEADS =
  '| page | kB, brotli | kB, sent | largest paint, s | blocked, ms | shift |\n|---|---|---|---|---|---|';

async function lineOf(
  browser: Browser,
  url: string,
  { path, token }: { path: string; token: string },
): Promise<string> {
  const cookie = path === '/operate' ? { cookie: { name: 'atelier_operator', value: token } } : {};
  const costs: PageCost[] = [];
  // The first visitor of a server waits for work that is cached for others.
  await fetch(url, { headers: { Accept: 'text/html' } }).then((reply) => reply.arrayBuffer());
  for (let round = 0; round < ROUNDS; round += 1)
    costs.push(await measurePage(browser, url, { ...PHONE, ...cookie }));
  const desk = await measurePage(browser, url, { ...DESK, ...cookie });
  const bad = [...costs, desk].find(({ status }) => status !== 200);
  if (bad) throw new Error(`${path} answers ${bad.status}`);
  const most = (field: keyof PageCost) => Math.max(...[...costs, desk].map((cost) => cost[field]));
  const middle = (field: keyof PageCost) => median(costs.map((cost) => cost[field]));
  const bytesMax = path.endsWith('/zoom') ? BUDGET.zoomBytes : BUDGET.bytes;
  const bytes = most('brotliBytes');
  return `| \`${path}\` | ${[
    within(bytes <= bytesMax, (bytes / 1000).toFixed(1)),
    (most('sentBytes') / 1000).toFixed(1),
    within(middle('paintMs') <= BUDGET.paintMs, (middle('paintMs') / 1000).toFixed(2)),
    within(middle('blockedMs') <= BUDGET.blockedMs, middle('blockedMs').toFixed(0)),
    within(most('shift') <= BUDGET.shift, most('shift').toFixed(3)),
  ].join(' | ')} |`;
}

const within = (isWithin: boolean, text: string): string => (isWithin ? text : `**${text}**`);

/** Pages per second, compared with the lightest response. */
async function served(url: string): Promise<string> {
  const loads: [string, number, number][] = [];
  for (const path of SERVED) {
    const target = { url: url + path, headers: { Accept: 'text/html' } };
    await loadOf(target, CONNECTIONS, WARM_UP_SECONDS);
    const { requestsPerSecond, p95Ms } = await loadOf(target, CONNECTIONS, SECONDS);
    loads.push([path, requestsPerSecond, p95Ms]);
  }
  const [, health] = loads.at(-1)!;
  const lines = loads.map(
    ([path, rate, p95]) => `| \`${path}\` | ${rate.toFixed(0)} | ${(rate / health).toFixed(2)} | ${p95} |`,
  );
  return [
    `Pages a second, ${CONNECTIONS} connections, beside \`/health\`, each warmed up for ${WARM_UP_SECONDS} s:\n`,
    '| | a second | of /health | 97.5 % within, ms |\n|---|---|---|---|',
    ...lines,
  ].join('\n');
}

async function operatorToken(folder: string): Promise<string> {
  const { operators, close } = await openOperator(readConfig({ DATA_DIR: folder, DATABASE_URL: '' }));
  const wanted = { name: 'bench', scopes: ['read'], expiresAt: new Date(Date.now() + 3_600_000) } as const;
  const { token } = await operators.createToken({ who: 'bench', why: 'a measurement' }, wanted);
  await close();
  return token;
}

const WORK = JSON.stringify(metAnswer());

/** A server in place of all museums: one work in its museum's format, and an image for every other URL. */
async function startPictures() {
  const picture = await scene();
  const server = createServer(({ url }, response) => {
    if (url === `/${MET}`) response.writeHead(200, { 'content-type': 'application/json' }).end(WORK);
    else response.writeHead(200, { 'content-type': 'image/png' }).end(picture);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}
