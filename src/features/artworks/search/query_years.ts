/** First and last year asked for; undefined leaves the side open. */
export interface YearRange {
  readonly from?: number;
  readonly to?: number;
}

const YEAR = '(\\d{3,4})';
const THIRDS: Record<string, readonly [number, number]> = {
  early: [1, 33],
  mid: [34, 66],
  late: [67, 100],
};

type Reader = (match: RegExpExecArray) => YearRange;

/** Tried in this order; the first that fits is taken out of the query. */
const FORMS: readonly (readonly [RegExp, Reader])[] = [
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
    /\b(?:(early|mid|late)[\s-])?(\d{1,2})(?:st|nd|rd|th|e|de)?[\s-](?:century|eeuw|siecle)\b/,
    ([, third = '', century]) => centuryRange(Number(century), third),
  ],
  [
    /\b(\d{3,4})'?s\b/,
    ([, year]) => ({ from: Number(year), to: Number(year) + decadeOrCentury(Number(year)) }),
  ],
  [/\b(?:circa|ca|c)\.?\s?(\d{4})\b/, ([, year]) => ({ from: Number(year) - 5, to: Number(year) + 5 })],
  [/\b(1[0-9]\d{2}|20[0-2]\d)\b/, ([, year]) => ({ from: Number(year), to: Number(year) })],
];

/** Takes one date out of a folded query: "cats 1880s" → cats, 1880 to 1889. */
export function takeYears(query: string): { rest: string; years?: YearRange; said?: string } {
  for (const [form, read] of FORMS) {
    const match = form.exec(query);
    if (!match) continue;
    const rest = `${query.slice(0, match.index)} ${query.slice(match.index + match[0].length)}`;
    return { rest, years: read(match), said: match[0] };
  }
  return { rest: query };
}

const orderYears = (a: number, b: number): YearRange => ({ from: Math.min(a, b), to: Math.max(a, b) });

const decadeOrCentury = (year: number): number => (year % 100 === 0 ? 99 : 9);

function centuryRange(century: number, third: string): YearRange {
  const [from, to] = THIRDS[third] ?? [1, 100];
  return { from: (century - 1) * 100 + from, to: (century - 1) * 100 + to };
}
