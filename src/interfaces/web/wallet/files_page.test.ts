import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../tests/support/open_test_app.ts';
import { openVisitor, type TestVisitor } from '../../../../tests/support/open_visitor.ts';

const WALLET = '0x00000000000000000000000000000000000000d7';
const FILES = '/wallet/files';

let app: TestApp;
let visitor: TestVisitor;
beforeAll(async () => {
  app = await openTestApp();
  visitor = openVisitor(app, WALLET);
  await app.post('/api/wallet/register', { wallet: WALLET });
});
afterAll(() => app?.close());

async function save(key: string, text: string): Promise<void> {
  const data = Buffer.from(text).toString('base64');
  const sent = { wallet: WALLET, key, data, content_type: 'text/plain' };
  expect((await app.post('/api/tools/save_asset', sent, { Authorization: `Bearer ${WALLET}` })).status).toBe(
    200,
  );
}
const textOf = async (path: string) => (await visitor.look(path)).text;
/** The id that stands beside a key in the trash, or beside a version. */
const idIn = (page: string) => /name="id" value="([^"]+)"/.exec(page)?.[1] ?? '';

test('a deleted file is listed in the trash, can be opened and can be restored', async () => {
  await save('a/<b>.txt', 'one');
  expect((await visitor.press(FILES, { act: 'delete', key: 'a/<b>.txt' })).goTo).toBe(
    `${FILES}?done=deleted`,
  );
  const page = await textOf(`${FILES}?done=deleted`);
  expect(page).toMatch(
    /role="status">File deleted\.[\s\S]*<h2>Trash<\/h2>[\s\S]*<bdi>a\/&lt;b&gt;\.txt<\/bdi>/,
  );
  expect((await visitor.look(`/wallet/earlier/${idIn(page)}`)).text).toBe('one');
  await visitor.press(FILES, { act: 'restore', id: idIn(page) });
  expect(await textOf(FILES)).toMatch(/a\/&lt;b&gt;\.txt[\s\S]*The trash is empty/);
});

test('the trash lists a small WebP of a large image and links to the file', async () => {
  const picture = sharp({ create: { width: 1200, height: 600, channels: 3, background: '#369' } });
  const data = (await picture.png().toBuffer()).toString('base64');
  const sent = { wallet: WALLET, key: 'sea.png', data, content_type: 'image/png' };
  await app.post('/api/tools/save_asset', sent, { Authorization: `Bearer ${WALLET}` });
  await visitor.press(FILES, { act: 'delete', key: 'sea.png' });
  const [, small = '', whole = ''] =
    /src="([^"]*earlier[^"]*)"[\s\S]*?href="([^"]*earlier[^"]*)"/.exec(await textOf(FILES)) ?? [];
  const shown = async (path: string) => {
    const headers = { Cookie: `atelier_wallet=${WALLET}` };
    const reply = await app.fetch(new Request(`http://atelier.test${path}`, { headers }));
    const { width } = await sharp(await reply.bytes()).metadata();
    return [reply.headers.get('Content-Type'), width];
  };
  expect(await shown(small)).toEqual(['image/webp', 128]);
  expect(await shown(whole)).toEqual(['image/png', 1200]);
  await visitor.press(FILES, { act: 'empty', sure: 'yes' });
});

test('restoring an earlier version keeps the replaced content as a version', async () => {
  await save('note', 'first');
  await save('note', 'second');
  const path = '/wallet/versions?key=note';
  const { goTo } = await visitor.press(path, { act: 'restore', id: idIn(await textOf(path)) });
  expect(goTo).toBe(`${path}&done=restored`);
  expect((await visitor.look(`/wallet/earlier/${idIn(await textOf(path))}`)).text).toBe('second');
});

test('the trash is emptied only after confirming that it is permanent', async () => {
  await save('old', 'x');
  await visitor.press(FILES, { act: 'delete', key: 'old' });
  expect((await visitor.press(FILES, { act: 'empty' })).text).toContain('Nothing was deleted.');
  expect((await visitor.press(FILES, { act: 'empty', sure: 'yes' })).goTo).toBe(`${FILES}?done=emptied`);
  expect(await textOf(FILES)).toContain('The trash is empty. Deleted files stay here for 7 days.');
});

test('one file is permanently deleted after confirmation', async () => {
  await save('one', 'x');
  await visitor.press(FILES, { act: 'delete', key: 'one' });
  const id = idIn(await textOf(FILES));
  expect((await visitor.press(FILES, { act: 'forget', id })).text).toContain('Nothing was deleted.');
  expect(await textOf(`${FILES}?forget=${id}`)).toContain(
    'Permanently delete <bdi>one</bdi>? You cannot undo this.',
  );
  expect((await visitor.press(FILES, { act: 'forget', id, sure: 'yes' })).goTo).toBe(
    `${FILES}?done=forgotten`,
  );
});

test('files of a wallet are not accessible to other wallets', async () => {
  const stranger = openVisitor(app, '0x00000000000000000000000000000000000000d8');
  const path = '/wallet/versions?key=note';
  const id = idIn(await textOf(path));
  expect([
    (await stranger.look(`/wallet/earlier/${id}`)).status,
    (await openVisitor(app).look(FILES)).status,
  ]).toEqual([404, 303]);
  const { text } = await stranger.press(FILES, { act: 'forget', id, sure: 'yes' });
  expect(text).toContain('role="alert"');
  expect(idIn(await textOf(path))).toBe(id);
});
