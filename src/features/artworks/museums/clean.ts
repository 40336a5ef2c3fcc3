import { ICONCLASS_NOTATION } from '../records/record.ts';

/**
 * Converts cells of museum files to the values of a record. Never throws: a value that cannot be parsed
 * becomes empty.
 */

/** Most cells: ASCII words separated by single spaces, without < and &, which may begin markup. */
const IS_CLEAN = /^(?:[!-%'-;=-~]+(?: [!-%'-;=-~]+)*)?$/;
/** Formatting tags within titles, such as italics. Other tags, as in the title "<Untitled>", are text. */
const INLINE_TAGS = /<\/?(?:i|em|b|strong|u|s|small|sub|sup|span|font|cite|q|a)(?:\s[^<>]{0,300})?>/gi;
const BREAKING_TAGS = /<\/?(?:br|p|div|li|ul|ol|h\d)(?:\s[^<>]{0,300})?\/?>/gi;

/** One line of at most `max` characters, NFC-normalised, without control characters and markup. */
export function text(value: unknown, max = 1000): string {
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  if (typeof value === 'string' && value.length <= max && IS_CLEAN.test(value)) return value;
  const line = String(value)
    .slice(0, 4 * max + 1000)
    // First, because the Met escapes the tags in some titles: "Armor (&lt;i&gt;Gusoku&lt;/i&gt;)".
    .replace(/&(\w{2,6});/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replace(INLINE_TAGS, '')
    .replace(BREAKING_TAGS, ' ')
    .replace(/[\u0000-\u0020\u007f-\u00a0\u2028\u2029]+/g, ' ')
    .normalize('NFC')
    .trim();
  return line.length <= max ? line : `${line.slice(0, max - 1).trimEnd()}…`;
}

const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  rsquo: '’',
  lsquo: '‘',
  ldquo: '“',
  rdquo: '”',
  ndash: '–',
  mdash: '—',
};

/** Like `text`, for HTML cells: removes all tags. */
export function plain(value: unknown, max = 1000): string {
  if (typeof value !== 'string') return text(value, max);
  const bare = value.slice(0, 8 * max + 1000).replace(/<[^<>]{0,500}>/g, ' ');
  return text(bare, max).replace(/ ([,.;:)])/g, '$1');
}

/** Distinct non-empty texts, at most `count`. */
export function list(values: unknown, count: number, max: number): string[] {
  if (!Array.isArray(values)) return [];
  return [...new Set(values.map((value) => text(value, max)).filter((value) => value !== ''))].slice(
    0,
    count,
  );
}

/** Distinct non-empty texts, joined by the separator. */
export const joined = (values: unknown, count: number, max: number, separator = ', '): string =>
  list(values, count, max).join(separator);

/** "300 × 455": two or three dimensions. */
export const sides = (values: readonly unknown[]): string =>
  values
    .map((value) => text(value, 12))
    .filter((value) => value !== '')
    .slice(0, 3)
    .join(' × ');

/** Statements in English, German, Dutch, Danish and Finnish catalogues that the maker is unknown. */
const UNKNOWN_MAKER =
  /^(artist unknown|unknown|anonym|ano?niem|onbekend|unbekannt|ubekendt|ukendt|tuntematon)/i;

/** Makers with a name, without those that state an unknown maker; at most as many as a record can have. */
export const namedMakers = <Maker extends { readonly name: string }>(makers: readonly Maker[]): Maker[] =>
  makers.filter(({ name }) => name !== '' && !UNKNOWN_MAKER.test(name)).slice(0, 20);

/** Splits cells such as "Lions|Christ|Hawks". */
export const split = (value: unknown, separator = '|'): string[] =>
  typeof value === 'string' && value !== '' ? value.split(separator).map((part) => part.trim()) : [];

/** An integer in the range of years, else null. */
export function year(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= -20_000 && number <= 2100
    ? number
    : null;
}

/** Year of birth or death. Museums write 0 or 9999 for unknown years and living artists. */
export const lifeYear = (value: unknown): number | null => year(value) || null;

/**
 * The number of a work as used in its id, with underscores for spaces; "" if it contains characters that ids
 * cannot have.
 */
export function idNumber(value: unknown): string {
  const number = text(value, 100).replaceAll(' ', '_');
  return /^[0-9A-Za-z][\w.:()-]{0,99}$/.test(number) ? number : '';
}

