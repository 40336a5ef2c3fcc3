import type { Edition } from '../releases/edition_store.ts';
import type { Facts } from './manifest_facts.ts';
import { museumsText } from './manifest_words.ts';
import { DATASET_ID, DATASET_NAME } from './open_museums.ts';
import { rightsSentence } from './record_basis.ts';

/** Metadata of an edition shared by all formats: Croissant, DataCite, RO-Crate and BibTeX. */

/** Publisher of the dataset, and author of the starter catalogue. */
export const PROGRAM = 'Atelier';

/** An edition with the data of a citation. */
export interface CitedEdition {
  readonly edition: Edition;
  readonly facts: Facts;
  /** Public URL of this server, without a trailing slash. */
  readonly url: string;
  /** As configured by the operator, without a resolver: 10.5281/zenodo.1234. */
  readonly doi?: string | undefined;
  /** Works withdrawn since its publication. */
  readonly withdrawn: number;
}

export interface Licence {
  readonly url: string;
  readonly name: string;
  readonly spdx: string;
  readonly covers: string;
}

const CC0: Licence = {
  url: 'https://creativecommons.org/publicdomain/zero/1.0/',
  name: 'Creative Commons Zero v1.0 Universal',
  spdx: 'CC0-1.0',
  covers: 'Records imported from museum data.',
};
const APACHE: Licence = {
  url: 'https://www.apache.org/licenses/LICENSE-2.0',
  name: 'Apache License 2.0',
  spdx: 'Apache-2.0',
  covers: 'Records of the starter catalogue.',
};

/** Licences of the records. */
export const licencesOf = ({ basis }: Facts): Licence[] => [
  ...(basis.imported > 0 || basis.starter === 0 ? [CC0] : []),
  ...(basis.starter > 0 ? [APACHE] : []),
];

export const importedMuseumsOf = ({ museums }: Facts) =>
  museums.filter(({ works, starter_works: starter }) => works > starter);

/** Museums whose data was read, and the author of the other records. */
export const creatorNamesOf = (facts: Facts): string[] => [
  ...importedMuseumsOf(facts).map(({ name }) => name),
  ...(facts.basis.starter > 0 ? [PROGRAM] : []),
];

/** Names in a citation; the program if there are no works yet. */
export const citedNamesOf = (facts: Facts): string[] => {
  const names = creatorNamesOf(facts);
  return names.length > 0 ? names : [PROGRAM];
};

export const editionTitle = ({ number }: Pick<Edition, 'number'>): string =>
  `${DATASET_NAME}, snapshot ${number}`;

export const editionVersion = ({ number }: Pick<Edition, 'number'>): string => `${number}.0.0`;

export const editionSummary = (
  facts: Facts,
  { number, digest }: Pick<Edition, 'number' | 'digest'>,
): string => {
  const used = facts.museums.filter(({ works }) => works > 0);
  return `${facts.works} public-domain artworks of ${museumsText(used.length)}; ${facts.pictures} have an image. ${rightsSentence(facts.basis)} Snapshot ${number}, sha256 ${digest}.`;
};

/** URL of the folder of an edition with its files and documents. */
export const editionFolder = (url: string, number: number): string =>
  `${url}/api/datasets/${DATASET_ID}/${number}/`;

/** URL of the HTML page of an edition. */
export const editionPage = (url: string, number: number): string =>
  `${editionFolder(url, number)}ro-crate-preview.html`;

export const doiUrl = (doi: string): string => `https://doi.org/${doi}`;

/** The DOI, else the page of the edition. */
export const identifierOf = ({ edition, url, doi }: CitedEdition): string =>
  doi ? doiUrl(doi) : editionPage(url, edition.number);

/**
 * Creator (year): Title. Version. Publisher. (type). Identifier: the order that DataCite recommends for
 * versioned resources.
 */
export const citationText = (cited: CitedEdition): string => {
  const { edition, facts } = cited;
  const year = edition.publishedAt.getUTCFullYear();
  return `${citedNamesOf(facts).join('; ')} (${year}): ${editionTitle(edition)}. Version ${editionVersion(edition)}. ${PROGRAM}. (Dataset). ${identifierOf(cited)}`;
};

/** Sentence on withdrawn works that the figures still count; false if there are none. */
export const withdrawnText = ({ withdrawn }: CitedEdition): string | false => {
  if (withdrawn === 0) return false;
  return withdrawn === 1
    ? 'One work has since been withdrawn on request.'
    : `${withdrawn} works have since been withdrawn on request.`;
};
