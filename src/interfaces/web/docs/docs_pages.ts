import { html } from 'hono/html';
import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { FIRST } from '../../../core/html/doc_address.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { noInput } from '../no_input.ts';
import { definePage } from '../types.ts';
import { type Doc, readDocs } from './read_docs.ts';

/** What the documentation holds, as its own first page sorts it. */
export const docsPage = definePage({
  name: 'docs',
  path: '/docs',
  room: '/docs',
  input: noInput,
  show: async () => ({
    title: 'Documentation',
    shape: 'wide',
    files: ['studio.css', 'docs.css'],
    heading: html``,
    body: html`<article class="read index">${await asHtml(readDocs().get(FIRST)!)}</article>`,
  }),
});

/** One page, with what stands beside it in the same folder. */
export const docPage = definePage({
  name: 'doc',
  path: '/docs/{page}',
  room: '/docs',
  input: z.object({ page: z.string().max(100) }),
  show: async ({ page }) => {
    const doc = readDocs().get(page);
    if (!doc) throw new AtelierError('not_found', 'There is no such page. /docs lists them all.');
    return {
      title: doc.title,
      shape: 'wide',
      files: ['studio.css', 'docs.css'],
      heading: html``,
      body: html`<div class="split aside">${contentsOf(doc)}<article class="read">${await asHtml(doc)}</article></div>`,
    };
  },
});

/** What reads Markdown comes with the first page. */
const asHtml = async (doc: Doc): Promise<Html> => (await import('./doc_html.ts')).docHtml(doc);

const contentsOf = ({ name, folder }: Doc): Html =>
  html`<nav aria-label="Pages"><p><a href="/docs">Documentation</a></p><ul>${inFolder(folder).map(
    (doc) =>
      html`<li><a href="/docs/${doc.name}"${doc.name === name ? html` aria-current="page"` : ''}>${doc.title}</a></li>`,
  )}</ul></nav>`;

const inFolder = (folder: string): readonly Doc[] =>
  [...readDocs().values()].filter((doc) => doc.folder === folder && doc.name !== FIRST);
