import { MUSEUM_NAMES, MUSEUMS } from '../museums/museums.ts';
import { fold } from './fold.ts';
import { takeYears } from './query_years.ts';

/** What people write before a number: after one of these even a year is one. */
const LABELS = new Set(
  'accession acc inventory inv inv.nr invnr object objectnummer catalogue number nummer inventarisnummer inventarnummer numero no nr id credit_id artifact_id'.split(
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
/** Codes of a collection before a number: "RP-P-OB", "sk a". Longer ones in small letters are words. */
const CODE = /^(?:\p{Lu}{1,4}|\p{L}{1,3})(?:[-.](?:\p{Lu}{1,4}|\p{L}{1,3}))*$/u;
/** Such a code in capitals within a sentence, with a space before what follows it: "RP P OB 1473". */
const CODED = /\b[A-Z]{1,4}(?:[-.\s]+[A-Z]{1,4})*\s+\d+(?:[-.\s]\d+)*\b/g;
/** Dashes that texts have in the place of a hyphen. */
const DASHES = /[\u2010-\u2015\u2212]/g;
/** Later ones are not looked up. */
const NUMBERS_MAX = 3;
const CENTURY_OR_ORDINAL = /^\d+(?:st|nd|rd|th|e|de|er|eme|s|'s)$/;

/** Numbers of works in a query, as they were typed. */
export interface QueryNumbers {
  /** All of the query but words such as "accession number"; undefined where it is a date, or has no digit. */
  readonly whole?: string;
  /** What may be a number with spaces in it or words and a date, "1937 1 13": only a work numbered exactly so is meant. */
  readonly possible?: readonly string[];
  /** Single words that can be nothing but a number: RP-P-1909-118, 17.190.1, JP2822. */
  readonly words: readonly string[];
}

export function numbersIn(query: string): QueryNumbers {
  const text = query.replace(DASHES, '-');
  const typed = text.split(/\s+/).map(trimmed).filter(Boolean);
  const plain = typed.map((word) => fold(word).replace(/[.:]+$/, ''));
  const telling = typed.filter((_, at) => !LABELS.has(plain[at]!) && !BESIDE.has(plain[at]!));
  const whole = telling.join(' ').replace(/^artwork:/, '');
  const isNumber =
    telling.some((word) => /\d/.test(word)) &&
    telling.every((word) => /\d/.test(word) || word.length <= LETTERS_MAX) &&
    (plain.some((word) => LABELS.has(word)) || !telling.some(isDate));
  const isCoded =
    telling.length > 1 &&
    telling.some((word) => /\d/.test(word)) &&
    telling.every((word) => /\d/.test(word) || CODE.test(word));
  const possible = [...(isCoded ? [whole] : []), ...(text.match(CODED) ?? [])].slice(0, NUMBERS_MAX);
  return {
    ...(isNumber && { whole }),
    ...(!isNumber && possible.length > 0 && { possible: [...new Set(possible)] }),
    words: telling.filter(isNumberAlone).slice(0, NUMBERS_MAX),
  };
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

const trimmed = (word: string) => word.replace(/^[("'[,;#№]+|[)"'\],;?!]+$/g, '').replace(/\.$/, '');
