import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../tests/support/open_test_app.ts';
import { newOwner } from '../../../../tests/support/owner.ts';

const ADDRESS = '0x00000000000000000000000000000000000000d1';
const HTML = { Accept: 'text/html' };

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app?.close());

/** A form as a browser without programs posts it. */
const post = (fields: Record<string, string>, cookie = '') =>
  app.fetch(
    new Request('http://atelier.test/wallet', {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { ...HTML, ...(cookie && { Cookie: cookie }) },
    }),
  ) as Promise<Response>;
const cookieOf = (reply: Response) => reply.headers.get('set-cookie')!.split(';')[0]!;
const pageOf = async (cookie: string) => (await app.get('/wallet', { ...HTML, Cookie: cookie })).text;

test('an address that is registered is signed in, with its credits at the head of every page', async () => {
  const reply = await post({ act: 'register', wallet: ADDRESS });
  expect([reply.status, reply.headers.get('location')]).toEqual([303, '/wallet']);
  expect(reply.headers.get('set-cookie')).toContain('HttpOnly; SameSite=Lax');
  expect(await pageOf(cookieOf(reply))).toMatch(/<h1>10 credits<\/h1>[\s\S]*Statement/);
  expect((await app.get('/tools', { ...HTML, Cookie: cookieOf(reply) })).text).toContain('>10 credits</a>');
});

test('an invalid address is explained on the page, and no session is opened', async () => {
  const reply = await post({ act: 'register', wallet: 'mine' });
  expect([reply.status, reply.headers.get('set-cookie')]).toEqual([400, null]);
  expect(await reply.text()).toMatch(/role="alert">.*wallet/);
});

test('a bearer that does not hold is no error on a page', async () => {
  expect(await pageOf(`atelier_wallet=atl_sess_${'x'.repeat(43)}`)).toContain('Your wallet');
});

test('the owner makes a key, which is shown once, and revokes it', async () => {
  const owner = await newOwner(app);
  const { Authorization: session } = await owner.signIn();
  const cookie = `atelier_wallet=${session!.replace('Bearer ', '')}`;
  const made = await (
    await post({ act: 'make_key', name: '<b>agent</b>', max_credits: '5', spend: 'yes' }, cookie)
  ).text();
  expect(made).toMatch(/atl_key_[\w-]{43}/);
  const listed = await pageOf(cookie);
  expect(listed).toContain('&lt;b&gt;agent&lt;/b&gt;');
  expect(listed).not.toMatch(/atl_key_[\w-]{43}/);
  const id = /name="id" value="([^"]+)"/.exec(listed)![1]!;
  await post({ act: 'revoke_key', id }, cookie);
  expect(await pageOf(cookie)).toContain('<td>revoked</td>');
});

test('only the owner sees which call waits, and for what', async () => {
  const owner = await newOwner(app);
  const session = await owner.signIn();
  await app.post('/api/wallet/spending', { approval_above: 0 }, session);
  const key = '<b>notes</b>';
  const asked = await app.post(
    '/api/tools/save_asset',
    { wallet: owner.wallet, key, data: 'aGVsbG8=' },
    owner.bare,
  );
  const text = await pageOf(`atelier_wallet=${session.Authorization!.replace('Bearer ', '')}`);
  expect(text).toContain('<h2>One call waits for you</h2>');
  expect(text).toContain(`href="${new URL(asked.body.approval.url).pathname}">Decide</a>`);
  expect(text).not.toContain(key);
  expect((await app.get('/api/wallet/approvals', owner.bare)).status).toBe(401);
});

test('keys and rules are for the owner, whatever a form says', async () => {
  const { wallet } = await newOwner(app);
  await app.post('/api/wallet/register', { wallet });
  const reply = await post({ act: 'make_key', name: 'mine' }, `atelier_wallet=${wallet}`);
  expect(reply.status).toBe(400);
  expect(await reply.text()).not.toMatch(/atl_key_[\w-]{43}/);
});

test.each<Record<string, string>>([{}, { HOST: '0.0.0.0', PUBLIC_URL: 'https://studio.example' }])(
  'a form of another site is refused, with the settings %o',
  async (settings) => {
    const served = Object.keys(settings).length > 0 ? await openTestApp(settings) : app;
    const request = new Request('http://atelier.test/wallet', {
      method: 'POST',
      body: new URLSearchParams({ act: 'leave' }),
      headers: { Origin: 'https://elsewhere.example' },
    });
    expect(((await served.fetch(request)) as Response).status).toBe(403);
    if (served !== app) await served.close();
  },
);

test('leaving signs out', async () => {
  expect((await post({ act: 'leave' })).headers.get('set-cookie')).toContain('atelier_wallet=; ');
});
