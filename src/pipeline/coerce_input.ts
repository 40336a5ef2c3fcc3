import { z } from 'zod';
import { parseBoundedJson } from '../json/parse_bounded_json.ts';
import { meaningOf as meaningsOf, readingOf, suggestionOf, hasSameLetters, namesOf } from '../tools/spellings.ts';
import { isStorable } from './request_json.ts';
import { stemmer } from 'stemmer';
import { isImageField } from '../tools/fields.ts';
import { pictureIn } from '../tools/picture_in.ts';

export interface Mended {
  /** As the schema wants it, as far as that could be told. */
  readonly sent: unknown;
  /** How each field was read that came in another form. */
  readonly warnings: string[];
}

type Fields = Record<string, unknown>;

/** A list or an object that came as its JSON shows its own faults once it is read. */
const ROUNDS = 3;
const WARNINGS_MAX = 10;
const TEXT_CHARACTERS_MAX = 100_000;
/** Several fields may hold such a text, beside a body that is at its own limits. */
const TEXT_LIMITS = { values: 5_000, names: 2_000 };
const SHOWN_CHARACTERS_MAX = 60;
/** Stands for a field that is left out. */
const ABSENT = Symbol('absent');

/**
 * Reads a request as a model meant it, where it can have meant one thing only: `"JPG"`, `"300"`, null for a field that may be left out, a
 * list as its JSON, a field by a name it is also called. Whatever else does not fit is left as it is, and refused as ever.
 */
export function mendInput(schema: z.ZodObject, raw: unknown): Mended {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return { sent: raw, warnings: [] };
  if (!isStorable(raw, schema)) return { sent: raw, warnings: [] };
  const warnings: string[] = [];
  let fields = meant(schema, renamed(schema, raw as Fields, warnings), warnings);
  for (let round = 0; round < ROUNDS; round += 1) {
    const { error } = schema.safeParse(fields, { reportInput: true });
    const mended = error && mendedOnce(schema, fields, { issues: error.issues, warnings });
    if (!mended) break;
    fields = mended;
  }
  return { sent: fields, warnings: [...new Set(warnings)].slice(0, WARNINGS_MAX) };
}

/** With what one field says of several said by each of them. */
function meant({ shape }: z.ZodObject, sent: Fields, warnings: string[]): Fields {
  let fields = sent;
  for (const [name, value] of Object.entries(sent)) {
    const said = Object.hasOwn(shape, name) && meaningsOf(shape[name]!)?.(value, fields);
    if (!said) continue;
    const { [name]: _, ...others } = fields;
    fields = { ...others, ...said };
    const shown = Object.entries(said).map(([field, one]) => `${field} ${shownOf(one)}`);
    warnings.push(`${name} ${shownOf(value)} was read as ${shown.join(', ') || 'what is done anyway'}.`);
  }
  return fields;
}

const shownOf = (value: unknown): string => String(JSON.stringify(value)).slice(0, SHOWN_CHARACTERS_MAX);

interface Faults {
  readonly issues: readonly z.core.$ZodIssue[];
  readonly warnings: string[];
}

/** With every fault mended that can be; undefined where none can. */
function mendedOnce(schema: z.ZodObject, fields: Fields, { issues, warnings }: Faults): Fields | undefined {
  let mended: Fields | undefined;
  for (const issue of issues) {
    const sent = issue.path.reduce<unknown>(memberOf, fields);
    const field = issue.path.reduce<unknown>(fieldIn, schema);
    if (issue.path.length === 0 || !(field instanceof z.ZodType)) continue;
    const meant = isLeftOut(field, sent) ? ABSENT : meaningOf(field, issue, { sent, fields });
    if (
      meant === undefined ||
      (meant !== ABSENT && !field.safeParse(meant).success && !isParsed(sent, meant))
    )
      continue;
    mended = withValueAt(mended ?? fields, issue.path, meant) as Fields;
    if (meant !== ABSENT || sent !== null) warnings.push(told(issue.path, sent, meant));
  }
  return mended;
}

/** Its own faults are looked at in the next round. */
const isParsed = (sent: unknown, meant: unknown): boolean =>
  typeof sent === 'string' && typeof meant === 'object';

