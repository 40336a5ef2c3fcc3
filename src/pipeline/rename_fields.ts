import { stemmer } from 'stemmer';
import { z } from 'zod';
import { isImageField } from '../tools/fields.ts';
import { pictureIn } from '../tools/picture_in.ts';
import { hasSameLetters, namesOf } from '../tools/spellings.ts';
import { objectIn } from './object_in.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Fields looked at that the schema does not know, and warnings of them. */
const STRANGERS_MAX = 10;
const SHOWN_CHARACTERS_MAX = 60;

/**
 * Fields under the names the schema knows: `outputFormat`, `target_width`, what a field is also called, members of an object that stand
 * outside of it, and fields that stand in an object of their own. How each was read is told in `warnings`.
 */
export function renamed(schema: z.ZodObject, raw: Fields, warnings: string[]): Fields {
  const opened = unpacked(schema, raw, warnings);
  const named = withNames(schema, opened, warnings);
  const packed = packedIn(schema, named, warnings);
  return withMissing(schema, withMembersNamed(schema, packed, warnings), warnings);
}

function withMembersNamed({ shape }: z.ZodObject, raw: Fields, warnings: string[]): Fields {
  let fields = raw;
  for (const [name, field] of Object.entries(shape)) {
    const inner = objectIn(field);
    const value = inner && Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!inner || !isFields(value)) continue;
    const named = withNames(inner, value, warnings, { within: `${name}.`, byCore: false });
    if (named !== value) fields = { ...fields, [name]: named };
  }
  return fields;
}

function withNames(
  schema: z.ZodObject,
  raw: Fields,
  warnings: string[],
  { within, byCore }: Naming = { within: '', byCore: true },
): Fields {
  let fields = raw;
  for (const stranger of strangersIn(schema, raw)) {
    const name = nameOf(schema, fields, stranger, byCore);
    if (!name || Object.hasOwn(fields, name) || raw[stranger] === null) continue;
    const { [stranger]: value, ...others } = fields;
    fields = { ...others, [name]: value };
    warnings.push(`${within}${shown(stranger)} was read as ${within}${name}.`);
  }
  return fields;
}

interface Naming {
  readonly within: string;
  /** A member of free metadata keeps its own name: what is left of it may be something else. */
  readonly byCore: boolean;
}

const strangersIn = ({ shape }: z.ZodObject, raw: Fields): string[] =>
  Object.keys(raw)
    .filter((name) => !Object.hasOwn(shape, name))
    .slice(0, STRANGERS_MAX);

/** The one field a stranger can only be: by its letters or other names, else by what is left of it without words that say nothing. */
function nameOf({ shape }: z.ZodObject, sent: Fields, stranger: string, byCore: boolean): string | undefined {
  const called = Object.keys(shape).filter((name) => isCalled(name, shape[name]!, stranger));
  if (called.length > 0 || !byCore) return called.length === 1 ? called[0] : undefined;
  const core = coreOf(stranger);
  const free = Object.keys(shape).filter((name) => !Object.hasOwn(sent, name));
  const same = free.filter((name) => core.size > 0 && isSame(coreOf(name), core));
  if (same.length > 0) return same.length === 1 ? same[0] : undefined;
  // "jpeg_quality": with a word more, which must not turn it round, where the value can be nothing else.
  const near = free.filter((name) => {
    const own = coreOf(name);
    return own.size > 0 && own.isSubsetOf(core) && core.size === own.size + 1 && isTyped(shape[name]!);
  });
  return near.length === 1 && core.isDisjointFrom(TURNS_ROUND) ? near[0] : undefined;
}

const isSame = (one: Set<string>, other: Set<string>): boolean =>
  one.size === other.size && one.isSubsetOf(other);

/** Any text fits a free text, so that it says nothing of what was meant. */
const isTyped = (schema: z.ZodType): boolean => !schema.safeParse('a b').success;

const isCalled = (name: string, schema: object, sent: string): boolean =>
  [name, ...namesOf(schema)].some((candidate) => hasSameLetters(candidate, sent));

/** "targetWidth" and "width_px" → width; "number_of_colours" and "num_colors" → color */
const coreOf = (name: string): Set<string> =>
  new Set(
    name
      .slice(0, SHOWN_CHARACTERS_MAX)
      .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
      .toLowerCase()
      .replaceAll('colour', 'color')
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '' && !SAYS_NOTHING.has(word))
      .map(stemmer),
  );

