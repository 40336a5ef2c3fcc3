import { expect, test } from 'vitest';
import { followOutward, PrivateRedirect } from './follow_outward.ts';
import { PUBLIC_INTERNET } from './reach.ts';

const reach = {
  ...PUBLIC_INTERNET,
  resolve: async (host: string) => [
    { address: host === 'inner.test' ? '10.0.0.7' : '93.184.215.14', family: 4 },
  ],
};

/** Redirect per URL; other URLs respond. */
function fetching(redirects: Record<string, string>) {
  const asked: string[] = [];
  const base = (async (url: unknown) => {
    asked.push(String(url));
    const Location = redirects[String(url)];
    return Location ? new Response(null, { status: 302, headers: { Location } }) : new Response('file');
  }) as typeof fetch;
  return { asked, fetch: followOutward(base, { reach }) };
}

test('redirects within the server and to the public internet are followed', async () => {
  const first = 'http://10.0.0.1:81/a';
  const { fetch, asked } = fetching({ [first]: '/b', 'http://10.0.0.1:81/b': 'https://media.test/c' });
  expect(await (await fetch(first)).text()).toBe('file');
  expect(asked).toEqual([first, 'http://10.0.0.1:81/b', 'https://media.test/c']);
});

test.each([
  'http://127.0.0.1:8080/admin',
  'https://169.254.169.254/latest/meta-data',
  'https://inner.test/',
  'http://media.test/',
  'file:///etc/passwd',
  'https://[::1]/',
])('a redirect to %s is not followed', async (target) => {
  const { fetch, asked } = fetching({ 'https://museum.test/': target });
  await expect(fetch('https://museum.test/')).rejects.toThrow(PrivateRedirect);
  expect(asked).toEqual(['https://museum.test/']);
});

test('a redirect loop is stopped', async () => {
  const { fetch } = fetching({ 'https://museum.test/': 'https://museum.test/' });
  await expect(fetch('https://museum.test/')).rejects.toThrow('more than 3 times');
});

test('behind a proxy, redirects to unresolvable names are followed, but not to private addresses', async () => {
  const unknown = { ...PUBLIC_INTERNET, resolve: async () => [] };
  const redirects = new Map([
    ['https://museum.test/a', 'https://media.test/a'],
    ['https://museum.test/b', 'https://10.0.0.7/b'],
  ]);
  const base = (async (url: unknown) => {
    const location = redirects.get(String(url));
    return location ? Response.redirect(location) : new Response('file');
  }) as typeof fetch;
  const fetching = followOutward(base, { reach: unknown, isByProxy: true });
  expect(await (await fetching('https://museum.test/a')).text()).toBe('file');
  await expect(fetching('https://museum.test/b')).rejects.toThrow(PrivateRedirect);
});
