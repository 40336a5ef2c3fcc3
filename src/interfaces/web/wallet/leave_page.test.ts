import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../tests/support/open_test_app.ts';
import { openVisitor } from '../../../../tests/support/open_visitor.ts';
import { newOwner } from '../../../../tests/support/owner.ts';

const LEAVE = '/wallet/leave';
const CLOSING = `${LEAVE}?closing=yes`;

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app?.close());

async function signedIn() {
  const owner = await newOwner(app);
  const enter = async () => openVisitor(app, (await owner.signIn()).Authorization!.replace('Bearer ', ''));
  return { owner, enter, visitor: await enter() };
}

test('closing an account explains the effect, requires the address ending and can be undone', async () => {
  const { owner, enter, visitor } = await signedIn();
  expect((await visitor.look(CLOSING)).text).toMatch(/Nothing has changed yet\.[\s\S]*<dd>10 credits<\/dd>/);
  for (const address_end of ['', '000000', owner.wallet])
    expect((await visitor.press(CLOSING, { act: 'close', address_end })).text).toContain(
      'The account was not closed.',
    );
  const { goTo } = await visitor.press(LEAVE, {
    act: 'close',
    address_end: owner.wallet.slice(-6).toUpperCase(),
  });
  expect(goTo).toBe('/wallet?done=closed');
  const save = { wallet: owner.wallet, key: 'note', data: 'aGVsbG8=' };
  const statusOfSaving = async () => (await app.post('/api/tools/save_asset', save, owner.bare)).status;
  expect(await statusOfSaving()).toBe(403);
  expect((await (await enter()).press(LEAVE, { act: 'reopen' })).goTo).toBe(`${LEAVE}?done=reopened`);
  expect(await statusOfSaving()).toBe(200);
});

test('the export archive is linked on the page and only available to the owner', async () => {
  const { owner, visitor } = await signedIn();
  expect((await visitor.look('/wallet/export.tar')).text).toMatch(/^manifest\.json\0/);
  expect((await openVisitor(app, owner.wallet).look('/wallet/export.tar')).status).toBe(401);
  expect((await openVisitor(app, owner.wallet).look(LEAVE)).text).toContain(
    'Only the owner can export or close the account.',
  );
});

test('a wallet that is not closed cannot be reopened', async () => {
  const { visitor } = await signedIn();
  expect((await visitor.press(LEAVE, { act: 'reopen' })).text).toContain('nothing to reopen');
});
