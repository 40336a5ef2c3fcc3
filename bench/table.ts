import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../tests/support/browse.ts';
import { scene } from '../tests/support/scene.ts';
import { UNLIMITED } from '../tests/support/unlimited.ts';
import { median } from './support/load.ts';
import { measurePage, type PageCost } from './support/measure_page.ts';
import { startServer } from './support/server.ts';

const IMAGES = 200;
const AT_ONCE = 50;
const UPDATES = 15;
const ROUNDS = 3;
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true };
const DESK = { viewport: { width: 1440, height: 900 } };
/** Budget of the page. */
const BUDGET = { bytes: 120_000, paintMs: 1200, updateMs: 500, taskMs: 50 };

const OBSERVE = `
  globalThis.seen = { shift: 0 };
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) seen.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

/**
 * The page of a table: weight and paint, scrolling with 200 images, and the delay until a second browser sees
 * a change.
 */
export async function run(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
  const server = await startServer('src/main.ts', { DATA_DIR: folder, ...UNLIMITED });
  const browser = await openBrowser(new URL(server.url).host);
  try {
    const empty = await newTable(server.url);
    const full = await newTable(server.url);
    await fill(server.url, full);
    const lines = [
      ['empty', await costsOf(browser, `${server.url}/table/${empty}`)],
      [`${IMAGES} images`, await costsOf(browser, `${server.url}/table/${full}`)],
    ] as const;
    for (const [name, costs] of lines) console.error(lineOf(name, costs));
    const scrolled = await scroll(browser, `${server.url}/table/${full}`);
    const updates = await live(browser, server.url, full);
    return [
      `## The table\n\n\`npm run bench table\`. Phone and connection as for [the studio](#the-studio), median of ${ROUNDS}. Bytes include all editors but no images. Budget: ${BUDGET.bytes / 1000} kB of brotli, paint ${BUDGET.paintMs / 1000} s, no layout shift.\n`,
      '| table | kB, brotli | largest paint, s | blocked, ms | shift |\n|---|---|---|---|---|',
      ...lines.map(([name, costs]) => lineOf(name, costs)),
      `\n${IMAGES} images on a desktop, moved, zoomed and scrolled for ${scrolled.seconds} s: ${countOf(scrolled.cpuMs)} of processor time, ${countOf(scrolled.tasksMs)} from start to end, in which other threads draw and other programs run; shift ${scrolled.shift.toFixed(3)}.`,
      `A change appears in a second browser ${median(updates).toFixed(0)} ms after it was sent (median of ${UPDATES}; longest ${Math.max(...updates).toFixed(0)} ms; budget ${BUDGET.updateMs} ms).`,
    ].join('\n');
  } finally {
    await browser.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function post<Answer>(url: string, path: string, body: object | Buffer): Promise<Answer> {
  const isFile = Buffer.isBuffer(body);
  const reply = await fetch(url + path, {
    method: 'POST',
    headers: { 'Content-Type': isFile ? 'image/jpeg' : 'application/json' },
    body: isFile ? new Uint8Array(body) : JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${path} answers ${reply.status}: ${await reply.text()}`);
  return reply.json() as Promise<Answer>;
}

/** A table without an owner. @returns its editing link without a redirect */
async function newTable(url: string): Promise<string> {
  const { links } = await post<{ links: { id: string }[] }>(url, '/api/workspaces', { title: 'Bench' });
  const { link } = await post<{ link: { id: string } }>(url, `/api/workspaces/${links[0]!.id}/links`, {
    role: 'work',
  });
  return link.id;
}

async function fill(url: string, table: string): Promise<void> {
  const picture = sharp(await scene(5));
  const handles: { image: string; name: string }[] = [];
  for (let at = 0; at < IMAGES; at += 1) {
    const bytes = await picture
      .clone()
      .resize(900 + at, 700)
      .jpeg()
      .toBuffer();
    const { uri } = await post<{ uri: string }>(url, '/api/uploads', bytes);
    handles.push({ image: uri, name: `photo ${at + 1}.jpg` });
  }
  for (let at = 0; at < IMAGES; at += AT_ONCE)
    await post(url, `/api/workspaces/${table}/items`, { images: handles.slice(at, at + AT_ONCE) });
}

async function costsOf(browser: Browser, url: string): Promise<readonly PageCost[]> {
  const costs: PageCost[] = [];
  // Thumbnails are made for the first visitor.
  await measurePage(browser, url, DESK);
  for (let round = 0; round < ROUNDS; round += 1) costs.push(await measurePage(browser, url, PHONE));
  return [...costs, await measurePage(browser, url, DESK)];
}

function lineOf(name: string, costs: readonly PageCost[]): string {
  const most = (field: keyof PageCost) => Math.max(...costs.map((cost) => cost[field]));
  const middle = (field: keyof PageCost) => median(costs.slice(0, ROUNDS).map((cost) => cost[field]));
  return `| ${name} | ${(most('brotliBytes') / 1000).toFixed(1)} | ${(middle('paintMs') / 1000).toFixed(2)} | ${middle('blockedMs').toFixed(0)} | ${most('shift').toFixed(3)} |`;
}

async function open(browser: Browser, url: string): Promise<Page> {
  const page = await (await browser.newContext(DESK)).newPage();
  await page.addInitScript(OBSERVE);
  await page.goto(url);
  await page.locator('at-table[data-ready]').waitFor({ timeout: 60_000 });
  return page;
}

/** Moves and zooms the table, and scrolls the list, by wheel events. */
async function scroll(browser: Browser, url: string) {
  const page = await open(browser, url);
  await page.waitForTimeout(2_000);
  await browser.startTracing(page, { categories: ['toplevel'] });
  const from = performance.now();
  const wheel = async (times: number, by: number) => {
    for (let at = 0; at < times; at += 1) {
      await page.mouse.wheel(0, by);
      await page.waitForTimeout(16);
    }
  };
  await page.mouse.move(640, 400);
  await wheel(60, 120);
  await page.keyboard.down('Control');
  await wheel(20, 120);
  await wheel(20, -120);
  await page.keyboard.up('Control');
  await page.mouse.move(100, 400);
  await wheel(60, 200);
  const seconds = ((performance.now() - from) / 1000).toFixed(0);
  const tasks = mainTasks(await browser.stopTracing());
  const shift = (await page.evaluate('seen.shift')) as number;
  await page.context().close();
  return {
    cpuMs: tasks.map(({ tdur }) => tdur / 1000),
    tasksMs: tasks.map(({ dur }) => dur / 1000),
    shift,
    seconds,
  };
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly args: { readonly name?: string };
  /** Duration and CPU time in µs. */
  readonly dur: number;
  readonly tdur?: number;
}

/** Tasks of the main threads of pages in a Chromium trace. */
function mainTasks(trace: Buffer) {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const main = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(threadOf),
  );
  return traceEvents
    .filter(
      (event) =>
        event.ph === 'X' && event.name === 'ThreadControllerImpl::RunTask' && main.has(threadOf(event)),
    )
    .map(({ dur, tdur = 0 }) => ({ dur, tdur }));
}

const countOf = (tasksMs: readonly number[]): string =>
  `${tasksMs.filter((ms) => ms > BUDGET.taskMs).length} tasks above ${BUDGET.taskMs} ms (longest ${Math.max(...tasksMs).toFixed(0)} ms)`;

/** Milliseconds from sending a change until it is in the document of a second browser. */
async function live(browser: Browser, url: string, table: string): Promise<number[]> {
  const page = await open(browser, `${url}/table/${table}`);
  const waits: number[] = [];
  for (let at = 0; at < UPDATES; at += 1) {
    const name = `renamed ${at} times`;
    const drawn = page.locator('#items .name', { hasText: name }).first().waitFor();
    const from = performance.now();
    await post(url, `/api/workspaces/${table}/items/edit`, { items: [{ item: 1, name }] });
    await drawn;
    waits.push(performance.now() - from);
  }
  await page.context().close();
  return waits;
}
