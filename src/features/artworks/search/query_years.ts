import { MUSEUM_NAMES, MUSEUMS } from '../museums/museums.ts';
import { fold } from './fold.ts';

/** First and last year; undefined is an open end. */
export interface YearRange {
  readonly from?: number;
  readonly to?: number;
}

const YEAR = '(\\d{3,4})';
const THIRDS: Record<string, readonly [number, number]> = {
  early: [1, 33],
  mid: [34, 66],
  late: [67, 100],
  beginning: [1, 33],
  start: [1, 33],
  middle: [34, 66],
  end: [67, 100],
  first: [1, 50],
  second: [51, 100],
};
/** "late", "the end of the", "the first half of the" before a century or its years. */
const THIRD =
  '(?:\\b(early|mid|late)[\\s-]|\\b(?:the )?(beginning|start|middle|end|first(?= half)|second(?= half))(?: half)? of (?:the )?)';

type Reader = (match: RegExpExecArray) => YearRange;

/** "BC", "B.C.E.", "v. Chr.", "av. J.-C." in a folded text. */
export const BEFORE_OUR_ERA =
  '(?:\\bb\\.? ?c\\.?(?: ?e\\.?)?|\\bv\\.? ?chr\\.?|\\bavant j\\.?-?c\\.?|\\bav\\.? ?j\\.?-?c\\.?)';
/** "AD", "A.D.", "CE", "C.E." in a folded text. */
const OUR_ERA = '(?:\\ba\\.? ?d\\.?|\\bc\\.? ?e\\.?)';
export const ORDINALS =
  `first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth
  seventeenth eighteenth nineteenth twentieth`.split(/\s+/);
const ROMAN_NUMERALS = 'i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx'.split(' ');
const CENTURY = '(?:century|centuries|cent|siecle|eeuw|jahrhundert|jh)';
/** "16th and 17th", followed by a century. */
const JOINED = '(?:and|to|or|-|–)';

/** Rewrites centuries in words or Roman numerals as "17th century". */
const withNumbers = (text: string): string =>
  text
    .replace(/\b(?:siglo|secolo)\s([ivx]+|\d{1,2})\b/g, (_, number: string) => `${number} century`)
    .replace(
      new RegExp(
        `\\b([a-z]+?)(?:e|eme)?[\\s-](?=(?:${JOINED} [a-z]+[\\s-])?(?:${CENTURY}|millennium)\\b)`,
        'g',
      ),
      (whole, word: string) => {
        const full = whole.slice(0, -1);
        const at = Math.max(
          ORDINALS.indexOf(full),
          ROMAN_NUMERALS.indexOf(full),
          ROMAN_NUMERALS.indexOf(word),
        );
        return at < 0 ? whole : `${at + 1}th `;
      },
    );

/** "seventeen hundreds", and "seicento", the Italian and art-historical name of the same hundred years. */
const HUNDREDS = 'twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ');
const ITALIAN_HUNDREDS =
  'duecento trecento quattrocento cinquecento seicento settecento ottocento novecento'.split(' ');
const DECADES = 'twenties thirties forties fifties sixties seventies eighties nineties'.split(' ');

const ORDINAL = '(\\d{1,2})(?:st|nd|rd|th|e|de|\\.)?';
const UP_TO = '\\s?(?:-|–|to|and|until)\\s?(?:the )?';
/** Around a year before our era, this many years either way: works are dated more loosely than later ones. */
const ABOUT_YEARS = 25;

