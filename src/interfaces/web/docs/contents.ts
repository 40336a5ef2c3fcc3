import { html } from 'hono/html';
import { FIRST } from '../../../core/html/doc_address.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { type Doc, readDocs } from './read_docs.ts';

/** Links to the pages of the same folder. */
export const contentsOf = ({ name, folder }: Doc): Html =>
  html`<nav aria-label="Pages"><p><a href="/docs">Documentation</a></p><ul>${inFolder(folder).map(
    (doc) =>
      html`<li><a href="/docs/${doc.name}"${doc.name === name ? html` aria-current="page"` : ''}>${doc.title}</a></li>`,
  )}</ul></nav>`;

const inFolder = (folder: string): readonly Doc[] =>
  [...readDocs().values()].filter((doc) => doc.folder === folder && doc.name !== FIRST);
