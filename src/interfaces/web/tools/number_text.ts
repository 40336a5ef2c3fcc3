import { bytesLabel } from '../bytes_label.ts';

/** Names of powers of ten for probabilities. */
const COUNTS = [
  [1e12, 'trillion'],
  [1e9, 'billion'],
  [1e6, 'million'],
] as const;

/**
 * A number of a response for people: "42 dB", "95%", "3 in 100 billion", "1.2 MB", "1,280".
 * @param name of the field, which determines the unit
 */
export function numberText(name: string, value: number): string {
  if (/probability|chance/.test(name)) return chanceText(value);
  if (/_db$/.test(name)) return `${rounded(value, 1)} dB`;
  if (/bytes$/.test(name)) return bytesLabel(value);
  if (/percent(age)?$|_pct$/.test(name)) return `${rounded(value, 1)}%`;
  if (/(^|_)(confidence|similarity|share)$/.test(name) && value >= 0 && value <= 1) return shareText(value);
  if (/(^|_)(dpi|ppi)$/.test(name)) return `${rounded(value, 0)} dpi`;
  if (/(^|_)ms$/.test(name)) return `${rounded(value, 0)} ms`;
  if (/year|port|code/.test(name)) return String(value);
  return rounded(value, Math.abs(value) >= 100 ? 0 : 3);
}

const rounded = (value: number, digits: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: digits });

/** "more than 99.9%" for values just below 1. */
function shareText(share: number): string {
  if (share > 0.999 && share < 1) return 'more than 99.9%';
  if (share > 0 && share < 0.001) return 'less than 0.1%';
  return `${rounded(100 * share, 1)}%`;
}

/** "1 in 20", "3 in 100 billion", "less than 1 in a trillion" */
function chanceText(chance: number): string {
  if (chance <= 0) return '0';
  if (chance >= 0.01) return `${rounded(100 * chance, 1)}%`;
  if (chance < 1e-12) return 'less than 1 in a trillion';
  const power = Math.ceil(-Math.log10(chance));
  const among = 10 ** power;
  const count = Math.round(chance * among);
  const [size, word] = COUNTS.find(([least]) => among >= least) ?? [1, ''];
  return `${count} in ${rounded(among / size, 0)}${word && ` ${word}`}`;
}