/** Dates before our era; years are negative. */
const FORMS_BEFORE_OUR_ERA: readonly (readonly [RegExp, Reader])[] = [
  [
    new RegExp(
      `\\b${ORDINAL}(?:[\\s-]${CENTURY})?(?:\\s?${BEFORE_OUR_ERA})?${UP_TO}${ORDINAL}[\\s-]${CENTURY}\\s?${BEFORE_OUR_ERA}(?!\\w)`,
    ),
    ([, one, other]) => yearsBetween(centuryBefore(Number(one)), centuryBefore(Number(other))),
  ],
  [
    new RegExp(
      `\\b${ORDINAL}(?:[\\s-]${CENTURY})?\\s?${BEFORE_OUR_ERA}${UP_TO}${ORDINAL}[\\s-]${CENTURY}(?:\\s?${OUR_ERA})?(?!\\w)`,
    ),
    ([, one, other]) => ({ from: -100 * Number(one), to: 100 * Number(other) }),
  ],
  [
    new RegExp(`\\b${ORDINAL}[\\s-]${CENTURY}\\s${BEFORE_OUR_ERA}(?!\\w)`),
    ([, number]) => centuryBefore(Number(number)),
  ],
  [
    new RegExp(`\\b${ORDINAL}[\\s-]millennium\\s${BEFORE_OUR_ERA}(?!\\w)`),
    ([, number]) => ({ from: -1000 * Number(number), to: -1000 * (Number(number) - 1) - 1 }),
  ],
  [
    new RegExp(
      `\\b(?:between |from )?(\\d{1,5})(?:\\s?${BEFORE_OUR_ERA})?${UP_TO}(\\d{1,5})\\s?${BEFORE_OUR_ERA}(?!\\w)`,
    ),
    ([, one, other]) => orderYears(-Number(one), -Number(other)),
  ],
  [
    new RegExp(
      `\\b(?:between |from )?(\\d{1,5})\\s?${BEFORE_OUR_ERA}${UP_TO}(?:${OUR_ERA}\\s?)?(\\d{1,4})(?:\\s?${OUR_ERA})?(?!\\w)`,
    ),
    ([, one, other]) => ({ from: -Number(one), to: Number(other) }),
  ],
  [
    new RegExp(`\\b(before|until|after|since)\\s(\\d{1,5})\\s?${BEFORE_OUR_ERA}(?!\\w)`),
    ([, side, year]) =>
      side === 'before' || side === 'until' ? { to: -Number(year) - 1 } : { from: -Number(year) + 1 },
  ],
  [
    new RegExp(`\\b(?:circa|ca|c|around|about)\\.?\\s?(\\d{1,5})\\s?${BEFORE_OUR_ERA}(?!\\w)`),
    ([, year]) => ({ from: -Number(year) - ABOUT_YEARS, to: -Number(year) + ABOUT_YEARS }),
  ],
  [
    new RegExp(`\\b(\\d{1,5})\\s?${BEFORE_OUR_ERA}(?!\\w)`),
    ([, year]) => ({ from: -Number(year), to: -Number(year) }),
  ],
];

/** Tried in this order; the first match is removed from the query. */
const FORMS: readonly (readonly [RegExp, Reader])[] = [
  ...FORMS_BEFORE_OUR_ERA,
  [
    new RegExp(`\\b(?:${OUR_ERA}\\s?(\\d{1,4})|(\\d{1,4})\\s?${OUR_ERA})(?!\\w)`),
    ([, before, after]) => ({ from: Number(before ?? after), to: Number(before ?? after) }),
  ],
  [
    new RegExp(`\\b(?:between|from)\\s+${YEAR}\\s+(?:and|to|until)\\s+${YEAR}\\b`),
    ([, from, to]) => orderYears(Number(from), Number(to)),
  ],
  [
    new RegExp(`\\b${YEAR}\\s?(?:-|–|to)\\s?${YEAR}\\b`),
    ([, from, to]) => orderYears(Number(from), Number(to)),
  ],
  [
    new RegExp(`\\b(?:before|until|by|pre|avant|voor)[\\s-]${YEAR}\\b`),
    ([, year]) => ({ to: Number(year) - 1 }),
  ],
  [
    new RegExp(`\\b(?:after|since|post|apres|na)[\\s-]${YEAR}\\b`),
    ([whole, year]) => ({ from: Number(year) + (whole.startsWith('since') ? 0 : 1) }),
  ],
  [
    /\bturn of the (?:(\d{1,2})(?:st|nd|rd|th)? )?century\b/,
    ([, century = '20']) => ({
      from: 100 * (Number(century) - 1) - 10,
      to: 100 * (Number(century) - 1) + 10,
    }),
  ],
  [
    new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)? ?${JOINED} ?(\\d{1,2})(?:st|nd|rd|th)?[\\s-]${CENTURY}\\b`),
    ([, from, to]) => ({ from: 100 * (Number(from) - 1) + 1, to: 100 * Number(to) }),
  ],
  [
    new RegExp(`${THIRD}?\\b(\\d{1,2})(?:st|nd|rd|th|e|de|\\.)?[\\s-]${CENTURY}\\b`),
    ([, third, part, century]) => centuryRange(Number(century), third ?? part ?? ''),
  ],
  [
    new RegExp(`${THIRD}?\\b(\\d{3,4})'?s\\b`),
    ([, third, part, year]) => yearsOf(Number(year), third ?? part ?? ''),
  ],
  [
    new RegExp(`\\b(?:(${HUNDREDS.join('|')}) hundreds|(${ITALIAN_HUNDREDS.join('|')}))\\b`),
    ([, english = '', italian = '']) =>
      yearsOf(1200 + 100 * Math.max(HUNDREDS.indexOf(english), ITALIAN_HUNDREDS.indexOf(italian)), ''),
  ],
  [
    new RegExp(`\\b(?:(eighteen|nineteen)[\\s-]|(?:in|of|from) the |roaring )(${DECADES.join('|')})\\b`),
    ([, century, decade]) =>
      yearsOf((century === 'eighteen' ? 1820 : 1920) + 10 * DECADES.indexOf(decade!), ''),
  ],
  [
    /\b(?:circa|ca|c|around|about)\.?\s?(\d{4})\b/,
    ([, year]) => ({ from: Number(year) - 5, to: Number(year) + 5 }),
  ],
  [/\b(1[0-9]\d{2}|20[0-2]\d)\b/, ([, year]) => ({ from: Number(year), to: Number(year) })],
];

