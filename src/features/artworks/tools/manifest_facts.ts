import { MUSEUM_NAMES, MUSEUMS, type MuseumName } from '../museums/museums.ts';
import type { Statistics } from '../types.ts';
import { STARTER_LICENCE } from './licence_passport.ts';

/** Input of both manifests: all figures are computed. */
export interface Facts {
  readonly works: number;
  /** Number of works by source: read from a museum's data, or written by hand. */
  readonly basis: Basis;
  readonly pictures: number;
  readonly megabytes: number;
  readonly museums: readonly MuseumFacts[];
  /** Works by museum, status and the field that states it. */
  readonly rights: readonly { museum: string; status: string; evidence: string; works: number }[];
  readonly publicDomainPercent: number;
  /** Share of works whose rights have evidence, in percent. */
  readonly evidencedPercent: number;
  readonly gaps: readonly string[];
  readonly years: { readonly from: number | null; readonly to: number | null };
  readonly seen: { readonly first: string; readonly last: string };
  /** Works fetched on demand since; not included in the other figures. */
  readonly live: Statistics['live'];
}

export interface Basis {
  readonly imported: number;
  readonly starter: number;
}

export interface MuseumFacts {
  readonly museum: MuseumName;
  readonly name: string;
  readonly works: number;
  /** Of these works, those of the starter catalogue. */
  readonly starter_works: number;
  readonly pictures: number;
  readonly data_licence: string;
  readonly policy_url: string;
  /** URL against which rights statements are verified. */
  readonly evidence_url: string;
  /** The policy page as it was read; null: not read. */
  readonly terms: {
    readonly sha256: string;
    readonly first_seen_at: string;
    readonly last_seen_at: string;
  } | null;
  /** Dates on which its data was read; null: not read. */
  readonly first_read: string | null;
  readonly last_read: string | null;
  /** Source and date of the last import; null: only the starter catalogue. */
  readonly source: string | null;
  readonly imported_at: string | null;
  /** All files: the last complete one, and the partial ones since. */
  readonly sources: readonly SourceFacts[];
  /** Total of all these files. */
  readonly left_out: Readonly<Record<string, number>>;
  readonly bad_rows: number;
}

export interface SourceFacts {
  readonly source: string;
  readonly imported_at: string;
  /** Works missing from the file stayed, because it was partial or truncated. */
  readonly is_part: boolean;
  readonly rows: number;
  readonly left_out: Readonly<Record<string, number>>;
  readonly bad_rows: number;
}

type Group = Statistics['rights'][number];

const sumOf = (groups: readonly Group[], of: (group: Group) => number): number =>
  groups.reduce((total, group) => total + of(group), 0);

const basisOf = (groups: readonly Group[]): Basis => ({
  imported: sumOf(groups, ({ field, works }) => (field === null ? 0 : works)),
  starter: sumOf(groups, ({ field, works }) => (field === null ? works : 0)),
});

const daysIn = (groups: readonly Group[]): string[] =>
  groups
    .flatMap(({ seenFirst, seenLast }) => [seenFirst, seenLast])
    .filter((day) => day !== null)
    .sort();

