import type { Facts, MuseumFacts } from './manifest_facts.ts';
import { rightsSentence } from './record_basis.ts';

/**
 * Sentences shared by the manifests. Statements about works read at a museum are not extended to other works.
 */

/** @param more sentences; false values are left out */
export const joinSentences = (...more: readonly (string | false)[]): string => more.filter(Boolean).join(' ');

export const licenceSummary = (facts: Facts): string =>
  joinSentences(
    `Of ${facts.works} works, ${countOf(facts, 'cc0')} are considered CC0 1.0 and ${countOf(facts, 'public_domain')} in the public domain.`,
    rightsSentence(facts.basis),
    facts.basis.imported > 0 &&
      'The licence of imported records is in data_licence, and evidence_url is its source.',
  );

/** Works fetched on demand since are not counted. */
export function liveText({ live }: Facts): string | false {
  const works = live.reduce((sum, one) => sum + one.works, 0);
  const days = live.flatMap(({ first, last }) => [first, last]).sort();
  return (
    works > 0 &&
    `In addition to the snapshot, ${works} works were fetched on demand from the APIs of their museums, from ${days[0]} to ${days.at(-1)} (live_works).`
  );
}

const countOf = ({ rights }: Facts, status: string): number =>
  rights.reduce((sum, group) => sum + (group.status === status ? group.works : 0), 0);

export const dataTypes = ({ pictures, basis }: Facts): string[] => [
  ...(pictures > 0 ? ['images of artworks'] : []),
  'titles',
  'names of makers',
  'dates',
  'media',
  ...(basis.imported > 0 ? ['dimensions'] : []),
  'subjects',
  ...(basis.imported > 0 ? ['rights statements'] : []),
  'museum identifiers',
];

export const museumsText = (count: number): string => `${count} ${count === 1 ? 'museum' : 'museums'}`;

/** Origin and extent of a museum's works. */
export function sourceText({ name, works, starter_works: starter, source }: MuseumFacts): string {
  const parts = [
    works > starter && `${works - starter} works from ${source ?? 'its data'}`,
    starter > 0 && `${starter} from the starter catalogue, written by hand`,
  ];
  return `${name} (${parts.filter(Boolean).join('; ')})`;
}

export const processingText = ({ basis }: Facts): string =>
  joinSentences(
    basis.imported > 0 &&
      'Imported records were normalised: cells truncated, HTML removed, dates parsed to years, names put in natural order.',
    basis.starter > 0 && 'Records of the starter catalogue were written in the same form.',
    'Images are not changed.',
  );

export const personsText = ({ basis }: Facts): string =>
  joinSentences(
    'Names and life dates of makers and of persons shown,',
    [
      basis.imported > 0 && 'as museums publish them',
      basis.starter > 0 && 'from general knowledge (starter catalogue)',
    ]
      .filter(Boolean)
      .join(' and ') || 'of which there are none yet',
  );
