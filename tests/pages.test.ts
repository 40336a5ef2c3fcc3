import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { simulatedDesk } from '../src/features/billing/routes/simulated_desk.ts';
import { operations } from '../src/features/operations.ts';
import { tools } from '../src/features/tools.ts';
import { openTestApp, type TestApp } from './support/open_test_app.ts';
import { newOwner } from './support/owner.ts';

/** What browsers get: pages that run nothing but files of ours, and those files. */

const FOLDER = resolve(import.meta.dirname, '../src/core/html/browser');
const BROWSER = { Accept: 'text/html' };
const programs = globSync('*.ts', { cwd: FOLDER }).map((name) => ({
  name,
  text: readFileSync(join(FOLDER, name), 'utf8'),
}));

let app: TestApp;
let paths: string[];
beforeAll(async () => {
  app = await openTestApp();
  const { body } = await app.post('/api/create-payment-intent', { tool_name: 'save_asset' });
  const invited = await app.post('/api/tools/request_upload', {});
  const key = await app.post('/api/tools/request_payment', { way: 'key' });
  const owner = await newOwner(app);
  await app.post('/api/wallet/spending', { approval_above: 0 }, await owner.signIn());
  const call = { wallet: owner.wallet, key: 'note', data: 'aGVsbG8=' };
  const asked = await app.post('/api/tools/save_asset', call, owner.bare);
  const made = [body.pay_url, invited.body.upload_url, key.body.url, asked.body.approval.url];
  paths = ['/verify', '/checkout/pro', '/problems/busy', ...made.map((url) => new URL(url).pathname)];
});
afterAll(() => app?.close());

const addressesIn = (text: string): string[] =>
  [...text.matchAll(/(?:src="|href="|import\('|url\(")(\/pages\/[^"']+)/g)].map(([, address]) => address!);
/** The script of a page. */
const programOf = (text: string): string => addressesIn(text).find((address) => address.endsWith('.js'))!;
const pages = () => Promise.all(paths.map((path) => app.get(path, BROWSER)));

test('nothing runs or loads on a page but files of this server', async () => {
  for (const { headers, text } of await pages()) {
    const policy = headers.get('content-security-policy')!;
    expect(policy).toMatch(/^default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none';/);
    expect(policy).not.toMatch(/unsafe|nonce|sha256/);
    expect(text).not.toMatch(/\son\w+=|style=|<style|<script(?! type="module" src="\/pages\/)/);
  }
});

test('only a question and the form that leads on to the payment can be sent, and only pages with a program talk to the server', async () => {
  const policies = (await pages()).map(({ headers }) => headers.get('content-security-policy')!);
  expect(policies.map((policy) => policy.includes("form-action 'none'"))).toEqual([
    false,
    false,
    true,
    true,
    true,
    true,
    true,
  ]);
  expect(policies.map((policy) => policy.includes('connect-src'))).toEqual([
    true,
    false,
    false,
    true,
    true,
    true,
    true,
  ]);
});

test('files that a page loads, and their imports, exist and are cacheable permanently', async () => {
  const wanted = new Set((await pages()).flatMap(({ text }) => addressesIn(text)));
  for (const address of wanted) {
    const { status, headers, text } = await app.get(address);
    expect([address, status, headers.get('cache-control')]).toEqual([
      expect.stringMatching(/^\/pages\/\w+(-\w+)*\.[0-9a-f]{16}\.(js|css|svg|png|woff2)$/),
      200,
      'public, max-age=31536000, immutable',
    ]);
    expect(headers.get('content-type')).toMatch(
      /^(text\/(javascript|css); charset=utf-8|image\/(svg\+xml|png)|font\/woff2)$/,
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    for (const imported of addressesIn(text)) wanted.add(imported);
  }
  // What both of the pages load is loaded once; the page of Stripe is not among them.
  expect(wanted.size).toBe(14);
});

test('a page loads one script and one stylesheet with content-based URLs', async () => {
  const { text } = await app.get('/verify');
  const loaded = addressesIn(text).filter((address) => /\.(js|css)$/.test(address));
  expect(loaded.map((address) => address.replace(/\.\w+(?=\.)/, ''))).toEqual([
    '/pages/page-studio-tool-verify.css',
    '/pages/theme-copy-picture-verify-web_mcp.js',
  ]);
});

test('a program is sent without its types, and imports nothing but programs of the pages and known packages', async () => {
  const others = /(?:from |import\()'(?!(?:\.\/\w+\.ts|minisearch|stemmer|@noble\/[\w./]+)')|import\([^']/;
  for (const { text } of programs) expect(text).not.toMatch(others);
  const { text } = await app.get(programOf((await app.get('/verify')).text));
  expect(text).toContain('async function ask(question');
  expect(text).not.toMatch(/\.ts';|: Document|Promise</);
});

test('a link preview has an image of the stated size at a public URL', async () => {
  const { text } = await app.get('/', BROWSER);
  const told = Object.fromEntries(
    [...text.matchAll(/<meta property="og:([\w:]+)" content="([^"]*)">/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  );
  const shown = await app.fetch(new Request(told.image!));
  const { width, height } = await sharp(Buffer.from(await shown.arrayBuffer())).metadata();
  expect([told.image, told.title, width, height]).toEqual([
    expect.stringMatching(/^http:\/\/atelier\.test\/pages\/preview\.[0-9a-f]{16}\.jpg$/),
    'Image tools for people and agents',
    Number(told['image:width']),
    Number(told['image:height']),
  ]);
});

test('browsers that request /favicon.ico find an icon', async () => {
  const { status, headers } = await app.get('/favicon.ico');
  expect([status, headers.get('content-type')]).toEqual([200, 'image/png']);
});

test('a file that is known is not sent again', async () => {
  const address = programOf((await app.get('/verify')).text);
  const { headers } = await app.get(address);
  const { status } = await app.get(address, { 'If-None-Match': headers.get('etag')! });
  expect(status).toBe(304);
});

test.each([
  '/pages/page.0000000000000000.css',
  '/pages/page.css',
  '/pages/page-nothing.0000000000000000.css',
  '/pages/page.css-theme.ts.0000000000000000.js',
  '/pages/tsconfig.json',
  '/pages/..%2Fhtml_page.ts',
])('%s leads nowhere', async (path) => {
  const { status, body } = await app.get(path);
  expect([status, body.code]).toEqual([404, 'not_found']);
});

test('every internal URL that a script calls is served', () => {
  const served = [
    ...tools.map(({ name }) => `/api/tools/${name}`),
    ...[...operations, ...simulatedDesk].map(({ path }) => path),
  ];
  const called = programs.flatMap(({ text }) => [...text.matchAll(/'(\/api\/[^']+)'/g)].map(([, to]) => to!));
  expect(called.filter((to) => !served.includes(to))).toEqual([]);
  expect(called).not.toEqual([]);
});

test.each([
  ['pay_with_test_card.ts', 3],
  ['upload.ts', 4],
  ['grant.ts', 5],
  ['sign.ts', 5],
  ['sign.ts', 6],
])('every element %s works with is on its page', async (program, page) => {
  const { text: source } = programs.find(({ name }) => name === program)!;
  const { text } = (await pages())[page]!;
  for (const [, id] of source.matchAll(/findElement\('#(\w+)'/g)) expect(text).toContain(`id="${id}"`);
  expect(text).toContain('role="status"');
});

test('client input is text on a page', async () => {
  const { text } = await app.get('/problems/wallet_not_registered', BROWSER);
  expect(text).toContain('{&quot;wallet&quot;: &quot;0x…&quot;}');
});
