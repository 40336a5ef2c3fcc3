import { invalidField } from '../../../core/errors/atelier_error.ts';
import { readArea } from '../places/area.ts';
import { fold } from './fold.ts';
import { readMedium } from './kinds.ts';
import { groupsOfWords } from './parse_query.ts';
import { BEFORE_OUR_ERA, centuryBefore, ORDINALS, takeYears, type YearRange } from './query_years.ts';
import { readSize } from './read_size.ts';
import type { Filters } from './types.ts';

const CENTURY = '(\\d{1,2})\\s?(?:st|nd|rd|th|de|e|er|o|\\.)?';
const SPAN = new RegExp(
  `^${CENTURY}\\s?(?:-|–|to|and|t/m|bis|au)\\s?${CENTURY}\\s(?:century|centuries|c|eeuw|siecles?|jahrhundert)$`,
);
const ONE = new RegExp(`^${CENTURY}(?:\\s?(?:century|c|eeuw|siecle|jahrhundert|jh|secolo|siglo))?$`);
const ROMAN = /^(?:siglo |secolo |s )?([ivx]{1,6})(?:e|eme)?(?: siecle| century)?$/;
const ERA_AT_END = new RegExp(`\\s*${BEFORE_OUR_ERA}$`);
const NUMBERS = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x'].flatMap((one, at) => [
  [one, at + 1] as const,
  [`x${one}`, at + 11] as const,
]);
const CENTURIES_MAX = 30;

/**
 * A period as clients write it: 17, "17th century", "XVIIe siècle", "early 1600s", "16th-18th century", "1650-1700", "after 1850", "5th
 * century BC", -5. Undefined if the text is not exactly one period.
 */
export function readPeriod(asked: string | number): YearRange | undefined {
  const text = fold(String(asked))
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/^(?:the|from the|in the|het|le|la|der|das) /, '')
    .replace(/\b[a-z]+th\b|\bfirst\b|\bsecond\b|\bthird\b/g, (word) => {
      const at = ORDINALS.indexOf(word);
      return at < 0 ? word : `${at + 1}th`;
    });
  const [, negative] = /^-(\d{1,2})$/.exec(text) ?? [];
  if (negative) return beforeOurEra(Number(negative));
  const era = ERA_AT_END.exec(text);
  const own = era ? text.slice(0, era.index) : text;
  const [, first, last] = SPAN.exec(own) ?? [];
  if (first && last) return era ? undefined : joined(century(Number(first)), century(Number(last)));
  const roman = ROMAN.exec(own)?.[1];
  const number = ONE.exec(own)?.[1] ?? NUMBERS.find(([name]) => name === roman)?.[1];
  if (number !== undefined) return era ? beforeOurEra(Number(number)) : century(Number(number));
  if (era) return yearsBefore(own);
  return /^\d{1,2}00$/.test(own) ? takeWhole(`${own}s`) : takeWhole(own);
}

function takeWhole(text: string): YearRange | undefined {
  const { rest, years } = takeYears(text);
  return rest.trim() === '' ? years : undefined;
}

function century(number: number): YearRange | undefined {
  return number >= 1 && number <= CENTURIES_MAX
    ? { from: (number - 1) * 100 + 1, to: number * 100 }
    : undefined;
}

function beforeOurEra(number: number): YearRange | undefined {
  return number >= 1 && number <= 200 ? centuryBefore(number) : undefined;
}

/** "500", "before 500", "500-300" in years BC. */
function yearsBefore(text: string): YearRange | undefined {
  const [, early, late] = /^(\d{1,5})\s?(?:-|–|to)\s?(\d{1,5})$/.exec(text) ?? [];
  if (early && late) return { from: -Math.max(+early, +late), to: -Math.min(+early, +late) };
  const [, which, year] = /^(before|after|circa)?\s?(\d{1,5})$/.exec(text) ?? [];
  if (!year) return undefined;
  if (which === 'before') return { to: -Number(year) - 1 };
  return which === 'after' ? { from: -Number(year) + 1, to: -1 } : { from: -Number(year), to: -Number(year) };
}

const joined = (one: YearRange | undefined, other: YearRange | undefined): YearRange | undefined =>
  one && other ? { from: Math.min(one.from!, other.from!), to: Math.max(one.to!, other.to!) } : undefined;

/** Filters as sent; empty, 0 and absent values do not filter. */
export interface FilterRequest {
  readonly licence?: '' | 'cc0' | 'public_domain' | undefined;
  readonly hasImage?: boolean | undefined;
  readonly longSideMin?: number | undefined;
  readonly medium?: string | undefined;
  readonly century?: string | number | undefined;
  readonly yearFrom?: number | undefined;
  readonly yearTo?: number | undefined;
  /** Height and width of the work in centimetres: a range, a limit or a size. */
  readonly height?: string | undefined;
  readonly width?: string | undefined;
  /** "latitude,longitude,km" or "south,west,north,east". */
  readonly area?: string | undefined;
}

/**
 * Parses filters; undefined without any.
 * @throws AtelierError invalid_input naming the invalid field
 */
export function readFilters(asked: FilterRequest): Filters | undefined {
  const {
    licence = '',
    hasImage = false,
    longSideMin = 0,
    medium = '',
    century = '',
    yearFrom,
    yearTo,
    height = '',
    width = '',
    area = '',
  } = asked;
  const isAsked =
    [licence, hasImage, longSideMin, medium, century, height, width, area].some(Boolean) || century === 0;
  if (!isAsked && yearFrom === undefined && yearTo === undefined) return undefined;
  if (yearFrom !== undefined && yearTo !== undefined && yearFrom > yearTo)
    throw invalidField(
      'year_to',
      `year_to must not be before year_from: send year_from ${yearTo} and year_to ${yearFrom}.`,
    );
  return {
    // CC0 dedicates to the public domain, so public_domain includes both.
    isCc0: licence === 'cc0',
    hasImage,
    longSideMin,
    ...mediumOf(medium),
    ...(height !== '' && { height: readSize('height_cm', height) }),
    ...(width !== '' && { width: readSize('width_cm', width) }),
    ...(area !== '' && { area: readArea(area) }),
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
    'century must be a single period: 17, "17th century", "1880s", "1650-1700", "after 1850", "5th century BC", or -5 for that.',
  );
}
