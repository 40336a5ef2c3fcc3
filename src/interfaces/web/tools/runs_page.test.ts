import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../tests/support/open_test_app.ts';
import { openVisitor, type TestVisitor } from '../../../../tests/support/open_visitor.ts';

const WALLET = '0x00000000000000000000000000000000000000b8';
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  await app.post('/api/wallet/register', { wallet: WALLET });
});
afterAll(() => app?.close());

/** Runs a tool in a browser. @returns id of the run */
async function run(visitor: TestVisitor): Promise<string> {
  const { goTo } = await visitor.press('resize_image', { image: 'sample:pear', width: '40', height: '40' });
  await visitor.ended(goTo);
  return new URLSearchParams(goTo.split('?')[1]).get('run')!;
}

test('runs are visible only to the browser that started them', async () => {
  const browser = openVisitor(app);
  const id = await run(browser);
  expect((await browser.look('/runs')).text).toContain(`/tools/resize_image?run=${id}`);
  expect((await openVisitor(app).look('/runs')).text).toContain('No runs yet');
});

test('runs of a wallet are visible in every browser signed in to it', async () => {
  const id = await run(openVisitor(app, WALLET));
  expect((await openVisitor(app, WALLET).look('/runs')).text).toContain(id);
});

test('a result is saved for 1 credit and posted to the gallery', async () => {
  const browser = openVisitor(app, WALLET);
  const form = { run: await run(browser), key: 'pears/small <1>.png', title: 'Small pear', name: 'Ada' };
  expect((await browser.press('/runs', { ...form, act: 'post' })).goTo).toBe('/runs?done=posted');
  const { text } = await browser.look('/gallery');
  expect(text).toContain('Small pear');
  const [, image] = /<img src="(\/api\/gallery\/image\/[^"]+)"/.exec(text)!;
  expect((await app.get(image!)).status).toBe(200);
});

test('saving fails without a wallet or for a run of another browser', async () => {
  const browser = openVisitor(app);
  const id = await run(browser);
  const form = { run: id, key: 'a.png', act: 'save' };
  expect((await browser.press('/runs', form)).status).toBe(402);
  const stranger = await openVisitor(app, WALLET).press('/runs', form);
  expect([stranger.status, stranger.text.includes('role="alert"')]).toEqual([400, true]);
});