/** Null, and nothing between quotes or brackets, where the field does without. */
const isLeftOut = (field: z.ZodType, sent: unknown): boolean =>
  (sent === null || sent === '' || (Array.isArray(sent) && sent.length === 0)) &&
  field.safeParse(undefined).success;

interface Sent {
  readonly sent: unknown;
  /** The whole request. */
  readonly fields: Fields;
}

function meaningOf(field: z.ZodType, issue: z.core.$ZodIssue, { sent, fields }: Sent): unknown {
  if (sent === undefined || sent === null) return suggestionOf(field)?.(fields);
  const own = readingOf(field)?.(sent);
  if (own !== undefined) return own;
  const options = optionsOf(issue);
  if (options.length > 0) return optionMeant(options, onlyOf(sent), issue.path.length === 1);
  if (issue.code !== 'invalid_type') return undefined;
  const only = onlyOf(sent);
  if (only !== sent) return readingOf(field)?.(only) ?? only;
  return READINGS[issue.expected]?.(sent);
}

/** Of a list of one thing, or an object of one member, that. */
function onlyOf(sent: unknown): unknown {
  const members = typeof sent === 'object' && sent !== null ? Object.values(sent) : [];
  return members.length === 1 ? members[0] : sent;
}

const READINGS: Readonly<Record<string, (sent: unknown) => unknown>> = {
  int: numberIn,
  number: numberIn,
  boolean: (sent) =>
    typeof sent === 'string' || typeof sent === 'number'
      ? BOOLEANS.get(String(sent).trim().toLowerCase())
      : undefined,
  string: (sent) => (Number.isSafeInteger(sent) ? String(sent) : undefined),
  object: parsed,
  record: parsed,
  array: parsed,
};

