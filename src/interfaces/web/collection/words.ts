import { MUSEUMS } from '../../../features/artworks/museums/museums.ts';
import type { FilterField } from './asked.ts';

/** "1 work", "1,204 works" */
export const countOf = (works: number): string => `${numberOf(works)} ${works === 1 ? 'work' : 'works'}`;

export const numberOf = (count: number): string => count.toLocaleString('en');

/** A filter as a person says it. */
export function filterLabel(field: FilterField, value: string): string {
  switch (field) {
    case 'museum':
      return museumLabel(value);
    case 'century':
      return centuryLabel(value);
    case 'licence':
      return LICENCES[value as keyof typeof LICENCES] ?? value;
    case 'has_image':
      return 'with an image';
    case 'year_from':
      return `from ${value}`;
    case 'year_to':
      return `to ${value}`;
    case 'min_px':
      return `at least ${value} pixels`;
    case 'like':
      return value.startsWith('upload:') ? 'similar to your image' : `similar to ${value}`;
    default:
      return value;
  }
}

export const LICENCES = { cc0: 'CC0', public_domain: 'public domain' } as const;

export const museumLabel = (name: string): string => MUSEUMS[name as keyof typeof MUSEUMS]?.name ?? name;

/** 17 → "17th century", -5 → "5th century BC"; any other text is itself. */
export function centuryLabel(century: string): string {
  const number = Number(century);
  if (!Number.isInteger(number) || number === 0 || century === '') return century;
  return `${ordinal(Math.abs(number))} century${number < 0 ? ' BC' : ''}`;
}

const ENDINGS: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd', other: 'th' };
const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });
const ordinal = (number: number): string => `${number}${ENDINGS[ordinals.select(number)]}`;
