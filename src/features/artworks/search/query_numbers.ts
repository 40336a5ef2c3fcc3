import { MUSEUM_NAMES, MUSEUMS } from '../museums/museums.ts';
import { fold } from './fold.ts';
import { takeYears } from './query_years.ts';

/** What people write before a number: after one of these even a year is one. */
const LABELS = new Set(
  'accession inventory inv object objectnummer catalogue number nummer inventarisnummer inventarnummer numero no nr id credit_id artifact_id'.split(
    ' ',
  ),
);
/** What is no part of a number either. */
const BESIDE = new Set([
  ...'the of in from at museum artwork work'.split(' '),
  ...MUSEUM_NAMES.flatMap((name) => [name, ...fold(MUSEUMS[name].name).split(/\s+/)]),
]);
/** "JP 2822" is a number of two words; "cats 1880" is none. */
const LETTERS_MAX = 4;
/** Later ones are not looked up. */
const NUMBERS_MAX = 3;
const CENTURY_OR_ORDINAL = /^\d+(?:st|nd|rd|th|e|de|er|eme|s|'s)$/;

/** Numbers of works in a query, as they were typed. */
export interface QueryNumbers {
  /** All of the query but words such as "accession number"; undefined where it is a date, or has no digit. */
  readonly whole?: string;
  /** Single words that can be nothing but a number: RP-P-1909-118, 17.190.1, JP2822. */
  readonly words: readonly string[];
}

export function numbersIn(query: string): QueryNumbers {
  const typed = query.split(/\s+/).map(trimmed).filter(Boolean);
  const plain = typed.map((word) => fold(word).replace(/[.:]+$/, ''));
  const telling = typed.filter((_, at) => !LABELS.has(plain[at]!) && !BESIDE.has(plain[at]!));
  const whole = telling.join(' ').replace(/^artwork:/, '');
  const isNumber =
    telling.some((word) => /\d/.test(word)) &&
    telling.every((word) => /\d/.test(word) || word.length <= LETTERS_MAX) &&
    (plain.some((word) => LABELS.has(word)) || !telling.some(isDate));
  return { ...(isNumber && { whole }), words: telling.filter(isNumberAlone).slice(0, NUMBERS_MAX) };
}

/** Whether a word is the number of a work rather than a word or a date. */
export function isNumberAlone(word: string): boolean {
  if (!/\d/.test(word) || isDate(word)) return false;
  return /\d{5}|\d\p{L}|\p{L}\d|[\p{L}\d][-./_:][\p{L}\d]/u.test(word);
}

/** "1909", "1860-1850", "c.1650", "pre-1700", "1880s", "17th", "19th-century". */
function isDate(words: string): boolean {
  const folded = fold(words);
  return CENTURY_OR_ORDINAL.test(folded) || !/[\p{L}\p{N}]/u.test(takeYears(folded).rest);
}

const trimmed = (word: string) => word.replace(/^[("'[,;]+|[)"'\],;?!]+$/g, '').replace(/\.$/, '');