const BOOLEANS = new Map([
  ['true', true],
  ['yes', true],
  ['on', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['off', false],
  ['0', false],
]);

function numberIn(sent: unknown): number | undefined {
  return typeof sent === 'string' && /^\s*-?\d{1,15}(\.\d{1,15})?\s*$/.test(sent) ? Number(sent) : undefined;
}

/** A list or an object that was sent as its JSON. */
function parsed(sent: unknown): unknown {
  if (typeof sent !== 'string' || sent.length > TEXT_CHARACTERS_MAX || !/^\s*[[{]/.test(sent))
    return undefined;
  try {
    return parseBoundedJson(sent, TEXT_LIMITS);
  } catch {
    return undefined;
  }
}

/** What an enum, or a union of constants, takes. */
function optionsOf(issue: z.core.$ZodIssue): unknown[] {
  if (issue.code === 'invalid_value') return issue.values;
  return issue.code === 'invalid_union' ? issue.errors.flat().flatMap(optionsOf) : [];
}

const memberOf = (node: unknown, key: PropertyKey): unknown =>
  typeof node === 'object' && node !== null && Object.hasOwn(node, key)
    ? (node as Record<PropertyKey, unknown>)[key]
    : undefined;

/** The schema of a member, through defaults and options. */
function fieldIn(schema: unknown, key: PropertyKey): unknown {
  if (schema instanceof z.ZodObject) return memberOf(schema.shape, key);
  if (schema instanceof z.ZodArray) return schema.element;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return fieldIn(schema.unwrap(), key);
  return undefined;
}

function withValueAt(node: unknown, [key, ...rest]: readonly PropertyKey[], value: unknown): unknown {
  const copy = (Array.isArray(node) ? [...node] : { ...(node as object) }) as Record<PropertyKey, unknown>;
  const next = rest.length > 0 ? withValueAt(copy[key!], rest, value) : value;
  if (next === ABSENT) delete copy[key!];
  else copy[key!] = next;
  return copy;
}

function told(path: readonly PropertyKey[], sent: unknown, meant: unknown): string {
  const field = path.map(String).join('.');
  if ((sent ?? undefined) === undefined)
    return `${field} was not given, and ${JSON.stringify(meant)} was taken.`;
  const shown = JSON.stringify(sent).slice(0, SHOWN_CHARACTERS_MAX);
  if (meant === ABSENT) return `${field} ${shown} was read as not given.`;
  return `${field} ${shown} was read as ${JSON.stringify(meant).slice(0, SHOWN_CHARACTERS_MAX)}.`;
}

type Members = Readonly<Record<string, unknown>>;

/** Members looked at that the schema does not know, and warnings of them. */
const STRANGERS_MAX = 10;
const NAME_CHARACTERS_SHOWN_MAX = 60;

/**
 * Members under the names the schema knows: `outputFormat`, `target_width`, what a field is also called, members of an object that stand
 * outside of it, and fields that stand in an object of their own. How each was read is told in `warnings`.
 */
export function renamed(schema: z.ZodObject, raw: Members, warnings: string[]): Members {
  const opened = unpacked(schema, raw, warnings);
  const named = withNames(schema, opened, warnings);
  const packed = packedIn(schema, named, warnings);
  return withMissing(schema, withMembersNamed(schema, packed, warnings), warnings);
}

function withMembersNamed({ shape }: z.ZodObject, raw: Members, warnings: string[]): Members {
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
  raw: Members,
  warnings: string[],
  { within, byCore }: Naming = { within: '', byCore: true },
): Members {
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

const strangersIn = ({ shape }: z.ZodObject, raw: Members): string[] =>
  Object.keys(raw)
    .filter((name) => !Object.hasOwn(shape, name))
    .slice(0, STRANGERS_MAX);

/** The one field a stranger can only be: by its letters or other names, else by what is left of it without words that say nothing. */
function nameOf({ shape }: z.ZodObject, sent: Members, stranger: string, byCore: boolean): string | undefined {
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
      .slice(0, NAME_CHARACTERS_SHOWN_MAX)
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
function withMissing(schema: z.ZodObject, raw: Members, warnings: string[]): Members {
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
function unpacked(schema: z.ZodObject, raw: Members, warnings: string[]): Members {
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
function packedIn(schema: z.ZodObject, raw: Members, warnings: string[]): Members {
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

const isFields = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const shown = (name: string): string => name.slice(0, NAME_CHARACTERS_SHOWN_MAX);

/** What formats and colours are called elsewhere. */
const ELSEWHERE = new Map([
  ['jpg', 'jpeg'],
  ['tif', 'tiff'],
  ['colour', 'color'],
]);

/** They turn a word into its opposite. */
const NEGATIONS = new Set(['no', 'non', 'not', 'without', 'never', 'except', 'exclude', 'isn', 'don']);

/**
 * The one option that a text names: by its letters, or, where `takesWords`, by its words among others ("coffee mug", "AI Act").
 * Undefined where it could be two.
 */
export function optionMeant(options: readonly unknown[], sent: unknown, takesWords: boolean): unknown {
  if (typeof sent !== 'string' || sent.length > CHARACTERS_MAX) return undefined;
  const plain = sent
    .trim()
    .toLowerCase()
    .replace(/^(image|application)\//, '')
    .replace(/^\./, '');
  const word = ELSEWHERE.get(plain) ?? plain;
  const same = options.filter((option) => hasSameLetters(String(option), word));
  if (same.length > 0 || !takesWords) return same.length === 1 ? same[0] : undefined;
  const words = wordsOf(sent);
  const near = options.filter((option) => namesOneAnother(wordsOf(String(option)), words));
  return near.length === 1 ? near[0] : undefined;
}

const CHARACTERS_MAX = 200;

/** "photoSize A3" → photo, size, a3 */
const wordsOf = (text: string): Set<string> =>
  new Set(
    text
      .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [],
  );

function namesOneAnother(option: Set<string>, sent: Set<string>): boolean {
  if (option.size === 0 || sent.size === 0) return false;
  if ([...NEGATIONS].some((word) => option.has(word) !== sent.has(word))) return false;
  return option.isSubsetOf(sent) || sent.isSubsetOf(option);
}

/** The object a field holds, through defaults and options. */
export function objectIn(field: unknown): z.ZodObject | undefined {
  if (field instanceof z.ZodObject) return field;
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault)
    return objectIn(field.unwrap() as object);
  return undefined;
}
