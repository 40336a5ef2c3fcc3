import { DATASET_ROW_CHARACTERS_MAX } from '../limits.ts';
import { jsonLines, objectIn } from '../readers/lines.ts';
import type { Source, SourceFile } from '../readers/open_source.ts';
import type { Row } from '../readers/row.ts';
import { address, array, entries, given, list, object, pixels, plain, split, text, year } from './clean.ts';
import { CC0, type Importer, NO_NUMBER, NOT_PUBLIC_DOMAIN } from './importer.ts';

const IIIF = 'https://www.artic.edu/iiif/2';
const API = 'https://api.artic.edu/api/v1/artworks';

/** Art Institute of Chicago: its data dump, one JSON file per work, or works as JSON Lines. */
export const chicago: Importer = {
  published: {
    files: ['https://artic-api-data.s3.amazonaws.com/artic-api-data.tar.bz2'],
    // According to the museum's page about its data.
    bytesAbout: 115_000_000,
  },
  reads:
    'artic-api-data.tar.bz2 from https://github.com/art-institute-of-chicago/api-data, or works, one a line (.jsonl)',
  free: '`is_public_domain`',
  async *rows(source: Source) {
    for await (const file of source.files()) {
      if (/\.jsonl$/.test(file.name)) yield* jsonLines(file);
      else if (/(^|\/)artworks\/\d+\.json$/.test(file.name)) yield await wholeFile(file);
    }
  },
  map(row) {
    const number = text(row.id);
    if (!/^\d+$/.test(number)) return { leftOut: NO_NUMBER };
    if (row.is_public_domain !== true) return { leftOut: NOT_PUBLIC_DOMAIN };
    const imageId = text(row.image_id, 100);
    const [from, to] = [year(row.date_start), year(row.date_end)];
    return {
      record: {
        id: `chicago_${number}`,
        museum: 'chicago',
        accession_number: text(row.main_reference_number, 200),
        title: plain(row.title) || 'Untitled',
        other_titles: list(row.alt_titles, 10, 1000),
        artists: artistsOf(row),
        date: text(row.date_display, 200),
        year_from: from !== null && to !== null && from <= to ? from : null,
        year_to: from !== null && to !== null && from <= to ? to : null,
        medium: text(row.medium_display),
        dimensions: text(row.dimensions),
        classification: text(row.artwork_type_title, 200) || text(row.classification_title, 200),
        department: text(row.department_title, 200),
        culture: text(row.place_of_origin, 300),
        credit_line: text(row.credit_line),
        tags: list(
          [...array(row.style_titles), ...array(row.subject_titles), ...array(row.term_titles)],
          50,
          100,
        ),
        ...given({
          provenance: entries(row.provenance_text),
          exhibitions: entries(row.exhibition_history),
          references: entries(row.publication_history),
        }),
        highlight: row.is_boosted === true,
        source_url: `https://www.artic.edu/artworks/${number}`,
        // Descriptions are CC BY and are not imported.
        image: /^[0-9a-f-]{36}$/.test(imageId) ? imageOf(row, imageId) : null,
        rights: {
          status: 'cc0',
          evidence: { field: 'is_public_domain', value: 'true' },
          url: CC0,
        },
      },
    };
  },
  live: {
    // The museum allows 60 requests a minute.
    pauseMs: 1000,
    async read({ number, get }) {
      const { data, config } = await get(`${API}/${number}`);
      return chicago.map({ ...object(data), iiif_url: object(config).iiif_url });
    },
  },
};

/**
 * The API states the URL of the image server and the size of the original, which the dump may have from
 * another year.
 */
function imageOf({ iiif_url: served, thumbnail }: Record<string, unknown>, imageId: string) {
  const base = address(served).replace(/\/$/, '');
  if (!base) return { kind: 'iiif' as const, url: `${IIIF}/${imageId}` };
  const { width, height } = object(thumbnail);
  return { kind: 'iiif' as const, url: `${base}/${imageId}`, width: pixels(width), height: pixels(height) };
}

async function wholeFile({ name, bytes }: SourceFile): Promise<Row> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size <= DATASET_ROW_CHARACTERS_MAX) chunks.push(chunk);
  }
  if (size > DATASET_ROW_CHARACTERS_MAX)
    return { where: name, problem: `longer than ${DATASET_ROW_CHARACTERS_MAX} bytes`, quote: '' };
  return objectIn(Buffer.concat(chunks).toString('utf8'), name);
}

/**
 * `artist_display` is "David Dalhoff Neal\nAmerican, 1838–1915"; its second line is about a single artist
 * only.
 */
function artistsOf(row: Record<string, unknown>) {
  const names = list(row.artist_titles, 20, 300);
  const known = names.length > 0 ? names : list([row.artist_title], 1, 300);
  const about = split(row.artist_display, '\n')[1] ?? '';
  const match =
    known.length === 1 ? /^([^,;(\d]{2,60}), (?:born )?(?:c\. )?(\d{4})(?:[–-](\d{4}))?/.exec(about) : null;
  return known.map((name) => ({
    name,
    ...(match && { nationality: text(match[1], 100), born: year(match[2]), died: year(match[3] ?? null) }),
  }));
}
