import { invalidField } from '../../../core/errors/atelier_error.ts';
import { readMedium } from './kinds.ts';
import { groupsOfWords } from './parse_query.ts';
import { readPeriod } from './read_period.ts';
import type { Filters } from './types.ts';

/** Filters as a caller sends them; what is empty, 0 or absent asks for nothing. */
export interface FiltersAsked {
  readonly licence?: '' | 'cc0' | 'public_domain' | undefined;
  readonly hasImage?: boolean | undefined;
  readonly longSideMin?: number | undefined;
  readonly medium?: string | undefined;
  readonly century?: string | number | undefined;
  readonly yearFrom?: number | undefined;
  readonly yearTo?: number | undefined;
}

/** Undefined where nothing is asked for. @throws AtelierError invalid_input naming the field that cannot be read */
export function readFilters(asked: FiltersAsked): Filters | undefined {
  const {
    licence = '',
    hasImage = false,
    longSideMin = 0,
    medium = '',
    century = '',
    yearFrom,
    yearTo,
  } = asked;
  const isAsked = [licence, hasImage, longSideMin, medium, century].some(Boolean) || century === 0;
  if (!isAsked && yearFrom === undefined && yearTo === undefined) return undefined;
  if (yearFrom !== undefined && yearTo !== undefined && yearFrom > yearTo)
    throw invalidField(
      'year_to',
      `year_to must not be before year_from: send year_from ${yearTo} and year_to ${yearFrom}.`,
    );
  return {
    // CC0 is a dedication to the public domain: whoever asks for that takes both.
    isCc0: licence === 'cc0',
    hasImage,
    longSideMin,
    ...mediumOf(medium),
    ...(century !== '' && { century: periodOf(century) }),
    ...((yearFrom !== undefined || yearTo !== undefined) && {
      years: {
        ...(yearFrom !== undefined && { from: yearFrom }),
        ...(yearTo !== undefined && { to: yearTo }),
      },
    }),
  };
}

function mediumOf(medium: string): Pick<Filters, 'kinds' | 'mediumWords'> {
  if (medium === '') return { kinds: 0, mediumWords: [] };
  const { kinds, words } = readMedium(medium);
  const mediumWords = groupsOfWords(words)
    .map((group) => group.filter(({ period }) => !period))
    .filter((group) => group.length > 0);
  if (kinds === 0 && mediumWords.length === 0)
    throw invalidField(
      'medium',
      'medium must have a word: painting, print, drawing, photograph, sculpture, textile, or such as "oil on canvas".',
    );
  return { kinds, mediumWords };
}

function periodOf(century: string | number) {
  const period = readPeriod(century);
  if (period) return period;
  throw invalidField(
    'century',
    'century must be a period and nothing else: 17, "17th century", "1880s", "1650-1700", "after 1850", "5th century BC", or -5 for that.',
  );
}
