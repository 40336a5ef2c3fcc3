import { posix } from 'node:path';
import { html, raw } from 'hono/html';
import { FIRST } from '../../../core/html/doc_address.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { findPageFile, type PageFileName, pageFile } from '../../../core/html/page_files.ts';
import { contentsOf, docHtml, searchForm } from './doc_html.ts';
import { type Doc, readDocs } from './read_docs.ts';
import { sectionsOf } from './search_docs.ts';

/** Page files: the same path on a server and in an export. */
const PAGE_FILE = /\/pages\/[\w.-]+/g;
/** All sections, for the search. A classic script, because browsers do not load modules from files. */
const SECTIONS = 'sections.js';
const LINK = /(?<=href=")\/docs(?:\/([^"#]*))?(#[^"]*)?(?=")/g;

/**
 * Exports the documentation as a static website with styles, fonts and images. Links are relative, so it works at any URL and without
 * a server.
 * @param publicUrl server URL in commands and tool links. Unset: as in the text
 * @returns contents by path
 */
export function staticDocs(publicUrl?: string): ReadonlyMap<string, string | Uint8Array> {
  const files = new Map<string, string | Uint8Array>();
  const docs = [...readDocs().values()];
  for (const doc of docs) addPage(files, pathOf(doc.name), pageOf(doc, publicUrl));
  addPage(files, 'search.html', searchPage());
  files.set(SECTIONS, `globalThis.docSections = ${JSON.stringify(docs.flatMap(sectionsOf))};\n`);
  return files;
}

/** Adds a page with relative links and its files. */
function addPage(files: Map<string, string | Uint8Array>, path: string, text: string): void {
  const up = posix.relative(posix.dirname(path), '.') || '.';
  for (const [address] of text.matchAll(PAGE_FILE)) addPageFile(files, address);
  files.set(
    path,
    text
      .replace(LINK, (_, name: string = FIRST, hash = '') => `${up}/${pathOf(name)}${hash}`)
      .replace('action="/docs"', `action="${up}/search.html"`)
      .replace(PAGE_FILE, (address) => `${up}${address}`),
  );
}

const pathOf = (name: string): string => (name === FIRST ? 'index.html' : `${name}.html`);

/** Adds a page file and the files its stylesheet loads. */
function addPageFile(files: Map<string, string | Uint8Array>, address: string): void {
  const path = address.slice(1);
  const file = findPageFile(address);
  if (!file || files.has(path)) return;
  const isStyle = file.contentType.startsWith('text/css');
  files.set(path, isStyle ? String(file.bytes).replaceAll('"/pages/', '"') : file.bytes);
  if (isStyle) for (const [loaded] of String(file.bytes).matchAll(PAGE_FILE)) addPageFile(files, loaded);
}

function pageOf(doc: Doc, publicUrl: string | undefined): string {
  const title = doc.name === FIRST ? 'Atelier' : `${doc.title} · Atelier`;
  return documentOf(title, bodyOf(doc, publicUrl), ['copy.ts']);
}

const searchPage = (): string =>
  documentOf(
    'Search · Atelier',
    html`${searchForm()}<ol class="read found" id="found"></ol><script defer src="${SECTIONS}"></script>`,
    ['search_export.ts'],
  );

function documentOf(title: string, body: Html, scripts: readonly [PageFileName]): string {
  const style = pageFile('page.css', 'studio.css', 'docs.css').address;
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${pageFile('mark.svg').address}" type="image/svg+xml">
<link rel="stylesheet" href="${style}">
</head>
<body>
<header class="top"><a class="brand" href="/docs">Atelier</a></header>
<main id="main">${body}</main>
<script defer src="${pageFile(...scripts).address}"></script>
</body>
</html>
`);
}

function bodyOf(doc: Doc, publicUrl: string | undefined): Html {
  const article = raw(String(docHtml(doc, { publicUrl })));
  if (doc.name === FIRST) return html`${searchForm()}<article class="read index">${article}</article>`;
  return html`${searchForm('', 'find slim')}<div class="split aside">${contentsOf(doc)}<article class="read">${article}</article></div>`;
}
