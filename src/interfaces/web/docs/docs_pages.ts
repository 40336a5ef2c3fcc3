import { html } from 'hono/html';
import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { FIRST } from '../../../core/html/doc_address.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { definePage, type Visit } from '../types.ts';
import { contentsOf, QUERY_CHARACTERS_MAX, searchForm } from './doc_html.ts';
import { type Doc, readDocs } from './read_docs.ts';

/** The index of the documentation, or search results: `?q=`. */
export const docsPage = definePage({
  name: 'docs',
  path: '/docs',
  room: '/docs',
  input: z.object({ q: z.string().trim().max(QUERY_CHARACTERS_MAX).catch('').default('') }),
  show: async ({ q }, visit) => ({
    title: q ? `${q}: documentation` : 'Documentation',
    shape: 'wide',
    files: ['studio.css', 'docs.css'],
    policy: SEARCH_POLICY,
    heading: q ? html`<h1 class="unseen">Documentation: ${q}</h1>` : html``,
    body: html`${searchForm(q)}${q ? await results(q) : html`<article class="read index">${await asHtml(readDocs().get(FIRST)!, visit)}</article>`}`,
  }),
});

/** One page with links to the pages of its folder. */
export const docPage = definePage({
  name: 'doc',
  path: '/docs/{page}',
  room: '/docs',
  input: z.object({ page: z.string().max(100) }),
  show: async ({ page }, visit) => {
    const doc = readDocs().get(page);
    if (!doc) throw new AtelierError('not_found', 'Page not found. See /docs for all pages.');
    return {
      title: doc.title,
      shape: 'wide',
      files: ['studio.css', 'docs.css', 'copy.ts', 'run_calls.ts'],
      policy: { ...SEARCH_POLICY, 'img-src': "'self' blob:" },
      heading: html``,
      body: html`${searchForm('', 'find slim')}<div class="split aside">${contentsOf(doc)}<article class="read">${await asHtml(doc, visit)}</article></div>`,
    };
  },
});

const SEARCH_POLICY = { 'form-action': "'self'" };

async function results(query: string): Promise<Html> {
  const found = await (await import('./search_docs.ts')).searchDocs(query);
  if (found.length === 0)
    return html`<p class="note">No pages match. Try other words, or <a href="/docs">see all pages</a>.</p>`;
  return html`<ol class="read found">${found.map(
    ({ id, title, heading, excerpt }) =>
      html`<li><a href="${addressOf(id)}">${heading || title}</a>${heading ? html` <span class="small quiet">${title}</span>` : ''}<p class="small">${excerpt.map((text, at) => (at % 2 === 1 ? html`<mark>${text}</mark>` : text))}</p></li>`,
  )}</ol>`;
}

/** @param id `README#tutorials` */
const addressOf = (id: string): string => `/docs/${id}`.replace(`/docs/${FIRST}`, '/docs');

/** The Markdown parser is loaded with the first page. */
const asHtml = async (doc: Doc, { studio: { publicUrl, tools }, visitor }: Visit): Promise<Html> =>
  (await import('./doc_html.ts')).docHtml(doc, { publicUrl, tools, wallet: visitor.wallet });
