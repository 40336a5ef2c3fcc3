import { expect, test } from 'vitest';
import { docHtml } from './doc_html.ts';
import { readDocs } from './read_docs.ts';
import { searchDocs } from './search_docs.ts';

test.each([
  ['restore a backup', /^operating\/backup/],
  ['RELEASE_KEY', /^decisions\/|security/i],
  ['command line completion', /^guides\/command_line#completion$/],
  ['unreachable museum sizes setup', /^operating\/dataset|^decisions\/0044/],
])('"%s" finds its page', async (query, page) => {
  const [first] = await searchDocs(query);
  expect(first?.id).toMatch(page);
});

test('a result links to a heading of its page with matching text', async () => {
  const found = await searchDocs('webhook');
  const places = found.map(({ id }) => id.split('#'));
  const missing = places.filter(
    ([name, anchor]) => anchor && !String(docHtml(readDocs().get(name!)!)).includes(`id="${anchor}"`),
  );
  expect(missing).toEqual([]);
  expect(found[0]!.excerpt[1]).toMatch(/webhook/i);
});

test('a word that occurs on no page returns no results', async () => {
  expect(await searchDocs('xyzzyqwv')).toEqual([]);
});
