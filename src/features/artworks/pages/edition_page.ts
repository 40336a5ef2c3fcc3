import { html } from 'hono/html';
import { type Html, htmlPage, type PageAnswer } from '../../../core/html/html_page.ts';
import {
  type CitedEdition,
  citationText,
  doiUrl,
  editionTitle,
  licencesOf,
  withdrawnText,
} from '../tools/edition_words.ts';
import { joinSentences } from '../tools/manifest_words.ts';
import { rightsSentence } from '../tools/record_basis.ts';
import type { Described } from '../types.ts';

/** HTML page of an edition: its contents, citation and files. */
export function editionHtml(
  cited: CitedEdition,
  { file, previous }: Pick<Described, 'file' | 'previous'>,
): Promise<PageAnswer> {
  const { edition, facts } = cited;
  return htmlPage({
    title: editionTitle(edition),
    summary: `${countText(edition.works)} records of public-domain artworks, and how to cite them.`,
    body: html`<p>${joinSentences(
      `${countText(edition.works)} records of public-domain artworks.`,
      rightsSentence(facts.basis),
      withdrawnText(cited),
    )}</p>
<h2>Cite this snapshot</h2>
<p>${citationText(cited)}</p>
<p><a href="citation.bib">BibTeX</a>, <a href="datacite.json">DataCite</a>, <a href="ro-crate-metadata.json">RO-Crate</a></p>
<h2>Facts</h2>
<dl>${rowsOf(cited, previous).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>\n`)}</dl>
<h2>Files</h2>
${
  file
    ? html`<p><a href="artworks.jsonl">artworks.jsonl</a>, ${countText(file.bytes)} bytes, sha256 <code>${file.sha256}</code></p>`
    : html`<p>The file with the records is no longer stored. Newer snapshots have one.</p>`
}`,
  });
}

function rowsOf(
  { edition, facts, doi }: CitedEdition,
  previous: number | undefined,
): [string, string | Html][] {
  const published = edition.publishedAt.toISOString();
  const museums = facts.museums.filter(({ works }) => works > 0);
  return [
    ...(doi ? [['DOI', html`<a href="${doiUrl(doi)}">${doi}</a>`] as [string, Html]] : []),
    ['Published', html`<time datetime="${published}">${published.slice(0, 16).replace('T', ' ')} UTC</time>`],
    [
      'Licences',
      html`${licencesOf(facts).map(({ url: page, name, covers }) => html`<a href="${page}">${name}</a>: ${covers} `)}`,
    ],
    ['Works', museums.map(({ name, works }) => `${name} ${countText(works)}`).join('; ')],
    ['SHA-256 of the records', html`<code>${edition.digest}</code>`],
    ...(previous === undefined
      ? []
      : [
          [
            'Snapshot before',
            html`<a href="../${previous}/ro-crate-preview.html">${previous}</a>, <a href="../changes?from=${previous}&amp;to=${edition.number}">changes since</a>`,
          ] as [string, Html],
        ]),
  ];
}

const countText = (count: number): string => count.toLocaleString('en');