/** Computes the facts of an edition. */
export function factsOf({ rights, imports, terms, live }: Statistics): Facts {
  const works = sumOf(rights, (group) => group.works);
  const percent = (part: number) => (works === 0 ? 0 : Math.round((part / works) * 10_000) / 100);
  const museums = MUSEUM_NAMES.map((museum) => museumFacts(museum, { rights, imports, terms }));
  const years = rights.flatMap(({ yearFrom, yearTo }) => [yearFrom, yearTo]).filter((year) => year !== null);
  const days = daysIn(rights);
  const basis = basisOf(rights);
  return {
    works,
    basis,
    pictures: sumOf(rights, (group) => group.pictures),
    megabytes: Math.round(sumOf(rights, (group) => group.bytes) / 1e5) / 10,
    museums,
    rights: rights.map(({ museum, status, field, works: count }) => ({
      museum,
      status,
      evidence: field ?? 'none: starter catalogue',
      works: count,
    })),
    publicDomainPercent: percent(sumOf(rights, (group) => (isFree(group.status) ? group.works : 0))),
    evidencedPercent: percent(basis.imported),
    gaps: [
      ...GAPS.flatMap(([of, what]) => {
        const count = sumOf(rights, of);
        return count > 0 ? [`${count} works (${percent(count)} %) ${what}`] : [];
      }),
      ...museums
        .filter((one) => one.works > one.starter_works && one.terms === null)
        .map((one) => `the terms page of ${one.name} was not read`),
      ...museums
        .filter((one) => one.works === one.starter_works)
        .map((one) => `no data of ${one.name} is in this snapshot`),
    ],
    years: years.length > 0 ? { from: Math.min(...years), to: Math.max(...years) } : { from: null, to: null },
    seen: {
      first: days[0] ?? '',
      last:
        museums
          .map((one) => one.last_read ?? '')
          .sort()
          .at(-1) ?? '',
    },
    live,
  };
}

const GAPS: readonly (readonly [(group: Group) => number, string])[] = [
  [(group) => group.works - group.pictures, 'have no image'],
  [(group) => group.withoutMaker, 'have no known maker'],
  [(group) => group.withoutDate, 'have no date that could be parsed'],
  [(group) => group.withoutMedium, 'state no medium'],
  [(group) => group.withoutDescription, 'have no description'],
  [
    (group) => (group.field === null ? group.works : 0),
    'are from the starter catalogue: written by hand, without asking their museum',
  ],
];

function museumFacts(
  museum: MuseumName,
  { rights, imports, terms }: Pick<Statistics, 'rights' | 'imports' | 'terms'>,
): MuseumFacts {
  const own = rights.filter((group) => group.museum === museum);
  const days = daysIn(own);
  const { imported, starter } = basisOf(own);
  const page = terms.find((one) => one.museum === museum && one.url === MUSEUMS[museum].policy);
  const sources = imports.filter((edition) => edition.museum === museum).map(sourceFacts);
  return {
    museum,
    name: MUSEUMS[museum].name,
    works: imported + starter,
    starter_works: starter,
    pictures: sumOf(own, (group) => group.pictures),
    data_licence: [
      ...(imported > 0 || starter === 0 ? [MUSEUMS[museum].dataLicence] : []),
      ...(starter > 0 ? [STARTER_LICENCE] : []),
    ].join('; '),
    policy_url: MUSEUMS[museum].policy,
    evidence_url: MUSEUMS[museum].evidence,
    terms: page
      ? {
          sha256: page.sha256,
          first_seen_at: page.firstSeenAt.toISOString(),
          last_seen_at: page.lastSeenAt.toISOString(),
        }
      : null,
    first_read: days[0] ?? null,
    // A record unchanged since keeps the date of its first reading, although it was read again.
    last_read: [...days, ...sources.map(({ imported_at }) => imported_at.slice(0, 10))].sort().at(-1) ?? null,
    source: sources.map(({ source }) => source).join('; ') || null,
    imported_at: sources.at(-1)?.imported_at ?? null,
    sources,
    left_out: addUp(sources.map(({ left_out }) => left_out)),
    bad_rows: sources.reduce((sum, { bad_rows }) => sum + bad_rows, 0),
  };
}

const sourceFacts = ({ source, publishedAt, report }: Statistics['imports'][number]): SourceFacts => ({
  source,
  imported_at: publishedAt.toISOString(),
  is_part: report.part === true || !report.complete,
  rows: report.rows,
  left_out: report.left_out,
  bad_rows: report.bad,
});

function addUp(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [what, count] of counts.flatMap((one) => Object.entries(one)))
    sums[what] = (sums[what] ?? 0) + count;
  return sums;
}

const isFree = (status: string): boolean => status === 'public_domain' || status === 'cc0';
