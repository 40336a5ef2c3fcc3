import { posix } from 'node:path';
import vm from 'node:vm';
import { expect, test } from 'vitest';
import { findPageFile } from '../../../core/html/page_files.ts';
import { presets } from '../../../features/recipes/tools/presets.ts';
import { tools } from '../../../features/tools.ts';
import { pages as studioPages } from '../pages.ts';
import { docHtml } from './doc_html.ts';
import { readDocs } from './read_docs.ts';
import { staticDocs } from './static_docs.ts';

const pages = readDocs();
const hrefsOf = (text: string) => [...text.matchAll(/href="([^"]+)"/g)].map(([, href]) => href!);

test('every link between documentation pages resolves', () => {
  const missing = [...pages.values()].flatMap((doc) =>
    hrefsOf(String(docHtml(doc)))
      .filter((href) => href.startsWith('/docs/'))
      .map((href) => href.replace(/^\/docs\//, '').replace(/#.*/, ''))
      .filter((name) => !pages.has(name))
      .map((name) => `${doc.name} links to ${name}`),
  );
  expect(missing).toEqual([]);
});

test('every linked heading exists', () => {
  const shown = new Map([...pages.values()].map((doc) => [doc.name, String(docHtml(doc))]));
  const missing = [...shown].flatMap(([from, text]) =>
    hrefsOf(text)
      .map((href) => /^(?:\/docs\/([^#]+))?#(.+)$/.exec(href))
      .filter((link) => link && !shown.get(link[1] ?? from)?.includes(`id="${link[2]}"`))
      .map((link) => `${from} links to ${link![0]}`),
  );
  expect(missing).toEqual([]);
});

test('a shell command followed by Python becomes tabs with this server’s URL', () => {
  const markdown =
    '```sh\ncurl http://127.0.0.1:8080/health\n```\n\n```python\nprint("<x>")\n```\n\n```sh\nls\n```\n';
  const text = String(docHtml({ name: 'guides/a', markdown }, { publicUrl: 'https://art.example' }));
  expect(text.match(/type="radio"/g)).toHaveLength(2);
  expect(text).toContain('curl https://art.example/health');
  expect(text).toContain('print(&quot;&lt;x&gt;&quot;)');
  expect(text).toContain('<at-copy><pre tabindex="0"><code>ls\n</code></pre></at-copy>');
});

test('a signed-in reader sees their own wallet in commands', () => {
  const wallet = `0x${'ab'.repeat(20)}`;
  const text = String(docHtml(pages.get('guides/website_images')!, { wallet }));
  expect(text).toContain(`wallet=${wallet}`);
});

test('heading anchors follow the GitHub rules', () => {
  const text = String(docHtml({ name: 'concepts/a', markdown: '## Made-up detail, `quality`\n' }));
  expect(text).toBe('<h2 id="made-up-detail-quality">Made-up detail, <code>quality</code></h2>\n');
});

test.each(['../verify.mjs', '../../CHANGELOG.md', '../decisions/'])(
  'a link to %s, which is not a page, is rendered as text',
  (href) => {
    expect(String(docHtml({ name: 'concepts/a', markdown: `[it](${href})` }))).toBe('<p>it</p>\n');
  },
);

test('wide blocks are keyboard-focusable, and an unnamed column has no header cell', () => {
  const markdown = '```\nls <x>\n```\n\n| | b |\n|---|---|\n| 1 | 2 |\n';
  const text = String(docHtml({ name: 'concepts/a', markdown }));
  expect(text).toContain('<pre tabindex="0"><code>ls &lt;x&gt;\n</code></pre>');
  expect(text).toMatch(/<div class="over" tabindex="0"><table><thead><tr>\s*<td><\/td><th scope="col">b</);
});

test('every documentation image is served', () => {
  const shown = [...pages.values()].flatMap((doc) => [
    ...String(docHtml(doc)).matchAll(/<img src="([^"]+)"/g),
  ]);
  expect(shown.length).toBeGreaterThan(0);
  expect(shown.filter(([, address]) => !findPageFile(address!))).toEqual([]);
});

test('an exported site contains every file its pages and styles reference', () => {
  const files = staticDocs('https://studio.example');
  const missing = [...files].flatMap(([path, bytes]) =>
    [...String(bytes).matchAll(/<[a-z][^<>]* (?:href|src)="([^"#:]+)(?:#[^"]*)?"|url\("([^":]+)"\)/g)]
      .map(([, linked, loaded]) => posix.join(posix.dirname(path), linked ?? loaded!))
      .filter((target) => /\.html$|\.css$/.test(path) && !files.has(target))
      .map((target) => `${path} names ${target}`),
  );
  expect(missing).toEqual([]);
  expect(files.get('guides/first_calls.html')).toContain('https://studio.example/api/uploads');
});

test('the search index of an export covers every section with a valid URL', () => {
  const files = staticDocs();
  const { docSections } = vm.runInNewContext(`${files.get('sections.js')}; globalThis`);
  const names = new Set(docSections.map(({ id }: { id: string }) => id.replace(/#.*/, '')));
  expect([...names].sort()).toEqual([...pages.keys()].sort());
  expect(String(files.get('guides/first_calls.html'))).toContain('action="../search.html"');
});

test('free calls of a guide are runnable on a server but not in an export', () => {
  const shown = String(docHtml(pages.get('guides/first_calls')!, { tools }));
  expect(shown).toMatch(/<at-calls[^>]* data-calls="\[{&quot;tool&quot;:&quot;resize_image/);
  expect(String(staticDocs().get('guides/first_calls.html'))).not.toContain('<at-calls');
});

test('every page of the studio that a guide links to exists', () => {
  const patterns = studioPages.map(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`));
  const named = new Set([...tools, ...presets].map(({ name }) => name));
  const isThere = (path: string) =>
    patterns.some((pattern) => pattern.test(path)) &&
    (!/^\/(tools|recipes)\/./.test(path) || named.has(path.split('/')[2]!));
  const linked = [...pages.values()].flatMap(({ markdown }) =>
    [...markdown.matchAll(/\]\(http:\/\/127\.0\.0\.1:8080([^)#?]*)/g)].map(([, path]) => path!),
  );
  expect(linked.length).toBeGreaterThan(20);
  expect(linked.filter((path) => !isThere(path))).toEqual([]);
});