/** Extracts one date from a folded query: "cats 1880s" → cats, 1880 to 1889. */
export function takeYears(query: string): { rest: string; years?: YearRange; said?: string } {
  const text = withNumbers(query);
  for (const [form, read] of FORMS) {
    const match = form.exec(text);
    if (!match) continue;
    const rest = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`;
    return { rest, years: read(match), said: match[0] };
  }
  return { rest: query };
}

const orderYears = (a: number, b: number): YearRange => ({ from: Math.min(a, b), to: Math.max(a, b) });

/** Both ranges and what is between them. */
const yearsBetween = (a: Required<YearRange>, b: Required<YearRange>): YearRange => ({
  from: Math.min(a.from, b.from),
  to: Math.max(a.to, b.to),
});

/**
 * Rewrites years with a minus as years before our era: a range anywhere ("-500 to -300"), one year only where
 * it is the whole query, because a minus before a word excludes it.
 */
export const withNegativeYears = (query: string): string =>
  query
    .replace(/^\s*-(\d{1,4})\s*$/, '$1 bc')
    .replace(/(^|\s)-(\d{1,4})\s*(?:to|until|\.\.|–)\s*-(\d{1,4})(?!\S)/g, '$1$2 to $3 bc')
    .replace(/(^|\s)-(\d{1,4})\s*(?:to|until|\.\.|–)\s*(\d{1,4})(?!\S)/g, '$1$2 bc to $3');

/** Years BC are negative: the 5th century BC is -500 to -401. */
export const centuryBefore = (century: number): Required<YearRange> => ({
  from: -100 * century,
  to: -100 * (century - 1) - 1,
});

/** "1880s" are ten years and "1800s" a hundred; "early" and "late" select a part. */
function yearsOf(year: number, third: string): YearRange {
  if (year % 100 !== 0) return { from: year, to: year + 9 };
  const { from, to } = centuryRange(year / 100 + 1, third);
  return { from: from - 1, to: to - 1 };
}

function centuryRange(century: number, third: string): { from: number; to: number } {
  const [from, to] = THIRDS[third] ?? [1, 100];
  return { from: (century - 1) * 100 + from, to: (century - 1) * 100 + to };
}

/** Words before a number: after one of these, even a year is a number of a work. */
const LABELS = new Set(
  'accession acc inventory inv inv.nr invnr object objectnummer catalogue number nummer inventarisnummer inventarnummer numero no nr id credit_id artifact_id'.split(
    ' ',
  ),
);
/** Words that are not part of a number either. */
const BESIDE = new Set([
  ...'the of in from at museum artwork work'.split(' '),
  ...MUSEUM_NAMES.flatMap((name) => [name, ...fold(MUSEUMS[name].name).split(/\s+/)]),
]);
/** "JP 2822" is a number of two words; "cats 1880" is not. */
const LETTERS_MAX = 4;
/** Collection code before a number: "RP-P-OB", "sk a". Longer codes in lower case are words. */
const CODE = /^(?:\p{Lu}{1,4}|\p{L}{1,3})(?:[-.](?:\p{Lu}{1,4}|\p{L}{1,3}))*$/u;
/** Collection code in capitals within a sentence, followed by a space: "RP P OB 1473". */
const CODED = /\b[A-Z]{1,4}(?:[-.\s]+[A-Z]{1,4})*\s+\d+(?:[-.\s]\d+)*\b/g;
/** Address of a work on its museum's site: its last part with a digit is a number of the work. */
const ADDRESS = /https?:\/\/\S*\/([^\s/?#]*\d[^\s/?#]*)\S*/g;
/** Dashes used in place of a hyphen. */
const DASHES = /[\u2010-\u2015\u2212]/g;
/** Further numbers are ignored. */
const NUMBERS_MAX = 3;
const CENTURY_OR_ORDINAL = /^\d+(?:st|nd|rd|th|e|de|er|eme|s|'s)$/;

/** Numbers of works in a query, as typed. */
interface QueryNumbers {
  /** The query without words such as "accession number"; undefined if it is a date or has no digit. */
  readonly whole?: string;
  /**
   * Possible numbers with spaces, which may also be words and a date: "1937 1 13". Only exact matches count.
   */
  readonly possible?: readonly string[];
  /** Single words that can only be numbers: RP-P-1909-118, 17.190.1, JP2822. */
  readonly words: readonly string[];
}

export function numbersIn(query: string): QueryNumbers {
  const text = query.replace(DASHES, '-').replace(ADDRESS, '$1');
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

/** Whether a word is the number of a work, not a word or a date. */
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
