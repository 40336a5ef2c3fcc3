import { CC0, PUBLIC_DOMAIN_MARK } from '../../src/features/artworks/museums/importer.ts';
import { IMPORTERS } from '../../src/features/artworks/museums/importers.ts';
import { MUSEUMS, type MuseumName } from '../../src/features/artworks/museums/museums.ts';
import { openSource } from '../../src/features/artworks/readers/open_source.ts';
import { type ArtworkRecord, parseRecord } from '../../src/features/artworks/records/record.ts';
import { readRecords } from './read_records.ts';

/**
 * Rules for every importer, independent of the museum.
 * @param path a file or folder in the museum's format, with at least one public-domain work and one other
 * @returns problems, as text
 */
export async function importerProblems(museum: MuseumName, path: string): Promise<string[]> {
  const { report, records } = await readRecords(museum, path);
  const again = await readRecords(museum, path);
  const works = [...records.values()];
  return [
    ...(works.length === 0 ? ['no work is free'] : []),
    ...(report.bad > 0 ? [`${report.bad} rows are bad`] : []),
    ...(JSON.stringify(works) === JSON.stringify([...again.records.values()])
      ? []
      : ['reading twice gives two results']),
    ...nameProblems(works),
    ...works.flatMap((work) => recordProblems(museum, work)),
    ...(await oddRowProblems(museum, path)),
  ];
}

/**
 * Firms have a comma in their names ("Tiffany & Co., New York"); for a museum that does not invert names, all
 * persons have one.
 */
const COMMAS_MAX = 0.2;

function nameProblems(works: readonly ArtworkRecord[]): string[] {
  const names = works.flatMap(({ artists }) => artists.map(({ name }) => name));
  const turned = names.filter((name) => /^[^,]+, [^,]+$/.test(name));
  return turned.length > COMMAS_MAX * names.length
    ? [`${turned.length} of ${names.length} names begin with the family name, such as ${turned[0]}`]
    : [];
}

function recordProblems(museum: MuseumName, record: ArtworkRecord): string[] {
  const { id, rights, image, year_from: from, year_to: to, source_url: page } = record;
  const problems: string[] = [];
  const demand = (holds: unknown, problem: string) => {
    if (!holds) problems.push(`${id}: ${problem}`);
  };
  demand(record.museum === museum, `museum is ${record.museum}`);
  demand(rights.evidence, 'no field of the museum says that it is free');
  demand(
    rights.url === (rights.status === 'cc0' ? CC0 : PUBLIC_DOMAIN_MARK),
    `${rights.url} is not the address of ${rights.status}`,
  );
  demand((from === null) === (to === null), 'one of two years');
  demand(from === null || from <= to!, 'years in the wrong order');
  demand(!/<\/?(i|em|b|strong|p|br)>/i.test(record.title), 'markup in the title');
  demand(
    [domainOf(MUSEUMS[museum].home), ...RESOLVERS, ...(OTHER_SITES[museum] ?? [])].includes(domainOf(page)),
    `${page} is no page of the museum`,
  );
  demand(!image || image.url.startsWith('https:'), 'an image without TLS');
  return problems;
}

/**
 * Domains of persistent identifiers, and the domain reserved for examples (RFC 2606), which test files use.
 */
const RESOLVERS = ['handle.net', 'n2t.net', 'doi.org', 'example.org'];

/** Museums of one institution with a domain of their own. */
const OTHER_SITES: Partial<Record<MuseumName, readonly string[]>> = { smithsonian: ['cooperhewitt.org'] };

/** "www.artic.edu" and "api.artic.edu" belong to one museum. */
const domainOf = (url: string): string => new URL(url).hostname.split('.').slice(-2).join('.');

/** Values that occur in real files in place of the expected ones. */
const ODD = [null, [], {}, [[]], [null], -1, true, '', ' ', '\0', '\ud800', 'x'.repeat(50_000), '9999999999'];

/** Rows whose cells are replaced: each has some fifty cells. */
const ODD_ROWS = 20;

/**
 * A valid row with one cell replaced is refused, skipped or a valid record: never a record that violates a
 * rule.
 */
async function oddRowProblems(museum: MuseumName, path: string): Promise<string[]> {
  const { rows, map } = IMPORTERS[museum];
  const problems = new Set<string>();
  let tried = 0;
  for await (const row of rows(openSource(path))) {
    // An XML record is a tree, whose cells only the reader extracts.
    if ('problem' in row || 'element' in row.value) continue;
    if (tried === ODD_ROWS) break;
    tried += 1;
    for (const cell of Object.keys(row.value))
      for (const odd of ODD) {
        try {
          const mapped = map({ ...row.value, [cell]: odd });
          if ('leftOut' in mapped) continue;
          for (const problem of recordProblems(museum, parseRecord(mapped.record)))
            problems.add(`${cell} as ${JSON.stringify(odd).slice(0, 20)}: ${problem}`);
        } catch {
          // An invalid row, which an import counts and skips.
        }
      }
  }
  return [...problems];
}
