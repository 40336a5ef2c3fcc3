import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../tests/support/open_test_app.ts';
import { openVisitor } from '../../../../tests/support/open_visitor.ts';
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

test('registering an address signs in and shows its balance on every page', async () => {
  const reply = await post({ act: 'register', wallet: ADDRESS });
  expect([reply.status, reply.headers.get('location')]).toEqual([303, '/wallet']);
  expect(reply.headers.get('set-cookie')).toContain('HttpOnly; SameSite=Lax');
  expect(await pageOf(cookieOf(reply))).toMatch(/<h1>10 credits<\/h1>[\s\S]*Statement/);
  expect((await app.get('/tools', { ...HTML, Cookie: cookieOf(reply) })).text).toContain('>10 credits</a>');
});

test('a wallet page explains credits and later lists its tables with images', async () => {
  const visitor = openVisitor(app, `${ADDRESS.slice(0, -1)}9`);
  expect((await visitor.look('/wallet')).text).toContain('Paid tools');
  const { goTo } = await visitor.press('/table', { sample: 'pear' });
  const { text } = await visitor.look('/wallet');
  expect(text).toMatch(
    new RegExp(`href="${goTo}"><span class="made-images"><img src="/api/workspaces/[^"]+size=small"`),
  );
});

test('without JavaScript, one button opens a server-held account and returns to the page', async () => {
  const back = '/tools/upscale_image?image=sample:pear';
  const reply = await post({ act: 'guest', back });
  const text = await reply.text();
  expect(text).toMatch(
    /It has 10 credits\.[\s\S]*\/claim\/[\w-]{43}[\s\S]*href="\/tools\/upscale_image\?image=sample:pear">Continue/,
  );
  expect((await app.get(back, { ...HTML, Cookie: cookieOf(reply) })).text).toContain('>10 credits</a>');
});

test('sign-in and payment return to the page the visitor came from', async () => {
  const back = '/tools/upscale_image?image=sample:pear';
  const shown = await app.get(`/wallet?${new URLSearchParams({ back })}`, HTML);
  expect(shown.text).toContain(`Back to Upscale an image`);
  const signedIn = await post({ act: 'register', wallet: `${ADDRESS.slice(0, -1)}2`, back });
  expect(signedIn.headers.get('location')).toBe(back);
  const paid = await app.get('/wallet/back', { ...HTML, Cookie: cookieOf(shown as never) });
  expect([paid.status, paid.headers.get('location')]).toEqual([303, back]);
});

test.each([
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
  ' /wallet',
  `/${'x'.repeat(9_000)}`,
])('%j is not accepted as a return path', async (back) => {
  const reply = await post({ act: 'register', wallet: ADDRESS, back });
  expect(reply.headers.get('location')).toBe('/wallet');
  const Cookie = `atelier_back=${encodeURIComponent(back)}`;
  expect((await app.get('/wallet/back', { ...HTML, Cookie })).headers.get('location')).toBe('/wallet');
  const shown = await app.get(`/wallet?${new URLSearchParams({ back })}`, HTML);
  expect(shown.text).not.toContain('Back to');
});

test('a malformed return cookie redirects to the wallet', async () => {
  const reply = await app.get('/wallet/back', { ...HTML, Cookie: 'atelier_back=%E0%A4%A' });
  expect([reply.status, reply.headers.get('location')]).toEqual([303, '/wallet']);
});

test('an invalid address shows an error and opens no session', async () => {
  const reply = await post({ act: 'register', wallet: 'mine' });
  expect([reply.status, reply.headers.get('set-cookie')]).toEqual([400, null]);
  expect(await reply.text()).toMatch(/role="alert">.*wallet/);
});

test('an invalid session cookie shows the signed-out page', async () => {
  expect(await pageOf(`atelier_wallet=atl_sess_${'x'.repeat(43)}`)).toContain('Open an account');
});

test('the owner creates a key, sees it once and revokes it', async () => {
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

test('only the owner sees pending approvals and their details', async () => {
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
  expect(text).toContain('<h2>1 pending approval</h2>');
  expect(text).toContain(`href="${new URL(asked.body.approval.url).pathname}">Review</a>`);
  expect(text).not.toContain(key);
  expect((await app.get('/api/wallet/approvals', owner.bare)).status).toBe(401);
});

test('keys and spending rules can be changed only by the owner', async () => {
  const { wallet } = await newOwner(app);
  await app.post('/api/wallet/register', { wallet });
  const reply = await post({ act: 'make_key', name: 'mine' }, `atelier_wallet=${wallet}`);
  expect(reply.status).toBe(400);
  expect(await reply.text()).not.toMatch(/atl_key_[\w-]{43}/);
});

test.each<Record<string, string>>([{}, { HOST: '0.0.0.0', PUBLIC_URL: 'https://studio.example' }])(
  'a cross-site form is rejected with the settings %o',
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

test('signing out clears the session cookie', async () => {
  expect((await post({ act: 'leave' })).headers.get('set-cookie')).toContain('atelier_wallet=; ');
});
