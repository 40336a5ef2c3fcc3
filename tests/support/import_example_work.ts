import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../src/config/config.ts';
import { openDataset } from '../../src/features/artworks/open_dataset.ts';
import { EXAMPLE_ARTIFACT_ID } from '../../src/features/artworks/tools/artwork_fields.ts';

/**
 * The work of the examples, in the format of its museum and with an image, which the starter catalogue lacks.
 * Everything else is invented.
 */
const PAGE = `<?xml version="1.0"?><OAI-PMH><ListRecords><record><header/><metadata>
<rdf:RDF xmlns:rdf="r" xmlns:edm="e" xmlns:dc="d" xmlns:ore="o">
<edm:ProvidedCHO><dc:identifier>${EXAMPLE_ARTIFACT_ID.replace('rijks_', '')}</dc:identifier><dc:title>A Watch</dc:title></edm:ProvidedCHO>
<ore:Aggregation><edm:rights rdf:resource="http://creativecommons.org/publicdomain/mark/1.0/"/>
<edm:isShownBy rdf:resource="https://images.test/watch.jpg"/></ore:Aggregation>
</rdf:RDF></metadata></record></ListRecords></OAI-PMH>`;

/** Imports it into a data folder before a server opens it. */
export async function importExampleWork(folder: string): Promise<void> {
  const path = join(folder, 'page.xml');
  writeFileSync(path, PAGE);
  const dataset = await openDataset(readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent' }));
  const { signal } = new AbortController();
  await dataset.import({ museum: 'rijks', path, isPart: true, signal, onProgress() {} });
  await dataset.close();
}
