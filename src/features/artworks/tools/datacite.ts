import {
  type CitedEdition,
  citedNamesOf,
  editionPage,
  editionSummary,
  editionTitle,
  editionVersion,
  importedMuseumsOf,
  licencesOf,
  PROGRAM,
  withdrawnText,
} from './edition_words.ts';
import { joinSentences } from './manifest_words.ts';

const SPDX = 'https://spdx.org/licenses/';

/**
 * Metadata of an edition in the JSON form of DataCite 4.6, with everything required to register a DOI except
 * the account.
 * @param previous number of the previous edition, if it can still be read
 */
export function dataciteRecord(cited: CitedEdition, previous?: number): Record<string, unknown> {
  const { edition, facts, url, doi } = cited;
  const published = edition.publishedAt.toISOString();
  return {
    ...(doi && { doi }),
    url: editionPage(url, edition.number),
    creators: citedNamesOf(facts).map(organization),
    titles: [{ title: editionTitle(edition), lang: 'en' }],
    publisher: { name: PROGRAM },
    publicationYear: published.slice(0, 4),
    types: { resourceTypeGeneral: 'Dataset', resourceType: 'Catalogue records of artworks' },
    subjects: ['art', 'museums', 'public domain', 'cultural heritage'].map((subject) => ({
      subject,
      lang: 'en',
    })),
    contributors: [{ ...organization(PROGRAM), contributorType: 'DataCurator' }],
    dates: [
      { date: published, dateType: 'Issued' },
      ...(facts.seen.first
        ? [
            {
              date: `${facts.seen.first}/${facts.seen.last}`,
              dateType: 'Collected',
              dateInformation: 'Days on which the data of the museums was read',
            },
          ]
        : []),
    ],
    alternateIdentifiers: [
      { alternateIdentifier: edition.digest, alternateIdentifierType: 'SHA-256 of the records' },
    ],
    relatedIdentifiers: [
      ...importedMuseumsOf(facts).map(({ evidence_url }) => related(evidence_url, 'IsDerivedFrom')),
      ...(previous === undefined ? [] : [related(editionPage(url, previous), 'IsNewVersionOf')]),
    ],
    sizes: [`${edition.works} records`],
    formats: ['application/jsonl'],
    version: editionVersion(edition),
    rightsList: licencesOf(facts).map((licence) => ({
      rights: licence.name,
      rightsUri: licence.url,
      rightsIdentifier: licence.spdx,
      rightsIdentifierScheme: 'SPDX',
      schemeUri: SPDX,
      lang: 'en',
    })),
    descriptions: [
      {
        description: joinSentences(editionSummary(facts, edition), withdrawnText(cited)),
        descriptionType: 'Abstract',
        lang: 'en',
      },
    ],
    schemaVersion: 'http://datacite.org/schema/kernel-4',
  };
}

const organization = (name: string) => ({ name, nameType: 'Organizational' });

const related = (relatedIdentifier: string, relationType: string) => ({
  relatedIdentifier,
  relatedIdentifierType: 'URL',
  relationType,
});
