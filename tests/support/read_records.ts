import type { MuseumName } from '../../src/features/artworks/museums/museums.ts';
import { openSource } from '../../src/features/artworks/readers/open_source.ts';
import type { ArtworkRecord } from '../../src/features/artworks/records/record.ts';
import { readMuseum } from '../../src/features/artworks/releases/read_museum.ts';
import { emptyReport } from '../../src/features/artworks/releases/report.ts';

/** All records in a museum's file or folder, by the ids of the works, and the report of the reader. */
export async function readRecords(museum: MuseumName, path: string) {
  const report = emptyReport();
  const records = new Map<string, ArtworkRecord>();
  for await (const record of readMuseum(museum, openSource(path), report)) records.set(record.id, record);
  return { report, records };
}
