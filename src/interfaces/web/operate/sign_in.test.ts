import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../tests/support/open_test_app.ts';
import { startIssuer } from '../../../../tests/support/token_issuer.ts';
import { operatorCookie, signInCookie } from './as_operator.ts';

const SITE = 'http://atelier.test';

let issuer: Awaited<ReturnType<typeof startIssuer>>;
let app: TestApp;
beforeAll(async () => {
  issuer = await startIssuer();
  app = await openTestApp(issuer.settings);
});
afterAll(async () => {
  await app?.close();
  await issuer?.close();
});
beforeEach(() => {
  Object.assign(issuer.world, { groups: ['staff'], claims: {}, about: {} });
});

const look = async (path: string, cookie = '', served = app) => {
  const reply = await served.fetch(
    new Request(SITE + path, { headers: { Accept: 'text/html', ...(cookie && { Cookie: cookie }) } }),
  );
  const [set = ''] = (reply.headers.get('set-cookie') ?? '').split(';');
  return { status: reply.status, goTo: reply.headers.get('location') ?? '', set, text: await reply.text() };
};
/** Signs in at the provider and returns with the cookies and the redirect URL. */
async function toTheProvider() {
  const { goTo, set } = await look('/operate/sign_in');
  const reply = await fetch(goTo, { redirect: 'manual' });
  return { secret: set, back: new URL(reply.headers.get('location') ?? '') };
}
async function signIn(): Promise<string> {
  const { secret, back } = await toTheProvider();
  return (await look(back.pathname + back.search, secret)).set;
}

test('an operator signs in with the provider, acts under the provider’s name and signs out', async () => {
  expect((await look('/operate')).text).toContain('href="/operate/sign_in"');
  const cookie = await signIn();
  const { text } = await look('/operate', cookie);
  expect(text).toContain('All systems operational');
  const { text: actions } = await look('/operate/actions', cookie);
  expect(actions).toMatch(/Operator tokens.*<td>oidc ada</s);
  expect(actions).toMatch(/<td>sign_in<\/td>.*oidc ada may read, moderate/s);
  const left = await app.fetch(
    new Request(`${SITE}/operate`, {
      method: 'POST',
      body: new URLSearchParams({ act: 'leave' }),
      headers: { Cookie: cookie },
    }),
  );
  expect(left.headers.get('location')).toBe('/operate?left=1');
  expect((await look('/operate', cookie)).text).toContain('The token was revoked.');
});

/** The page after signing out, on a server that has read the current metadata of the provider. */
async function leave(about: object): Promise<{ text: string; goTo: string }> {
  issuer.world.about = about;
  const served = await openTestApp(issuer.settings);
  const { text } = await look('/operate?left=1', '', served);
  const { goTo } = await look('/operate/sign_out', '', served);
  await served.close();
  return { text, goTo };
}

test('after sign-out, the provider’s sign-out page is offered and returns to this site', async () => {
  const { text, goTo } = await leave({
    end_session_endpoint: `${issuer.settings.OIDC_ISSUER}/end?theme=plain`,
  });
  expect(text).toContain(
    'You are signed out of this server. You are still signed in at your identity provider.',
  );
  expect(text).toContain('<a href="/operate/sign_out">Sign out at the provider</a>');
  const { origin, pathname, searchParams } = new URL(goTo);
  expect([origin + pathname, Object.fromEntries(searchParams)]).toEqual([
    `${issuer.settings.OIDC_ISSUER}/end`,
    { theme: 'plain', client_id: 'studio', post_logout_redirect_uri: `${SITE}/operate` },
  ]);
});

test.each([{}, { end_session_endpoint: 'javascript:alert(1)' }, { end_session_endpoint: 7 }])(
  'an invalid sign-out endpoint in provider metadata %o is ignored',
  async (about) => {
    const { text, goTo } = await leave(about);
    expect([text.includes('Sign out at the provider too'), goTo]).toEqual([false, '/operate']);
  },
);

