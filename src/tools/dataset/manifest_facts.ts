import { MUSEUM_NAMES, MUSEUMS, type MuseumName } from '../../museums.ts';
import type { Statistics } from '../../services/artworks/index.ts';

/** What both manifests are written from: everything is counted, nothing typed. */
export interface Facts {
  readonly works: number;
  readonly pictures: number;
  readonly megabytes: number;
  readonly museums: readonly MuseumFacts[];
  /** Works by status and by the field that says so. */
  readonly rights: readonly { status: string; evidence: string; works: number }[];
  readonly publicDomainPercent: number;
  /** Of the works that have evidence. */
  readonly evidencedPercent: number;
  readonly gaps: readonly string[];
  readonly years: { readonly from: number | null; readonly to: number | null };
  readonly seen: { readonly first: string; readonly last: string };
}

export interface MuseumFacts {
  readonly museum: MuseumName;
  readonly name: string;
  readonly works: number;
  readonly pictures: number;
  readonly data_licence: string;
  readonly policy_url: string;
  /** What was imported, and when; null: only the starter catalogue. */
  readonly source: string | null;
  readonly imported_at: string | null;
  readonly left_out: Readonly<Record<string, number>>;
  readonly bad_rows: number;
}

type Group = Statistics['rights'][number];

const sumOf = (groups: readonly Group[], of: (group: Group) => number): number =>
  groups.reduce((total, group) => total + of(group), 0);

/** The facts of an edition. */
export function factsOf({ rights, imports }: Statistics): Facts {
  const works = sumOf(rights, (group) => group.works);
  const percent = (part: number) => (works === 0 ? 0 : Math.round((part / works) * 10_000) / 100);
  const museums = MUSEUM_NAMES.map((museum) => museumFacts(museum, rights, imports));
  const years = rights.flatMap(({ yearFrom, yearTo }) => [yearFrom, yearTo]).filter((year) => year !== null);
  const days = rights.flatMap(({ seenFirst, seenLast }) => [seenFirst, seenLast]).sort();
  return {
    works,
    pictures: sumOf(rights, (group) => group.pictures),
    megabytes: Math.round(sumOf(rights, (group) => group.bytes) / 1e5) / 10,
    museums,
    rights: rights.map(({ status, field, works: count }) => ({
      status,
      evidence: field ?? 'none: starter catalogue',
      works: count,
    })),
    publicDomainPercent: percent(sumOf(rights, (group) => (isFree(group.status) ? group.works : 0))),
    evidencedPercent: percent(sumOf(rights, (group) => (group.field === null ? 0 : group.works))),
    gaps: [
      ...GAPS.flatMap(([of, what]) => {
        const count = sumOf(rights, of);
        return count > 0 ? [`${count} works (${percent(count)} %) ${what}`] : [];
      }),
      ...museums.filter((one) => one.works === 0).map((one) => `nothing of ${one.name} is here`),
    ],
    years: years.length > 0 ? { from: Math.min(...years), to: Math.max(...years) } : { from: null, to: null },
    seen: { first: days[0] ?? '', last: days.at(-1) ?? '' },
  };
}

const GAPS: readonly (readonly [(group: Group) => number, string])[] = [
  [(group) => group.works - group.pictures, 'name no picture'],
  [(group) => group.withoutMaker, 'name no maker'],
  [(group) => group.withoutDate, 'have no date that could be read'],
  [(group) => group.withoutMedium, 'name no medium'],
  [(group) => group.withoutDescription, 'have no description'],
  [
    (group) => (group.field === null ? group.works : 0),
    'are of the starter catalogue: their museum was not asked',
  ],
];

function museumFacts(
  museum: MuseumName,
  rights: readonly Group[],
  imports: Statistics['imports'],
): MuseumFacts {
  const own = rights.filter((group) => group.museum === museum);
  const last = imports.find((edition) => edition.museum === museum);
  return {
    museum,
    name: MUSEUMS[museum].name,
    works: sumOf(own, (group) => group.works),
    pictures: sumOf(own, (group) => group.pictures),
    data_licence: MUSEUMS[museum].dataLicence,
    policy_url: MUSEUMS[museum].policy,
    source: last?.source ?? null,
    imported_at: last?.publishedAt.toISOString() ?? null,
    left_out: last?.report.left_out ?? {},
    bad_rows: last?.report.bad ?? 0,
  };
}

const isFree = (status: string): boolean => status === 'public_domain' || status === 'cc0';