/** `min`, `no`, `original` or `source` are not among them: they say something else. */
const SAYS_NOTHING = new Set(
  `target new desired wanted requested output out final result max maximum image img picture photo file the of number num n count
  factor value level type kind name id option setting param use px mm usd pct percent`.split(/\s+/),
);

const TURNS_ROUND = new Set(
  `no not non without disable skip exclude min minimum original source input old previous current other second border margin stroke
  language locale`
    .split(/\s+/)
    .map(stemmer),
);

/** What no field is called, and fits the one field that is missing, is that field: `{pic: "https://…"}`. */
function withMissing(schema: z.ZodObject, raw: Fields, warnings: string[]): Fields {
  const missing = Object.keys(schema.shape).filter(
    (name) => !Object.hasOwn(raw, name) && isNeeded(schema.shape[name]!),
  );
  let fields = raw;
  for (const name of missing) {
    const fitting = strangersIn(schema, fields).filter((stranger) =>
      isClearly(schema.shape[name]!, fields[stranger], missing.length),
    );
    if (fitting.length !== 1) continue;
    const { [fitting[0]!]: value, ...others } = fields;
    fields = { ...others, [name]: value };
    warnings.push(`${shown(fitting[0]!)} was read as ${name}.`);
  }
  return fields;
}

/** `dry_run` may always be left out. */
const isNeeded = (field: z.ZodType): boolean =>
  !(field instanceof z.ZodBoolean) && !field.safeParse(undefined).success;

/** Pictures and addresses show what they are; a free text does where nothing else is missing. */
function isClearly(field: z.ZodType, sent: unknown, missing: number): boolean {
  if (isImageField(field)) return PICTURE.test(pictureIn([sent]) ?? '');
  if (typeof sent !== 'string' || !field.safeParse(sent).success) return false;
  return isTyped(field) || missing === 1;
}

const PICTURE = /^(https?:\/\/|data:image\/|(upload|result|asset|artwork):|iVBORw0KGgo|\/9j\/|UklGR|R0lGOD)/;

/** `{size: {width, height}}` → `{width, height}`: where a field nobody knows holds known fields and nothing else. */
function unpacked(schema: z.ZodObject, raw: Fields, warnings: string[]): Fields {
  let fields = raw;
  for (const stranger of strangersIn(schema, raw)) {
    const inner = raw[stranger];
    if (!isFields(inner) || isCalledHere(schema, stranger)) continue;
    const named = withNames(schema, inner, []);
    const names = Object.keys(named);
    if (
      names.length === 0 ||
      names.some((name) => !Object.hasOwn(schema.shape, name) || Object.hasOwn(raw, name))
    )
      continue;
    const { [stranger]: _, ...others } = fields;
    fields = { ...others, ...named };
    warnings.push(`${shown(stranger)} was read as ${names.join(', ')}.`);
  }
  return fields;
}

/** Whether it is another name of a field that takes an object itself. */
const isCalledHere = ({ shape }: z.ZodObject, stranger: string): boolean =>
  Object.keys(shape).some((name) => objectIn(shape[name]) && isCalled(name, shape[name]!, stranger));

/** `{title}` → `{metadata: {title}}`: where one object alone, or alone of those that were sent, has a member of that name. */
function packedIn(schema: z.ZodObject, raw: Fields, warnings: string[]): Fields {
  let fields = raw;
  for (const stranger of strangersIn(schema, raw)) {
    const homes = Object.entries<z.ZodType>(schema.shape).flatMap(([name, field]) => {
      const inner = objectIn(field);
      const member =
        inner && Object.keys(inner.shape).find((one) => isCalled(one, inner.shape[one]!, stranger));
      return member ? [{ name, member }] : [];
    });
    const there = homes.filter(({ name }) => Object.hasOwn(fields, name));
    const [{ name, member } = { name: '', member: '' }, ...more] = there.length > 0 ? there : homes;
    const home = fields[name] ?? {};
    if (name === '' || more.length > 0 || !isFields(home) || Object.hasOwn(home, member)) continue;
    const { [stranger]: value, ...others } = fields;
    fields = { ...others, [name]: { ...home, [member]: value } };
    warnings.push(`${shown(stranger)} was read as ${name}.${member}.`);
  }
  return fields;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const shown = (name: string): string => name.slice(0, SHOWN_CHARACTERS_MAX);
