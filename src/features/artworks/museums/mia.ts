import { jsonFiles } from '../readers/json_files.ts';
import { given, joined, lifeYear, list, namedMakers, object, pixels, plain, split, text } from './clean.ts';
import { type Importer, NO_NUMBER, NOT_PUBLIC_DOMAIN, statedRights } from './importer.ts';
import { yearsIn } from './years.ts';

const API = 'https://search.artsmia.org/id';

/**
 * Minneapolis Institute of Art: its repository with one JSON file per work, or responses of its search, one
 * per line.
 */
export const mia: Importer = {
  published: { files: ['https://github.com/artsmia/collection/archive/refs/heads/main.tar.gz'] },
  reads: 'main.tar.gz of https://github.com/artsmia/collection, or works, one a line (.jsonl)',
  // The repository also contains departments and exhibitions.
  free: '`rights_type`, and not `restricted`',
  rows: (source) => jsonFiles(source, (work) => [object(work)], /(^|\/)objects\/\d+\/\d+\.json$/),
  map(row) {
    // Older files have "http://api.artsmia.org/objects/180".
    const number = /(?:^|\/)(\d{1,12})$/.exec(text(row.id))?.[1];
    if (!number) return { leftOut: NO_NUMBER };
    const rights = statedRights('rights_type', row.rights_type);
    if (!rights || Number(row.restricted) === 1) return { leftOut: NOT_PUBLIC_DOMAIN };
    const date = text(row.dated, 200);
    return {
      record: {
        id: `mia_${number}`,
        museum: 'mia',
        accession_number: text(row.accession_number, 200),
        title: plain(row.title) || text(row.object_name) || 'Untitled',
        artists: artistsOf(row),
        date,
        ...yearsIn(date),
        medium: text(row.medium),
        dimensions: text(row.dimension),
        classification: text(row.classification, 200) || text(row.object_name, 200),
        department: text(row.department, 200),
        culture: joined([row.culture, row.country], 2, 140),
        credit_line: text(row.creditline),
        description: plain(joined([row.text, row.description], 2, 4000, ' '), 4000),
        tags: list([row.style, row.object_name, row.continent], 3, 100),
        highlight: Number(row.highlights) === 1,
        ...given({
          // "From " alone is an empty value.
          series: text(row.portfolio, 500).replace(/^From\b\s*/, ''),
          provenance: plain(row.provenance, 4000),
        }),
        source_url: `https://collections.artsmia.org/art/${number}`,
        image: imageOf(row, number),
        rights,
      },
    };
  },
  live: {
    pauseMs: 1000,
    read: async ({ number, get }) => mia.map(await get(`${API}/${number}`)),
    pictureIn: pictureOf,
  },
};

/** "Designer: Lotte Hahn; Workshop: Wiener Werkstätte"; years and nationality are those of the first. */
function artistsOf(row: Record<string, unknown>) {
  const [, born, died] = /(\d{4})\s*[-–]\s*(\d{4})?/.exec(text(row.life_date, 200)) ?? [];
  const makers = split(text(row.artist, 2000), ';').map((part, at) => {
    const [, role, name] = /^(?:([^:]{1,60}): )?(.*)$/.exec(part) ?? [];
    return {
      name: text(name, 300),
      role: text(role ?? (at === 0 ? row.role : ''), 100),
      ...(at === 0 && {
        nationality: text(row.nationality, 100),
        born: lifeYear(born),
        died: lifeYear(died),
      }),
    };
  });
  return namedMakers(makers);
}

/** Only the search has the location of the image; the repository states whether there is one. */
function imageOf(row: Record<string, unknown>, number: string) {
  if (row.image !== 'valid') return null;
  const [url, width, height] = [pictureOf(row), pixels(row.image_width), pixels(row.image_height)];
  return url
    ? { kind: 'file' as const, url, width, height }
    : { kind: 'lookup' as const, url: `${API}/${number}`, width, height };
}

function pictureOf({
  Cache_Location: place,
  Primary_RenditionNumber: file,
}: Record<string, unknown>): string {
  const [folder, name] = [text(place, 200).replaceAll('\\', '/'), /^(\w+)\.jpg$/i.exec(text(file, 200))?.[1]];
  return name && /^\d+(\/\d+)*$/.test(folder)
    ? `https://img.artsmia.org/web_objects_cache/${folder}/${name}_full.jpg`
    : '';
}
