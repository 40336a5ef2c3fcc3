import { MUSEUMS } from '../museums/museums.ts';
import type { SnapshotFile } from '../releases/snapshot_files.ts';
import {
  type CitedEdition,
  citationText,
  doiUrl,
  editionFolder,
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

const FILE = 'artworks.jsonl';
const SPECIFICATION = 'https://w3id.org/ro/crate/1.2';

type Entity = Readonly<Record<string, unknown>> & { readonly '@id': string };

interface Crate extends CitedEdition {
  /** Absent: the file of this edition is no longer stored. */
  readonly file?: Pick<SnapshotFile, 'bytes' | 'sha256'> | undefined;
}

/** An edition as an attached RO-Crate 1.2 in the folder of the edition; also valid for 1.1. */
export function roCrate(crate: Crate): Record<string, unknown> {
  return {
    '@context': `${SPECIFICATION}/context`,
    '@graph': [
      {
        '@id': 'ro-crate-metadata.json',
        '@type': 'CreativeWork',
        about: { '@id': './' },
        conformsTo: { '@id': SPECIFICATION },
      },
      rootOf(crate),
      ...fileOf(crate),
      ...identifiersOf(crate),
      ...organizationsOf(crate),
      ...sourcesOf(crate),
      ...licencesOf(crate.facts).map(({ url, name, covers }) => ({
        '@id': url,
        '@type': 'CreativeWork',
        name,
        description: covers,
      })),
      publicationOf(crate),
      { '@id': '#program', '@type': 'SoftwareApplication', name: PROGRAM, url: `${crate.url}/` },
    ],
  };
}

/** A reference, or a list of several: compacted JSON-LD has no list of one. */
const references = (ids: readonly string[]) => {
  const all = ids.map((id) => ({ '@id': id }));
  return all.length === 1 ? all[0] : all;
};

const idsOf = (entities: readonly Entity[]): string[] => entities.map((entity) => entity['@id']);

function rootOf(crate: Crate): Entity {
  const { edition, facts, url, doi } = crate;
  return {
    '@id': './',
    '@type': 'Dataset',
    name: editionTitle(edition),
    description: joinSentences(
      editionSummary(facts, edition),
      withdrawnText(crate),
      crate.file === undefined && 'The file with the records is no longer stored.',
    ),
    datePublished: edition.publishedAt.toISOString(),
    license: references(licencesOf(facts).map((licence) => licence.url)),
    creator: references(creatorIdsOf(crate)),
    publisher: { '@id': `${url}/` },
    version: editionVersion(edition),
    keywords: ['art', 'museums', 'public domain', 'metadata'],
    creditText: citationText(crate),
    url: editionPage(url, edition.number),
    identifier: references(idsOf(identifiersOf(crate))),
    ...(doi && { 'cite-as': doiUrl(doi) }),
    ...(crate.file && { hasPart: { '@id': FILE } }),
    ...(sourcesOf(crate).length > 0 && { isBasedOn: references(idsOf(sourcesOf(crate))) }),
    mentions: { '@id': '#publication' },
  };
}

function fileOf({ edition, url, file }: Crate): Entity[] {
  if (!file) return [];
  return [
    {
      '@id': FILE,
      '@type': 'File',
      name: `Records of snapshot ${edition.number}`,
      description: `JSON Lines: ${edition.works} records in the order of identifiers, without the addresses of images.`,
      contentSize: String(file.bytes),
      encodingFormat: 'application/jsonl',
      sha256: file.sha256,
      contentUrl: `${editionFolder(url, edition.number)}${FILE}`,
    },
  ];
}

const identifiersOf = ({ edition, doi }: Crate): Entity[] => [
  ...(doi
    ? [
        {
          '@id': doiUrl(doi),
          '@type': 'PropertyValue',
          name: 'DOI',
          propertyID: 'https://registry.identifiers.org/registry/doi',
          value: `doi:${doi}`,
          url: doiUrl(doi),
        },
      ]
    : []),
  {
    '@id': '#digest',
    '@type': 'PropertyValue',
    name: 'SHA-256 of the records',
    propertyID: 'sha256',
    value: edition.digest,
  },
];

const creatorIdsOf = ({ facts, url }: Crate): string[] => [
  ...importedMuseumsOf(facts).map(({ museum }) => MUSEUMS[museum].home),
  ...(facts.basis.starter > 0 || importedMuseumsOf(facts).length === 0 ? [`${url}/`] : []),
];

const organizationsOf = ({ facts, url }: Crate): Entity[] => [
  ...importedMuseumsOf(facts).map(({ museum, name }) => ({
    '@id': MUSEUMS[museum].home,
    '@type': 'Organization',
    name,
    url: MUSEUMS[museum].home,
  })),
  { '@id': `${url}/`, '@type': 'Organization', name: PROGRAM, url: `${url}/` },
];

/** Sources: museum data that was read. Two museums may share a page. */
const sourcesOf = ({ facts }: Crate): Entity[] => [
  ...new Map(
    importedMuseumsOf(facts).map(({ museum, name, evidence_url: page, data_licence, last_read }) => [
      page,
      {
        '@id': page,
        '@type': 'CreativeWork',
        name: `Open data of ${name}`,
        description: `Licence ${data_licence}, last read ${last_read}.`,
        publisher: { '@id': MUSEUMS[museum].home },
      },
    ]),
  ).values(),
];

function publicationOf(crate: Crate): Entity {
  const { edition } = crate;
  const { added, changed, removed } = edition.report;
  const sources = idsOf(sourcesOf(crate));
  return {
    '@id': '#publication',
    '@type': 'CreateAction',
    name: `Publication of snapshot ${edition.number}`,
    description: `${added} works added, ${changed} changed, ${removed} removed since the snapshot before.`,
    endTime: edition.publishedAt.toISOString(),
    instrument: { '@id': '#program' },
    ...(sources.length > 0 && { object: references(sources) }),
    result: { '@id': crate.file ? FILE : './' },
  };
}
