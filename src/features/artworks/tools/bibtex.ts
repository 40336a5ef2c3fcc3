import {
  type CitedEdition,
  citedNamesOf,
  editionPage,
  editionTitle,
  editionVersion,
  identifierOf,
  PROGRAM,
} from './edition_words.ts';
import { DATASET_ID } from './open_museums.ts';

/** BibLaTeX entry (`@dataset`) of an edition, which BibTeX reads as `@misc`. */
export function bibtexEntry(cited: CitedEdition): string {
  const { edition, facts, url, doi } = cited;
  const [year, month] = edition.publishedAt.toISOString().split('-');
  const fields: [string, string][] = [
    // Braces keep the name of an institution together.
    [
      'author',
      citedNamesOf(facts)
        .map((name) => `{${escapeTex(name)}}`)
        .join(' and '),
    ],
    ['title', `{${escapeTex(editionTitle(edition))}}`],
    ['year', year!],
    ['month', String(Number(month))],
    ['version', editionVersion(edition)],
    ['publisher', escapeTex(PROGRAM)],
    ...(doi ? [['doi', doi] as [string, string]] : []),
    ['url', doi ? identifierOf(cited) : editionPage(url, edition.number)],
    ['note', `sha256 of the records ${edition.digest}`],
  ];
  const lines = fields.map(([name, value]) => `  ${name} = {${value}},`);
  return `@dataset{${DATASET_ID.replace('-', '_')}_${edition.number},\n${lines.join('\n')}\n}\n`;
}

/** Escapes characters with a meaning in TeX. */
const escapeTex = (text: string): string => text.replace(/[&%$#_{}]/g, (sign) => `\\${sign}`);
