import type { SimilarityCriterion } from '../../../features/artworks/limits.ts';
import { MUSEUMS } from '../../../features/artworks/museums/museums.ts';
import { nameOfPoint } from '../../../features/artworks/places/places_in_words.ts';
import type { FilterField } from './search_query.ts';

/** "1 work", "1,204 works" */
export const countOf = (works: number): string => `${numberOf(works)} ${works === 1 ? 'work' : 'works'}`;

export const numberOf = (count: number): string => count.toLocaleString('en');

/** Display text of a filter. */
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
    case 'height_cm':
      return `height ${value} cm`;
    case 'width_cm':
      return `width ${value} cm`;
    case 'area':
      return areaLabel(value);
    case 'like':
      return value.startsWith('upload:') ? 'similar to your image' : `similar to ${value}`;
    default:
      return value;
  }
}

/** A place of the gazetteer by its usual name, any other by its coordinates. */
export const placeName = ({
  latitude,
  longitude,
}: {
  readonly latitude: number;
  readonly longitude: number;
}): string => nameOfPoint(latitude, longitude) ?? `${latitude}, ${longitude}`;

/** "48.85,2.35,10" → "at Paris"; any other area as it is. */
export function areaLabel(area: string): string {
  const [latitude, longitude, km, east] = area.split(',').map(Number);
  if (km === undefined || east !== undefined) return `area ${area}`;
  const name = placeName({ latitude: latitude!, longitude: longitude! });
  return km <= 10 ? `at ${name}` : `within ${km} km of ${name}`;
}

/** Labels of similarity aspects. */
export const SIMILARITY_LABELS = {
  composition: 'Composition',
  color: 'Colours',
  subject: 'Subject',
} as const satisfies Record<SimilarityCriterion, string>;

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
