import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../tests/support/open_test_app.ts';
import { openVisitor } from '../../../../tests/support/open_visitor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => app?.close());

let visitors = 0;

/**
 * A table of a visitor without a wallet, with one sample on it. Each visitor has its own address, because one
 * address makes at most 20 tables an hour.
 */
async function newTable() {
  const visitor = openVisitor(app, undefined, `203.0.113.${++visitors}`);
  const { status, goTo } = await visitor.press('/table', { sample: 'pear' });
  expect([status, goTo]).toEqual([303, expect.stringMatching(/^\/table\/wsp_[0-9a-f]{32}$/)]);
  return { visitor, path: goTo };
}

let known: ReturnType<typeof shareTable> | undefined;
/** The links of one table. */
const links = () => (known ??= shareTable());

async function shareTable(): Promise<{ path: string; own: string }> {
  const { visitor, path } = await newTable();
  await visitor.press(path, { do: 'share', role: 'view' });
  const { text } = await visitor.look(path);
  const found = [...text.matchAll(/value="http:\/\/atelier\.test(\/table\/wsp_[^"]+)"/g)].map(
    ([, link]) => link!,
  );
  return { own: found[0]!, path: found[1]! };
}

test('a table URL without access looks like a table that does not exist', async () => {
  const { visitor, path } = await newTable();
  expect((await visitor.look(path)).status).toBe(200);
  const [other, unknown] = await Promise.all(
    [path, `/table/wsp_${'0'.repeat(32)}`].map((one) => openVisitor(app).look(one)),
  );
  expect([other!.status, unknown!.status]).toEqual([404, 404]);
});

test('an owner link redirects to the URL without its secret', async () => {
  const { own } = await links();
  const visitor = openVisitor(app);
  const reply = await app.get(own, { Accept: 'text/html' });
  expect([reply.status, reply.headers.get('location')]).toEqual([303, own.split('.')[0]]);
  expect((await visitor.look(own)).status).toBe(303);
  expect((await visitor.look(own.split('.')[0]!)).text).toContain('pear.webp');
});

test.each([
  ['undo', {}],
  ['hide', { items: '1' }],
  ['trash', { items: '1' }],
  ['empty', {}],
  ['rename', { title: 'Mine' }],
  ['share', { role: 'own' }],
  ['comment', { text: 'Hello' }],
])('with a view link, a crafted %s form is rejected', async (deed, values) => {
  const { path } = await links();
  const { status } = await openVisitor(app).press(path, { do: deed, ...values });
  expect(status).toBe(403);
});

test('with a view link, tools cannot run', async () => {
  const { path } = await links();
  const settings = { do: 'run', items: '1', width: '10', height: '10' };
  expect((await openVisitor(app).press(`${path}?tool=resize_image`, settings)).status).toBe(403);
});

test.each([
  ['a tool of the wallet', { tool: 'save_asset', input: '{}' }],
  ['a tool that does not exist', { tool: 'nothing', input: '{}' }],
  ['input that is not an object', { tool: 'resize_image', input: '[1]' }],
  ['input that is too long', { tool: 'resize_image', input: `"${'x'.repeat(9_000)}"` }],
])('a crafted repair with %s is rejected', async (_name, values) => {
  const { visitor, path } = await newTable();
  expect((await visitor.press(path, { do: 'call', ...values })).status).toBe(400);
});

test.each(['nothing', 'constructor', '__proto__'])('the unknown action %s is rejected', async (name) => {
  const { visitor, path } = await newTable();
  expect((await visitor.press(path, { do: name })).status).toBe(400);
});

test('invalid item numbers and actions select nothing', async () => {
  const { visitor, path } = await newTable();
  const { status, text } = await visitor.look(`${path}?items=1e9,-1,abc,99&act=nonsense&tool=nothing`);
  expect([status, text.includes('Nothing selected')]).toEqual([200, true]);
  for (const query of [
    `tool=erase_object&where=${encodeURIComponent('[{"x":1')}`,
    `tool=rcp_${'0'.repeat(32)}`,
    'failed=7,8',
  ])
    expect([query, (await visitor.look(`${path}?items=1&${query}`)).status]).toEqual([query, 200]);
});

test('a deleted image can be restored from the trash until the owner empties it', async () => {
  const { visitor, path } = await newTable();
  const inTrash = async () => (await visitor.look(path)).text.includes('data-trash="1"');
  await visitor.press(path, { do: 'trash', items: '1' });
  expect(await inTrash()).toBe(true);
  await visitor.press(path, { do: 'restore', items: '1' });
  expect(await inTrash()).toBe(false);
  await visitor.press(path, { do: 'trash', items: '1' });
  await visitor.press(path, { do: 'empty' });
  expect((await visitor.look(path)).text).not.toContain('pear.webp');
});

test('two branches are shown side by side with the actions unique to each', async () => {
  const { visitor, path } = await newTable();
  expect((await visitor.look(`${path}?view=branches`)).text).toContain('This table has one branch.');
  await visitor.press(path, { do: 'branch', name: 'Small & warm' });
  await visitor.press(`${path}?tool=resize_image`, { do: 'run', items: '1', width: '32', height: '32' });
  const compared = async () => (await visitor.look(`${path}?view=branches&a=main&b=nothing`)).text;
  await expect.poll(compared).toContain('1 step of its own');
  expect(await compared()).toMatch(/data-before="1" data-after="2"/);
  expect(await compared()).toContain('No steps of its own');
});

test('the print form warns that the image is too small and offers a one-click fix', async () => {
  const { visitor, path } = await newTable();
  const { text } = await visitor.look(`${path}?items=1&tool=print_ready`);
  expect(text).toMatch(/dpi is too low for A4/);
  const [, repair = ''] = /name="repair" value="([^"]+)">Print it smaller/.exec(text) ?? [];
  const { status, goTo } = await visitor.press(`${path}?items=1`, {
    do: 'repair',
    repair: repair.replaceAll('&quot;', '"'),
  });
  expect([status, goTo]).toEqual([303, `${path}?items=1&act=1`]);
  const large = await visitor.look(
    `${path}?items=1&tool=print_ready&product_size=custom&custom_width_mm=20&custom_height_mm=20`,
  );
  expect(large.text).not.toMatch(/dpi is too low/);
});

test('a tool runs on the selected items, and its result appears on the table', async () => {
  const { visitor, path } = await newTable();
  const { status, goTo } = await visitor.press(`${path}?tool=resize_image`, {
    do: 'run',
    items: '1',
    width: '64',
    height: '64',
  });
  expect([status, goTo]).toEqual([303, `${path}?items=1`]);
  await expect.poll(async () => (await visitor.look(path)).text.includes('64 × 64')).toBe(true);
  const zip = await visitor.look(`${path}/images.zip`);
  expect([zip.text.startsWith('PK'), zip.text.includes('pear.webp')]).toEqual([true, true]);
});
