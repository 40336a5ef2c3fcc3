import type { SnapshotFile } from '../releases/snapshot_files.ts';
import {
  type CitedEdition,
  citationText,
  creatorNamesOf,
  editionFolder,
  editionSummary,
  editionVersion,
  importedMuseumsOf,
  licencesOf,
  PROGRAM,
} from './edition_words.ts';
import type { Facts } from './manifest_facts.ts';
import { joinSentences, personsText, processingText } from './manifest_words.ts';
import { DATASET_ID } from './open_museums.ts';
import { SNAPSHOT_FIELDS } from './snapshot_fields.ts';

/** JSON-LD context required by the format (Croissant 1.1, appendix 1). */
const CONTEXT = {
  '@language': 'en',
  '@vocab': 'https://schema.org/',
  ...prefixNames('cr:', [
    'annotation',
    'arrayShape',
    'citeAs',
    'column',
    'containedIn',
    'equivalentProperty',
    'excludes',
    'extract',
    'field',
    'fileProperty',
    'fileObject',
    'fileSet',
    'format',
    'includes',
    'isArray',
    'isLiveDataset',
    'jsonPath',
    'key',
    'md5',
    'parentField',
    'readLines',
    'recordSet',
    'references',
    'regex',
    'sdVersion',
    'separator',
    'source',
    'subField',
    'transform',
    'unArchive',
    'value',
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

const CONFORMS_TO = ['http://mlcommons.org/croissant/1.1', 'http://mlcommons.org/croissant/RAI/1.0'];
const FILE = 'artworks.jsonl';
const SET = 'artworks';

/**
 * Machine-readable description of the dataset for data loaders: a Croissant card computed from an edition.
 */
export function croissantCard(
  cited: CitedEdition,
  file: Pick<SnapshotFile, 'bytes' | 'sha256'>,
): Record<string, unknown> {
  const { edition, facts, url } = cited;
  const published = edition.publishedAt.toISOString();
  return {
    '@context': CONTEXT,
    '@type': 'sc:Dataset',
    conformsTo: CONFORMS_TO,
    name: DATASET_ID,
    description: editionSummary(facts, edition),
    url: `${url}/`,
    sameAs: importedMuseumsOf(facts).map((museum) => museum.policy_url),
    license: licencesOf(facts).map((licence) => licence.url),
    creator: creatorNamesOf(facts).map((name) => ({ '@type': 'sc:Organization', name })),
    publisher: { '@type': 'sc:Organization', name: PROGRAM, url: `${url}/` },
    datePublished: published,
    dateModified: published,
    version: editionVersion(edition),
    keywords: ['art', 'museums', 'public domain', 'images', 'metadata'],
    isLiveDataset: true,
    isAccessibleForFree: true,
    citeAs: citationText(cited),
    distribution: [
      {
        '@type': 'cr:FileObject',
        '@id': FILE,
        name: FILE,
        description: `The ${facts.works} records of snapshot ${edition.number}, one a line, without where their pictures are: those come with batch_download and get_artwork.`,
        contentUrl: `${editionFolder(url, edition.number)}artworks.jsonl`,
        contentSize: `${file.bytes} B`,
        sha256: file.sha256,
        // The usual media type, and the one that MLCommons loaders recognise.
        encodingFormat: ['application/jsonl', 'application/jsonlines'],
      },
    ],
    recordSet: [
      {
        '@type': 'cr:RecordSet',
        '@id': SET,
        name: SET,
        description: 'One record per work, in the order of identifiers.',
        key: { '@id': `${SET}/id` },
        field: SNAPSHOT_FIELDS.map(fieldOf),
      },
    ],
    ...responsibleUse(facts, url),
  };
}

const fieldOf = ({ name, type, isArray, what }: (typeof SNAPSHOT_FIELDS)[number]) => ({
  '@type': 'cr:Field',
  '@id': `${SET}/${name}`,
  name,
  description: what,
  dataType: type,
  ...(isArray && { isArray, arrayShape: '-1' }),
  source: { fileObject: { '@id': FILE }, extract: { column: name } },
});

/** Croissant RAI 1.0. */
const responsibleUse = (facts: Facts, url: string) => ({
  'rai:dataCollection': joinSentences(
    facts.basis.imported > 0 &&
      `${facts.basis.imported} records were imported from the museums' own open-access data.`,
    facts.basis.starter > 0 && `${facts.basis.starter} were written by hand (starter catalogue).`,
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
  'rai:dataUseCases': 'Search, publication, print and model training.',
  'rai:dataReleaseMaintenancePlan': `Every import publishes a new snapshot; works are taken out on request. See ${url}/api/tools/compliance_manifest.`,
});

function prefixNames(prefix: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, prefix + name]));
}
