import { readMuseum } from '../../src/dataset/editions/read_museum.ts';
import { emptyReport } from '../../src/dataset/editions/report.ts';
import type { MuseumName } from '../../src/dataset/museums/museums.ts';
import { openSource } from '../../src/dataset/reading/open_source.ts';
import type { ArtworkRecord } from '../../src/dataset/records/record.ts';

/** All that a museum's file or folder gives, by the ids of the works, and the report of its reading. */
export async function readRecords(museum: MuseumName, path: string) {
  const report = emptyReport();
  const records = new Map<string, ArtworkRecord>();
  for await (const record of readMuseum(museum, openSource(path), report)) records.set(record.id, record);
  return { report, records };
}
