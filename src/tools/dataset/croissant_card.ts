import type { Edition } from '../../dataset/editions/edition_store.ts';
import type { Facts } from './manifest_facts.ts';
import { joinSentences, museumsText, personsText, processingText } from './manifest_words.ts';
import { DATASET_ID } from './open_museums.ts';
import { rightsSentence } from './record_basis.ts';

/** What JSON-LD needs to read the card: the context the format prescribes (Croissant 1.0, appendix 1). */
const CONTEXT = {
  '@language': 'en',
  '@vocab': 'https://schema.org/',
  ...prefixNames('cr:', [
    'citeAs',
    'column',
    'extract',
    'field',
    'fileProperty',
    'fileObject',
    'fileSet',
    'format',
    'includes',
    'isLiveDataset',
    'jsonPath',
    'key',
    'md5',
    'parentField',
    'path',
    'recordSet',
    'references',
    'regex',
    'repeated',
    'replace',
    'separator',
    'source',
    'subField',
    'transform',
  ]),
  conformsTo: 'dct:conformsTo',
  cr: 'http://mlcommons.org/croissant/',
  data: { '@id': 'cr:data', '@type': '@json' },
  dataType: { '@id': 'cr:dataType', '@type': '@vocab' },
  dct: 'http://purl.org/dc/terms/',
  examples: { '@id': 'cr:examples', '@type': '@json' },
  rai: 'http://mlcommons.org/croissant/RAI/',
  sc: 'https://schema.org/',
};

const CONFORMS_TO = ['http://mlcommons.org/croissant/1.0', 'http://mlcommons.org/croissant/RAI/1.0'];
const CC0 = 'https://creativecommons.org/publicdomain/zero/1.0/';
const PROGRAM = 'Atelier';
const FILE = 'artworks.jsonl';
const SET = 'artworks';

/** Name, type, place in a line of the JSON Lines, and what it is. */
const FIELDS: readonly (readonly [name: string, type: string, path: string, what: string])[] = [
  [
    'id',
    'sc:Text',
    '$.credit_id',
    'Museum, underscore, its number there; of works of Paris in the starter catalogue a name.',
  ],
  ['sha256', 'sc:Text', '$.sha256', 'Of the record as JSON with sorted keys and without spaces.'],
  ['basis', 'sc:Text', '$.basis', 'museum_data, or starter_catalogue: written down by hand.'],
  ['museum', 'sc:Text', '$.record.museum', 'Short name of the museum.'],
  ['title', 'sc:Text', '$.record.title', 'Of records that were read in the language of the museum.'],
  ['artists', 'sc:Text', '$.record.artists[*].name', 'Makers, the most important first.'],
  ['date', 'sc:Text', '$.record.date', 'Of records that were read as the museum writes it.'],
  ['year_from', 'sc:Integer', '$.record.year_from', 'First year it may be from; negative before our era.'],
  ['year_to', 'sc:Integer', '$.record.year_to', 'Last year it may be from.'],
  ['medium', 'sc:Text', '$.record.medium', 'Material and technique.'],
  ['dimensions', 'sc:Text', '$.record.dimensions', 'As the museum writes them; empty where none were read.'],
  ['classification', 'sc:Text', '$.record.classification', 'Kind of object.'],
  ['culture', 'sc:Text', '$.record.culture', 'People or place it comes from.'],
  [
    'description',
    'sc:Text',
    '$.record.description',
    "The museum's own words, where they are free; empty where none were read.",
  ],
  ['tags', 'sc:Text', '$.record.tags[*]', 'What it shows and what it belongs to.'],
  ['rights', 'sc:Text', '$.record.rights.status', 'public_domain or cc0.'],
  ['rights_url', 'sc:URL', '$.record.rights.url', 'The licence or mark.'],
  [
    'source_url',
    'sc:URL',
    '$.record.source_url',
    'Page of the work at its museum; of the starter catalogue, where it should be.',
  ],
  [
    'image',
    'sc:URL',
    '$.download_url',
    'The picture, behind a link that works for 24 hours; null where there is none.',
  ],
  ['attribution', 'sc:Text', '$.attribution', 'A line to show beside the picture.'],
];

