import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../tests/support/open_test_app.ts';
import { sectionPages } from './section_pages.ts';

const HTML = { Accept: 'text/html' };
const WALLET = '0x00000000000000000000000000000000000000d2';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app?.close());

const post = (fields: Record<string, string>, { path = '/operate', cookie = '' } = {}) =>
  app.fetch(
    new Request(`http://atelier.test${path}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { ...HTML, ...(cookie && { Cookie: cookie }) },
    }),
  ) as Promise<Response>;

test('the server state is hidden without a token', async () => {
  const { text } = await app.get('/operate', HTML);
  expect(text).toContain('Operate this server');
  expect(text).not.toContain('Last 24 hours');
});

test('an invalid token is rejected on the sign-in form', async () => {
  const reply = await post({ act: 'enter', token: 'atl_op_made_up' });
  expect([reply.status, reply.headers.get('set-cookie')]).toEqual([403, null]);
  expect(await reply.text()).toContain('role="alert"');
});

test('a forged cookie cannot grant credits', async () => {
  const fields = { act: 'operator_grant', wallet: WALLET, credits: '5', reason: 'because', sure: 'yes' };
  const made = { path: '/operate/acts/grant', cookie: 'atelier_operator=atl_op_made_up' };
  expect((await post(fields, made)).status).toBe(403);
  const anonymous = await app.get('/operate/acts/grant', HTML);
  expect(anonymous.text).toContain('Operate this server');
});

test.each(sectionPages.map(({ path }) => path))('%s is hidden without a token', async (path) => {
  const { text } = await app.get(path, HTML);
  expect(text).toContain('Operate this server');
  expect(text).not.toContain('aria-label="Operate"');
});
