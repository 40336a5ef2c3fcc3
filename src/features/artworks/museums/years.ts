interface Years {
  readonly year_from: number | null;
  readonly year_to: number | null;
}

const UNKNOWN: Years = { year_from: null, year_to: null };
const CENTURY = /\b(\d{1,2})\s?(?:st|nd|rd|th|e|de|ste|ème)\s+(?:century|eeuw|siècle)/gi;
const ROMAN_CENTURY = /\b([XVI]{1,5})e\s+siècle/g;
const BEFORE_CHRIST = /\b(?:B\.?C\.?(?:E\.?)?|v\.\s?(?:Chr|C)|av\.\s?J)/i;

/**
 * First and last year of a date as museums write it: "1649", "ca. 1670 - ca. 1700", "1889-05-01", "1880s",
 * "17th century", "17de eeuw", "XVIIe siècle", "1655–60". Empty if it names no year, or one BC.
 */
export function yearsIn(date: string): Years {
  if (BEFORE_CHRIST.test(date)) return UNKNOWN;
  const spans = [...centuries(date), ...years(date)];
  if (spans.length === 0) return UNKNOWN;
  return {
    year_from: Math.min(...spans.map(([from]) => from)),
    year_to: Math.max(...spans.map(([, to]) => to)),
  };
}

function years(date: string): [number, number][] {
  const spans: [number, number][] = [];
  for (const match of date.matchAll(/\b(\d{3,4})(s\b)?(?:\s?[–-]\s?(\d{2})\b(?!-))?/g)) {
    const from = Number(match[1]);
    if (from > 2100) continue;
    const isDay = /^-\d{2}-\d{2}/.test(date.slice(match.index + match[1]!.length));
    const last = match[3] !== undefined && !isDay ? Math.floor(from / 100) * 100 + Number(match[3]) : from;
    spans.push([from, match[2] ? from + 9 : Math.max(from, last)]);
  }
  return spans;
}

function centuries(date: string): [number, number][] {
  const numbers = [...date.matchAll(CENTURY)].map((match) => Number(match[1]));
  const romans = [...date.matchAll(ROMAN_CENTURY)].map((match) => roman(match[1]!));
  return [...numbers, ...romans]
    .filter((number) => number >= 1 && number <= 21)
    .map((number) => [(number - 1) * 100 + 1, number * 100]);
}

const VALUES: Record<string, number> = { I: 1, V: 5, X: 10 };

const roman = (letters: string): number =>
  [...letters].reduce((sum, letter, at) => {
    const value = VALUES[letter]!;
    return sum + (value < (VALUES[letters[at + 1] ?? ''] ?? 0) ? -value : value);
  }, 0);
