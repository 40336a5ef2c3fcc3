import { html } from 'hono/html';
import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { FIRST } from '../../../core/html/doc_address.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { noInput } from '../no_input.ts';
import { definePage } from '../types.ts';
import { contentsOf } from './contents.ts';
import { type Doc, readDocs } from './read_docs.ts';

/** The index of the documentation. */
export const docsPage = definePage({
  name: 'docs',
  path: '/docs',
  room: '/docs',
  input: noInput,
  show: async (_input, { studio }) => ({
    title: 'Documentation',
    shape: 'wide',
    files: ['studio.css', 'docs.css'],
    heading: html``,
    body: html`<article class="read index">${await asHtml(readDocs().get(FIRST)!, studio.publicUrl)}</article>`,
  }),
});

/** One page, with what stands beside it in the same folder. */
export const docPage = definePage({
  name: 'doc',
  path: '/docs/{page}',
  room: '/docs',
  input: z.object({ page: z.string().max(100) }),
  show: async ({ page }, { studio }) => {
    const doc = readDocs().get(page);
    if (!doc) throw new AtelierError('not_found', 'No such page. /docs lists all pages.');
    return {
      title: doc.title,
      shape: 'wide',
      files: ['studio.css', 'docs.css', 'copy.ts'],
      heading: html``,
      body: html`<div class="split aside">${contentsOf(doc)}<article class="read">${await asHtml(doc, studio.publicUrl)}</article></div>`,
    };
  },
});

/** The Markdown parser is loaded with the first page. */
const asHtml = async (doc: Doc, publicUrl: string): Promise<Html> =>
  (await import('./doc_html.ts')).docHtml(doc, publicUrl);