test('the provider receives a challenge and never the verifier', async () => {
  const { goTo, set } = await look('/operate/sign_in');
  const query = new URL(goTo).searchParams;
  expect(Object.fromEntries(query)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    redirect_uri: `${SITE}/operate/callback`,
    scope: 'openid profile email',
  });
  const [, verifier] = /\.([\w-]{43})$/.exec(set)!;
  expect(goTo).not.toContain(verifier);
});

test('an operator with read access sees no change actions and which scope is missing', async () => {
  issuer.world.groups = ['guests'];
  const cookie = await signIn();
  const { text } = await look('/operate/actions', cookie);
  expect([text.includes('Audit log'), text.includes('Operator tokens')]).toEqual([true, false]);
  expect((await look('/operate/acts/grant', cookie)).text).toContain('lacks the scope money');
});

type Back = Awaited<ReturnType<typeof toTheProvider>>;

/** The callback URL with an error text chosen by an attacker. */
function withError(back: URL, text: string): URL {
  back.searchParams.set('error', 'access_denied');
  back.searchParams.set('error_description', text);
  return back;
}

test.each<[string, (come: Back) => void]>([
  ['not started in this browser', (come) => Object.assign(come, { secret: '' })],
  ['not started in this browser', ({ back }) => back.searchParams.set('state', 'another')],
  [
    'not started in this browser',
    (come) => Object.assign(come, { secret: come.secret.replace(/\..*/, '..') }),
  ],
  ['another identity provider', ({ back }) => back.searchParams.set('iss', 'https://evil.example')],
  ['no token for the code', ({ back }) => back.searchParams.set('code', 'another')],
  [
    'no token for the code',
    (come) => Object.assign(come, { secret: come.secret.replace(/.{9}$/, 'otherwise') }),
  ],
  ['another sign-in', () => Object.assign(issuer.world, { claims: { nonce: 'another' } })],
  ['"aud"', () => Object.assign(issuer.world, { claims: { aud: 'atelier' } })],
  ['another client', () => Object.assign(issuer.world, { claims: { azp: 'another' } })],
  ['expired', () => Object.assign(issuer.world, { claims: { exp: 1 } })],
  ['names no operator', () => Object.assign(issuer.world, { groups: ['others'] })],
  ['refused the sign-in. Its message: “no”', ({ back }) => back.searchParams.set('error', 'no')],
  [
    'not started in this browser',
    (come) => Object.assign(come, { secret: '', back: withError(come.back, 'call +1 555 0100') }),
  ],
  ['not started in this browser', ({ back }) => withError(back, 'call me').searchParams.set('state', 'x')],
  ['another identity provider', ({ back }) => withError(back, 'call me').searchParams.set('iss', 'x')],
  ['refused[^<]* “a b&lt;i&gt; c”', ({ back }) => withError(back, 'a\u202eb<i>”\nc ”')],
])('sign-in is rejected with "%s"', async (said, spoil) => {
  const come = await toTheProvider();
  spoil(come);
  const { status, set, text } = await look(come.back.pathname + come.back.search, come.secret);
  expect([status, set]).toEqual([403, '']);
  expect(text.replaceAll('&quot;', '"')).toMatch(new RegExp(`role="alert">[^<]*${said}`));
  expect(text).not.toMatch(/call/);
});

test('an authorisation code signs in only once', async () => {
  const { secret, back } = await toTheProvider();
  expect((await look(back.pathname + back.search, secret)).set).toMatch(/^atelier_operator=atl_op_/);
  expect((await look(back.pathname + back.search, secret)).status).toBe(403);
});

test('cookies are HttpOnly and SameSite=Lax, and Secure over HTTPS', () => {
  for (const cookie of [operatorCookie('t', 'https://a.example'), signInCookie('s', 'https://a.example')])
    expect(cookie).toMatch(/; Path=\/operate; HttpOnly; SameSite=Lax; Secure/);
  expect(operatorCookie('t', SITE)).not.toContain('Secure');
});
