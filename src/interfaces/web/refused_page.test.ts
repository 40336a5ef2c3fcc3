import { expect, test } from 'vitest';
import { AtelierError, type ErrorCode } from '../../core/errors/atelier_error.ts';
import { refusedPage } from './refused_page.ts';

const studio = { version: '1.0.0', publicUrl: 'https://studio.example', tools: [] };
const refused = async (error: AtelierError, { address = '/tools/resize_image?width=8', cookies = '' } = {}) =>
  String((await refusedPage(studio, error, { address, cookies, requestId: 'req_7' })).bytes);

test.each<[number, ErrorCode, string]>([
  [401, 'wallet_locked', '<a href="/wallet">Sign in</a>, then return to this page.'],
  [402, 'insufficient_credits', '<a href="/tools">Free tools</a> need no credits.'],
  [413, 'payload_too_large', '<a href="/tools/resize_image">Resize the image</a>'],
  [429, 'rate_limited', '<a href="/tools/resize_image?width=8">Try again</a>'],
  [500, 'internal_error', 'Something went wrong on the server. You were not charged.'],
  [503, 'busy', 'Try again</a> in 10 s.'],
])('an error page with status %i states a fix', async (status, code, advice) => {
  const error = new AtelierError(code);
  const text = await refused(error);
  expect([error.status, text.includes(advice), text.includes('request <code>req_7</code>')]).toEqual([
    status,
    true,
    true,
  ]);
});

test('an unknown path suggests the nearest page', async () => {
  const text = await refused(new AtelierError('not_found'), { address: '/toolz?width=8' });
  expect(text).toContain('<h1>No page at /toolz</h1>');
  expect(text).toContain('Did you mean <a href="/tools">/tools</a>?');
});

test('the requested path is HTML-escaped, and no link leaves this server', async () => {
  const text = await refused(new AtelierError('busy'), { address: '//elsewhere.test/"><script>alert(1)' });
  expect(text).toContain('<a href="/elsewhere.test/&quot;&gt;&lt;script&gt;alert(1)">Try again</a>');
});

test('the error page keeps the selected theme', async () => {
  expect(await refused(new AtelierError('busy'), { cookies: 'a=b; theme=dark' })).toContain(
    'data-theme="dark"',
  );
});