/** The dataset described for machines that load datasets: a Croissant card, computed from the edition at hand. */
export function croissantCard(facts: Facts, edition: Edition, url: string): Record<string, unknown> {
  const used = facts.museums.filter(({ works }) => works > 0);
  const published = edition.publishedAt.toISOString();
  return {
    '@context': CONTEXT,
    '@type': 'sc:Dataset',
    conformsTo: CONFORMS_TO,
    name: DATASET_ID,
    description: `${facts.works} public-domain artworks of ${museumsText(used.length)}; ${facts.pictures} name a picture. ${rightsSentence(facts.basis)} Snapshot ${edition.number}, sha256 ${edition.digest}.`,
    url: `${url}/`,
    sameAs: importedMuseumsOf(facts).map((museum) => museum.policy_url),
    license: licencesOf(facts),
    creator: creatorsOf(facts),
    publisher: { '@type': 'sc:Organization', name: PROGRAM, url: `${url}/` },
    datePublished: published,
    dateModified: published,
    version: `${edition.number}.0.0`,
    keywords: ['art', 'museums', 'public domain', 'images', 'metadata'],
    isLiveDataset: true,
    isAccessibleForFree: false,
    citeAs: `Open Museums, snapshot ${edition.number}, ${url}/`,
    distribution: [
      {
        '@type': 'cr:FileObject',
        '@id': FILE,
        name: FILE,
        description:
          'POST {"quantity": 10000000, "format": "jsonl"} to this address; its answer names the link that streams the file (jsonl_url).',
        contentUrl: `${url}/api/tools/batch_download`,
        contentSize: `${Math.round(facts.megabytes)} MB`,
        encodingFormat: 'application/jsonlines',
      },
    ],
    recordSet: [
      {
        '@type': 'cr:RecordSet',
        '@id': SET,
        name: SET,
        description: 'One record a work, in the order of identifiers.',
        key: { '@id': `${SET}/id` },
        field: FIELDS.map(fieldOf),
      },
    ],
    ...responsibleUse(facts, url),
  };
}

const fieldOf = ([name, dataType, jsonPath, description]: (typeof FIELDS)[number]) => ({
  '@type': 'cr:Field',
  '@id': `${SET}/${name}`,
  name,
  description,
  dataType,
  ...(jsonPath.includes('[*]') && { repeated: true }),
  source: { fileObject: { '@id': FILE }, extract: { jsonPath } },
});

const importedMuseumsOf = ({ museums }: Facts) =>
  museums.filter(({ works, starter_works: starter }) => works > starter);

/** Museums whose data was read, and who wrote the rest. */
const creatorsOf = (facts: Facts) =>
  [...importedMuseumsOf(facts).map(({ name }) => name), ...(facts.basis.starter > 0 ? [PROGRAM] : [])].map(
    (name) => ({ '@type': 'sc:Organization', name }),
  );

/** The licences the records are under. */
const licencesOf = ({ basis }: Facts): string[] => [
  ...(basis.imported > 0 || basis.starter === 0 ? [CC0] : []),
  ...(basis.starter > 0 ? ['https://www.apache.org/licenses/LICENSE-2.0'] : []),
];

/** Croissant RAI 1.0. */
const responsibleUse = (facts: Facts, url: string) => ({
  'rai:dataCollection': joinSentences(
    facts.basis.imported > 0 &&
      `${facts.basis.imported} records were read in the museums' own open-access data.`,
    facts.basis.starter > 0 && `${facts.basis.starter} were written down by hand (starter catalogue).`,
    'Nothing was crawled.',
  ),
  'rai:dataCollectionType': [
    ...(facts.basis.imported > 0 ? ['Secondary data analysis'] : []),
    ...(facts.basis.starter > 0 ? ['Manual Human Curator'] : []),
  ],
  ...(facts.seen.first && { 'rai:dataCollectionTimeframe': [facts.seen.first, facts.seen.last] }),
  'rai:dataPreprocessingProtocol': processingText(facts),
  'rai:personalSensitiveInformation': `${personsText(facts)}.`,
  'rai:dataBiases': facts.museums.map(({ name, works }) => `${name}: ${works} works`).join('; '),
  'rai:dataLimitations': facts.gaps.join('; ') || 'None known.',
  'rai:dataUseCases': 'Search, publication, print and training of models.',
  'rai:dataReleaseMaintenancePlan': `Every import publishes a new snapshot; works are taken out on request. See ${url}/api/tools/compliance_manifest.`,
});

function prefixNames(prefix: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, prefix + name]));
}
