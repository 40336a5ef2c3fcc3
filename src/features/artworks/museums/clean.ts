import { ICONCLASS_NOTATION } from '../records/record.ts';

/** Turns what museums write in a cell into what a record holds. Nothing here throws: what is not understood is empty. */

/** Most cells: words of ASCII with one space between them, without < and &, which may begin markup. */
const IS_CLEAN = /^(?:[!-%'-;=-~]+(?: [!-%'-;=-~]+)*)?$/;
/** Museums set names of works in italics within titles; other tags, such as a title "<Untitled>", are text. */
const INLINE_TAGS = /<\/?(?:i|em|b|strong|u|s|small|sub|sup|span|font|cite|q|a)(?:\s[^<>]{0,300})?>/gi;
const BREAKING_TAGS = /<\/?(?:br|p|div|li|ul|ol|h\d)(?:\s[^<>]{0,300})?\/?>/gi;

/** One line of at most `max` characters, normalised (NFC), without control characters and markup. */
export function text(value: unknown, max = 1000): string {
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  if (typeof value === 'string' && value.length <= max && IS_CLEAN.test(value)) return value;
  const line = String(value)
    .slice(0, 4 * max + 1000)
    // First, for the Met escapes the tags of some titles: "Armor (&lt;i&gt;Gusoku&lt;/i&gt;)".
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

/** The same for cells that hold HTML: all tags are left out. */
export function plain(value: unknown, max = 1000): string {
  if (typeof value !== 'string') return text(value, max);
  const bare = value.slice(0, 8 * max + 1000).replace(/<[^<>]{0,500}>/g, ' ');
  return text(bare, max).replace(/ ([,.;:)])/g, '$1');
}

/** Different texts that say something, at most `count`. */
export function list(values: unknown, count: number, max: number): string[] {
  if (!Array.isArray(values)) return [];
  return [...new Set(values.map((value) => text(value, max)).filter((value) => value !== ''))].slice(
    0,
    count,
  );
}

/** The same, one after the other. */
export const joined = (values: unknown, count: number, max: number, separator = ', '): string =>
  list(values, count, max).join(separator);

/** "300 × 455": up to three sides. */
export const sides = (values: readonly unknown[]): string =>
  values
    .map((value) => text(value, 12))
    .filter((value) => value !== '')
    .slice(0, 3)
    .join(' × ');

/** As catalogues in English, German, Dutch, Danish and Finnish write that the maker is not known. */
const UNKNOWN_MAKER =
  /^(artist unknown|unknown|anonym|ano?niem|onbekend|unbekannt|ubekendt|ukendt|tuntematon)/i;

/** Those with a name that says who it was, at most as many as a record holds. */
export const namedMakers = <Maker extends { readonly name: string }>(makers: readonly Maker[]): Maker[] =>
  makers.filter(({ name }) => name !== '' && !UNKNOWN_MAKER.test(name)).slice(0, 20);

/** Cells such as "Lions|Christ|Hawks". */
export const split = (value: unknown, separator = '|'): string[] =>
  typeof value === 'string' && value !== '' ? value.split(separator).map((part) => part.trim()) : [];

/** A whole number between the bounds of a year, else null. */
export function year(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= -20_000 && number <= 2100
    ? number
    : null;
}

/** Year of birth or death. Museums write 0 or 9999 for unknown and for living artists. */
export const lifeYear = (value: unknown): number | null => year(value) || null;

/** The number of a work as its id has it, with underscores for spaces; "" where it has characters that no id has. */
export function idNumber(value: unknown): string {
  const number = text(value, 100).replaceAll(' ', '_');
  return /^[0-9A-Za-z][\w.:()-]{0,99}$/.test(number) ? number : '';
}

/** First and last year, both or none. */
export function yearSpan(first: unknown, last: unknown): { year_from?: number; year_to?: number } {
  const [from, to] = [year(first), year(last)];
  return from !== null && to !== null && from <= to ? { year_from: from, year_to: to } : {};
}

/** A size in pixels. */
export function pixels(value: unknown): number | null {
  const number = Number(value);
  return Number.isInteger(number) && number > 0 && number < 1_000_000 ? number : null;
}

/** A picture by its IIIF service, else by its own address; null where neither has TLS. */
export function pictureAt(iiif: unknown, file: unknown, width?: unknown, height?: unknown) {
  const service = address(iiif);
  const url = service || address(file);
  if (!url.startsWith('https:')) return null;
  const kind = service ? ('iiif' as const) : ('file' as const);
  return { kind, url, width: pixels(width), height: pixels(height) };
}

/** An http or https address as it is normally written, else "". */
export function address(value: unknown): string {
  if (typeof value !== 'string' || value.length > 2000) return '';
  const url = URL.parse(value.trim());
  return url && /^https?:$/.test(url.protocol) && !url.username ? url.href : '';
}

/**
 * "Rijn, Rembrandt van" → "Rembrandt van Rijn", "Thienen, Renier van (I)" → "Renier van Thienen (I)". Names with more
 * than one comma are left as they are.
 */
export function personName(value: unknown): string {
  const name = text(value, 300);
  const match = /^([^,]+), ([^,]+?)( \([IVX]+\))?$/.exec(name);
  return match ? `${match[2]} ${match[1]}${match[3] ?? ''}` : name;
}

/** A name with the years of a life, as catalogues of libraries write it: "Gamelin, Jacques, 1739-1803." */
export function nameAndYears(value: unknown): { name: string; born: number | null; died: number | null } {
  const label = text(value, 400).replace(/\.$/, '');
  const match = /^(.+?), (?:approximately )?(\d{4})?-(?:approximately )?(\d{4})?$/.exec(label);
  return { name: personName(match?.[1] ?? label), born: lifeYear(match?.[2]), died: lifeYear(match?.[3]) };
}

/** Addresses in Wikidata and in the Union List of Artist Names, of addresses and numbers there; undefined where there are none. */
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

/** Notations of Iconclass, of notations and addresses: "46 C 23", "http://www.iconclass.org/rkd/25F36%28SWAN%29/"; undefined where there are none. */
export function iconclass(values: readonly unknown[]): string[] | undefined {
  const found = values.flatMap((value) => {
    if (typeof value !== 'string' || value.length > 200) return [];
    const written = /iconclass\.org\/(?:rkd\/)?([^/?#]+)/.exec(value)?.[1] ?? value;
    const plain = written.includes('%') ? unescaped(written) : written;
    // Spaces between the signs are a way to write them; those in names are part of the notation.
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

/** Fields that say something: a record has no others of those without a default. */
export const given = <Fields extends object>(fields: Fields): Partial<Fields> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''),
  ) as Partial<Fields>;

/** Long text of several entries on a line each, as one line. */
export const entries = (value: unknown, max = 4000): string =>
  plain(typeof value === 'string' ? value.slice(0, 8 * max).replace(/\s*\r?\n\s*/g, ' • ') : value, max);

/** A plain object, whatever came. */
export const object = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

export const array = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The objects of a list, whatever came. */
export const objects = (value: unknown): Record<string, unknown>[] => array(value).map(object);
