import { highestPrice, type Price } from '../../features/definitions/price.ts';
import { creditsLabel } from './frame.ts';

const AGE_UNITS = [
  [86_400_000, 'days'],
  [3_600_000, 'h'],
  [60_000, 'min'],
] as const;

/** Elapsed time since a moment: "3 h", "12 days", "5 s". @param moment ISO 8601 */
export function ageLabel(moment: string, now = Date.now()): string {
  const ms = now - Date.parse(moment);
  const [size, unit] = AGE_UNITS.find(([least, name]) => ms >= (name === 'days' ? 2 * least : least)) ?? [
    1_000,
    's',
  ];
  return `${Math.max(0, Math.floor(ms / size))} ${unit}`;
}

const BYTE_UNITS = [
  [1e9, 'GB'],
  [1e6, 'MB'],
  [1e3, 'kB'],
] as const;

/** "892 kB", "1.2 MB", "40 bytes" */
export function bytesLabel(bytes: number): string {
  const [size, unit] = BYTE_UNITS.find(([least]) => bytes >= least) ?? [1, 'bytes'];
  const count = bytes / size;
  return `${count < 10 && size > 1e3 ? count.toFixed(1) : Math.round(count)} ${unit}`;
}

/** Display text of a time in UTC: "23 Nov 2026, 18:04". @param moment ISO 8601 */
export const momentLabel = (moment: string): string =>
  new Date(moment).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
  });

/** Price as in the price list: "free", "2 credits", "1 to 3 credits", "depends on its steps". */
export function priceLabel(price: Price): string {
  if (price.kind === 'free') return 'free';
  if (price.kind === 'steps') return 'depends on its steps';
  if (price.kind === 'flat') return creditsLabel(price.credits);
  const most = highestPrice(price);
  const least = Math.min(...Object.values(price.credits));
  if (most === 0) return 'free';
  return least === most ? creditsLabel(most) : `${least === 0 ? 'free' : least} to ${creditsLabel(most)}`;
}