/** First and last year: both or neither. */
export function yearSpan(first: unknown, last: unknown): { year_from?: number; year_to?: number } {
  const [from, to] = [year(first), year(last)];
  return from !== null && to !== null && from <= to ? { year_from: from, year_to: to } : {};
}

/** A size in px. */
export function pixels(value: unknown): number | null {
  const number = Number(value);
  return Number.isInteger(number) && number > 0 && number < 1_000_000 ? number : null;
}

/** An image by its IIIF service, else by its own URL; null if neither uses TLS. */
export function pictureAt(iiif: unknown, file: unknown, width?: unknown, height?: unknown) {
  const service = address(iiif);
  const url = service || address(file);
  if (!url.startsWith('https:')) return null;
  const kind = service ? ('iiif' as const) : ('file' as const);
  return { kind, url, width: pixels(width), height: pixels(height) };
}

/** A normalised http or https URL, else "". */
export function address(value: unknown): string {
  if (typeof value !== 'string' || value.length > 2000) return '';
  const url = URL.parse(value.trim());
  return url && /^https?:$/.test(url.protocol) && !url.username ? url.href : '';
}

/**
 * "Rijn, Rembrandt van" → "Rembrandt van Rijn", "Thienen, Renier van (I)" → "Renier van Thienen (I)". Names
 * with more than one comma are left unchanged.
 */
export function personName(value: unknown): string {
  const name = text(value, 300);
  const match = /^([^,]+), ([^,]+?)( \([IVX]+\))?$/.exec(name);
  return match ? `${match[2]} ${match[1]}${match[3] ?? ''}` : name;
}

/** A name with life dates, as in library catalogues: "Gamelin, Jacques, 1739-1803." */
export function nameAndYears(value: unknown): { name: string; born: number | null; died: number | null } {
  const label = text(value, 400).replace(/\.$/, '');
  const match = /^(.+?), (?:approximately )?(\d{4})?-(?:approximately )?(\d{4})?$/.exec(label);
  return { name: personName(match?.[1] ?? label), born: lifeYear(match?.[2]), died: lifeYear(match?.[3]) };
}

/** URLs in Wikidata and the Union List of Artist Names, from URLs and ids; undefined without any. */
export function authorities(...values: readonly unknown[]): string[] | undefined {
  const found = values.flatMap((value) => {
    const written = typeof value === 'number' ? String(value) : value;
    if (typeof written !== 'string' || written.length > 200) return [];
    const [, item] = /(?:^|wikidata\.org\/(?:wiki|entity)\/)(Q[1-9]\d{0,11})$/.exec(written.trim()) ?? [];
    const [, person] = /(?:^|vocab\.getty\.edu\/(?:page\/)?ulan\/)(500\d{6})$/.exec(written.trim()) ?? [];
    if (item) return [`https://www.wikidata.org/wiki/${item}`];
    return person ? [`https://vocab.getty.edu/ulan/${person}`] : [];
  });
  return found.length > 0 ? [...new Set(found)].slice(0, 2) : undefined;
}

/**
 * Iconclass notations, from notations and URLs: "46 C 23", "http://www.iconclass.org/rkd/25F36%28SWAN%29/";
 * undefined without any.
 */
export function iconclass(values: readonly unknown[]): string[] | undefined {
  const found = values.flatMap((value) => {
    if (typeof value !== 'string' || value.length > 200) return [];
    const written = /iconclass\.org\/(?:rkd\/)?([^/?#]+)/.exec(value)?.[1] ?? value;
    const plain = written.includes('%') ? unescaped(written) : written;
    // Spaces between characters are formatting; those within names belong to the notation.
    const notation = plain.replace(/\s+(?![^(]*\))/g, '').toUpperCase();
    return ICONCLASS_NOTATION.test(notation) && notation.length > 1 ? [notation] : [];
  });
  return found.length > 0 ? [...new Set(found)].slice(0, 30) : undefined;
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** The non-empty fields: optional fields of a record are omitted if empty. */
export const given = <Fields extends object>(fields: Fields): Partial<Fields> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''),
  ) as Partial<Fields>;

/** Long text with one entry per line, joined to one line. */
export const entries = (value: unknown, max = 4000): string =>
  plain(typeof value === 'string' ? value.slice(0, 8 * max).replace(/\s*\r?\n\s*/g, ' • ') : value, max);

/** The value if it is a plain object, else an empty one. */
export const object = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

export const array = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The objects of a list; empty for any other value. */
export const objects = (value: unknown): Record<string, unknown>[] => array(value).map(object);
