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

/** A size in pixels. */
export function pixels(value: unknown): number | null {
  const number = Number(value);
  return Number.isInteger(number) && number > 0 && number < 1_000_000 ? number : null;
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

/** A plain object, whatever came. */
export const object = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

export const array = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
