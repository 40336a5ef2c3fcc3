import { stemmer } from 'stemmer';
import { z } from 'zod';
import { parseBoundedJson } from '../core/json/parse_bounded_json.ts';
import { isImageField } from '../features/definitions/fields.ts';
import { pictureIn } from '../features/definitions/images_in.ts';
import {
  aliasesOf,
  coercionOf,
  hasSameLetters,
  derivationOf as meaningsOf,
  suggestionOf,
} from '../features/definitions/spellings.ts';
import { isStorable } from './request_json.ts';

export interface CoercedInput {
  /** In the form of the schema, as far as the meaning was clear. */
  readonly sent: unknown;
  /** How each coerced field was read. */
  readonly warnings: string[];
}

type Fields = Record<string, unknown>;

/** A list or object sent as JSON text is coerced again after parsing. */
const ROUNDS = 3;
const WARNINGS_MAX = 10;
const TEXT_CHARACTERS_MAX = 100_000;
/** Several fields may hold such a text, beside a body that is at its own limits. */
const TEXT_LIMITS = { values: 5_000, names: 2_000 };
const SHOWN_CHARACTERS_MAX = 60;
/** Marks an omitted field. */
const OMITTED = Symbol('absent');

/**
 * Coerces a request to the schema where its meaning is unambiguous: `"JPG"`, `"300"`, null for an optional field, a list as JSON
 * text, a field alias. Anything else stays as it is, and is refused as usual.
 */
export function coerceInput(schema: z.ZodObject, raw: unknown): CoercedInput {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return { sent: raw, warnings: [] };
  if (!isStorable(raw, schema)) return { sent: raw, warnings: [] };
  const warnings: string[] = [];
  let fields = coercedTo(schema, renameFields(schema, raw as Fields, warnings), warnings);
  for (let round = 0; round < ROUNDS; round += 1) {
    const { error } = schema.safeParse(fields, { reportInput: true });
    const coerced = error && coerceOnce(schema, fields, { issues: error.issues, warnings });
    if (!coerced) break;
    fields = coerced;
  }
  return { sent: fields, warnings: [...new Set(warnings)].slice(0, WARNINGS_MAX) };
}

/** Expands a field whose value stands for several fields into those. */
function coercedTo({ shape }: z.ZodObject, sent: Fields, warnings: string[]): Fields {
  let fields = sent;
  for (const [name, value] of Object.entries(sent)) {
    const said = Object.hasOwn(shape, name) && meaningsOf(shape[name]!)?.(value, fields);
    if (!said) continue;
    const { [name]: _, ...others } = fields;
    fields = { ...others, ...said };
    const shown = Object.entries(said).map(([field, one]) => `${field} ${shownOf(one)}`);
    warnings.push(`${name} ${shownOf(value)} was read as ${shown.join(', ') || 'the default behaviour'}.`);
  }
  return fields;
}

const shownOf = (value: unknown): string => String(JSON.stringify(value)).slice(0, SHOWN_CHARACTERS_MAX);

interface Faults {
  readonly issues: readonly z.core.$ZodIssue[];
  readonly warnings: string[];
}

/** Coerces every value that can be; undefined where none can. */
function coerceOnce(schema: z.ZodObject, fields: Fields, { issues, warnings }: Faults): Fields | undefined {
  let coerced: Fields | undefined;
  for (const issue of issues) {
    const sent = issue.path.reduce<unknown>(memberOf, fields);
    const field = issue.path.reduce<unknown>(fieldIn, schema);
    if (issue.path.length === 0 || !(field instanceof z.ZodType)) continue;
    const coercedTo = isOmitted(field, sent) ? OMITTED : coercedValue(field, issue, { sent, fields });
    if (
      coercedTo === undefined ||
      (coercedTo !== OMITTED && !field.safeParse(coercedTo).success && !isParsed(sent, coercedTo))
    )
      continue;
    coerced = withValueAt(coerced ?? fields, issue.path, coercedTo) as Fields;
    if (coercedTo !== OMITTED || sent !== null) warnings.push(describeCoercion(issue.path, sent, coercedTo));
  }
  return coerced;
}

/** Its own errors are handled in the next round. */
const isParsed = (sent: unknown, coercedTo: unknown): boolean =>
  typeof sent === 'string' && typeof coercedTo === 'object';

/** Null, or empty quotes or brackets, for an optional field. */
const isOmitted = (field: z.ZodType, sent: unknown): boolean =>
  (sent === null || sent === '' || (Array.isArray(sent) && sent.length === 0)) &&
  field.safeParse(undefined).success;

interface Sent {
  readonly sent: unknown;
  /** The whole request. */
  readonly fields: Fields;
}

function coercedValue(field: z.ZodType, issue: z.core.$ZodIssue, { sent, fields }: Sent): unknown {
  if (sent === undefined || sent === null) return suggestionOf(field)?.(fields);
  const own = coercionOf(field)?.(sent);
  if (own !== undefined) return own;
  const options = optionsOf(issue);
  if (options.length > 0) return matchOption(options, soleMember(sent), issue.path.length === 1);
  if (issue.code !== 'invalid_type') return undefined;
  const only = soleMember(sent);
  if (only !== sent) return coercionOf(field)?.(only) ?? only;
  return COERCIONS[issue.expected]?.(sent);
}

/** The single element of a list, or the single member of an object. */
function soleMember(sent: unknown): unknown {
  const members = typeof sent === 'object' && sent !== null ? Object.values(sent) : [];
  return members.length === 1 ? members[0] : sent;
}

const COERCIONS: Readonly<Record<string, (sent: unknown) => unknown>> = {
  int: numberIn,
  number: numberIn,
  boolean: (sent) =>
    typeof sent === 'string' || typeof sent === 'number'
      ? BOOLEANS.get(String(sent).trim().toLowerCase())
      : undefined,
  string: (sent) => (Number.isSafeInteger(sent) ? String(sent) : undefined),
  object: parseEmbeddedJson,
  record: parseEmbeddedJson,
  array: parseEmbeddedJson,
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

/** A list or object sent as JSON text. */
function parseEmbeddedJson(sent: unknown): unknown {
  if (typeof sent !== 'string' || sent.length > TEXT_CHARACTERS_MAX || !/^\s*[[{]/.test(sent))
    return undefined;
  try {
    return parseBoundedJson(sent, TEXT_LIMITS);
  } catch {
    return undefined;
  }
}

/** Values of an enum, or of a union of constants. */
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
  if (next === OMITTED) delete copy[key!];
  else copy[key!] = next;
  return copy;
}

function describeCoercion(path: readonly PropertyKey[], sent: unknown, coercedTo: unknown): string {
  const field = path.map(String).join('.');
  if ((sent ?? undefined) === undefined)
    return `${field} was not given; ${JSON.stringify(coercedTo)} was used.`;
  const shown = JSON.stringify(sent).slice(0, SHOWN_CHARACTERS_MAX);
  if (coercedTo === OMITTED) return `${field} ${shown} was read as not given.`;
  return `${field} ${shown} was read as ${JSON.stringify(coercedTo).slice(0, SHOWN_CHARACTERS_MAX)}.`;
}

type Members = Readonly<Record<string, unknown>>;

/** Longest list whose objects are searched for aliases. */
const LIST_RENAMED_MAX = 200;
/** Maximum unknown members to resolve, and to warn about. */
const UNKNOWN_FIELDS_MAX = 10;
const NAME_CHARACTERS_SHOWN_MAX = 60;

/**
 * Maps members to the names of the schema: `outputFormat`, `target_width`, aliases, members of an object at the top level, and
 * fields wrapped in an object. Adds each mapping to `warnings`.
 */
export function renameFields(schema: z.ZodObject, raw: Members, warnings: string[]): Members {
  const opened = flattenWrappers(schema, raw, warnings);
  const named = renameMembers(schema, opened, warnings);
  const packed = nestMembers(schema, named, warnings);
  return fillRequired(schema, renameNestedMembers(schema, packed, warnings), warnings);
}

/** Aliases in objects, and in the objects of lists such as layers. */
function renameNestedMembers({ shape }: z.ZodObject, raw: Members, warnings: string[], within = ''): Members {
  let fields = raw;
  for (const [name, field] of Object.entries(shape)) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const named = renameWithin(field, value, warnings, `${within}${name}.`);
    if (named !== value) fields = { ...fields, [name]: named };
  }
  return fields;
}

function renameWithin(field: unknown, value: unknown, warnings: string[], within: string): unknown {
  const inner = objectSchemaOf(field);
  if (inner && isMembers(value)) {
    const named = renameMembers(inner, value, warnings, { within, byCore: false });
    return renameNestedMembers(inner, named, warnings, within);
  }
  const element = inner ? undefined : elementOf(field);
  if (!element || !Array.isArray(value) || value.length > LIST_RENAMED_MAX) return value;
  const named = value.map((member, at) => renameWithin(element, member, warnings, `${within}${at}.`));
  return named.some((member, at) => member !== value[at]) ? named : value;
}

/** The schema of the elements of a list. */
function elementOf(field: unknown): unknown {
  if (field instanceof z.ZodArray) return field.element;
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault) return elementOf(field.unwrap());
  return undefined;
}

function renameMembers(
  schema: z.ZodObject,
  raw: Members,
  warnings: string[],
  { within, byCore }: Naming = { within: '', byCore: true },
): Members {
  let fields = raw;
  for (const unknownField of unknownFieldsOf(schema, raw)) {
    const name = nameOf(schema, fields, unknownField, byCore);
    if (!name || Object.hasOwn(fields, name) || raw[unknownField] === null) continue;
    const { [unknownField]: value, ...others } = fields;
    fields = { ...others, [name]: value };
    warnings.push(`${within}${shown(unknownField)} was read as ${within}${name}.`);
  }
  return fields;
}

interface Naming {
  readonly within: string;
  /** A member of free metadata keeps its name: a shortened match may be wrong. */
  readonly byCore: boolean;
}

const unknownFieldsOf = ({ shape }: z.ZodObject, raw: Members): string[] =>
  Object.keys(raw)
    .filter((name) => !Object.hasOwn(shape, name))
    .slice(0, UNKNOWN_FIELDS_MAX);

/** The only field that an unknown one can mean: by spelling or alias, else by its significant words. */
function nameOf(
  { shape }: z.ZodObject,
  sent: Members,
  unknownField: string,
  byCore: boolean,
): string | undefined {
  const called = Object.keys(shape).filter((name) => hasName(name, shape[name]!, unknownField));
  if (called.length > 0 || !byCore) return called.length === 1 ? called[0] : undefined;
  const core = significantWords(unknownField);
  const free = Object.keys(shape).filter((name) => !Object.hasOwn(sent, name));
  const same = free.filter((name) => core.size > 0 && isSame(significantWords(name), core));
  if (same.length > 0) return same.length === 1 ? same[0] : undefined;
  // "jpeg_quality": with an additional word that is not a negation, where the value fits no other field.
  const near = free.filter((name) => {
    const own = significantWords(name);
    return own.size > 0 && own.isSubsetOf(core) && core.size === own.size + 1 && isConstrained(shape[name]!);
  });
  return near.length === 1 && core.isDisjointFrom(REVERSING_WORDS) ? near[0] : undefined;
}

const isSame = (one: Set<string>, other: Set<string>): boolean =>
  one.size === other.size && one.isSubsetOf(other);

/** Any text fits a free-text field, so a fit says nothing about the meaning. */
const isConstrained = (schema: z.ZodType): boolean => !schema.safeParse('a b').success;

const hasName = (name: string, schema: object, sent: string): boolean =>
  [name, ...aliasesOf(schema)].some((candidate) => hasSameLetters(candidate, sent));

/** "targetWidth" and "width_px" → width; "number_of_colours" and "num_colors" → color */
const significantWords = (name: string): Set<string> =>
  new Set(
    name
      .slice(0, NAME_CHARACTERS_SHOWN_MAX)
      .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
      .toLowerCase()
      .replaceAll('colour', 'color')
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '' && !FILLER_WORDS.has(word))
      .map(stemmer),
  );

/** Without `min`, `no`, `original` or `source`, which change the meaning. */
const FILLER_WORDS = new Set(
  `target new desired wanted requested output out final result max maximum image img picture photo file the of number num n count
  factor value level type kind name id option setting param use px mm usd pct percent`.split(/\s+/),
);

const REVERSING_WORDS = new Set(
  `no not non without disable skip exclude min minimum original source input old previous current other second border margin stroke
  language locale`
    .split(/\s+/)
    .map(stemmer),
);

/** Maps an unknown field that fits the only missing required field: `{pic: "https://…"}`. */
function fillRequired(schema: z.ZodObject, raw: Members, warnings: string[]): Members {
  const missing = Object.keys(schema.shape).filter(
    (name) => !Object.hasOwn(raw, name) && isRequired(schema.shape[name]!),
  );
  let fields = raw;
  for (const name of missing) {
    const fitting = unknownFieldsOf(schema, fields).filter((unknownField) =>
      fitsClearly(schema.shape[name]!, fields[unknownField], missing.length),
    );
    if (fitting.length !== 1) continue;
    const { [fitting[0]!]: value, ...others } = fields;
    fields = { ...others, [name]: value };
    warnings.push(`${shown(fitting[0]!)} was read as ${name}.`);
  }
  return fields;
}

/** `dry_run` is always optional. */
const isRequired = (field: z.ZodType): boolean =>
  !(field instanceof z.ZodBoolean) && !field.safeParse(undefined).success;

/** Images and URLs are recognisable; free text is accepted only where no other field is missing. */
function fitsClearly(field: z.ZodType, sent: unknown, missing: number): boolean {
  if (isImageField(field)) return PICTURE.test(pictureIn([sent]) ?? '');
  if (typeof sent !== 'string' || !field.safeParse(sent).success) return false;
  return isConstrained(field) || missing === 1;
}

const PICTURE = /^(https?:\/\/|data:image\/|(upload|result|asset|artwork):|iVBORw0KGgo|\/9j\/|UklGR|R0lGOD)/;

/** `{size: {width, height}}` → `{width, height}`: where an unknown field holds known fields and nothing else. */
function flattenWrappers(schema: z.ZodObject, raw: Members, warnings: string[]): Members {
  let fields = raw;
  for (const unknownField of unknownFieldsOf(schema, raw)) {
    const inner = raw[unknownField];
    if (!isMembers(inner) || namesObjectField(schema, unknownField)) continue;
    const named = renameMembers(schema, inner, []);
    const names = Object.keys(named);
    if (
      names.length === 0 ||
      names.some((name) => !Object.hasOwn(schema.shape, name) || Object.hasOwn(raw, name))
    )
      continue;
    const { [unknownField]: _, ...others } = fields;
    fields = { ...others, ...named };
    warnings.push(`${shown(unknownField)} was read as ${names.join(', ')}.`);
  }
  return fields;
}

/** Whether it is an alias of a field that takes an object. */
const namesObjectField = ({ shape }: z.ZodObject, unknownField: string): boolean =>
  Object.keys(shape).some((name) => objectSchemaOf(shape[name]) && hasName(name, shape[name]!, unknownField));

/** `{title}` → `{metadata: {title}}`: where only one object, or only one of those sent, has a member of that name. */
function nestMembers(schema: z.ZodObject, raw: Members, warnings: string[]): Members {
  let fields = raw;
  for (const unknownField of unknownFieldsOf(schema, raw)) {
    const homes = Object.entries<z.ZodType>(schema.shape).flatMap(([name, field]) => {
      const inner = objectSchemaOf(field);
      const member =
        inner && Object.keys(inner.shape).find((one) => hasName(one, inner.shape[one]!, unknownField));
      return member ? [{ name, member }] : [];
    });
    const there = homes.filter(({ name }) => Object.hasOwn(fields, name));
    const [{ name, member } = { name: '', member: '' }, ...more] = there.length > 0 ? there : homes;
    const home = fields[name] ?? {};
    if (name === '' || more.length > 0 || !isMembers(home) || Object.hasOwn(home, member)) continue;
    const { [unknownField]: value, ...others } = fields;
    fields = { ...others, [name]: { ...home, [member]: value } };
    warnings.push(`${shown(unknownField)} was read as ${name}.${member}.`);
  }
  return fields;
}

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const shown = (name: string): string => name.slice(0, NAME_CHARACTERS_SHOWN_MAX);

/** Common synonyms of formats and colours. */
const ELSEWHERE = new Map([
  ['jpg', 'jpeg'],
  ['tif', 'tiff'],
  ['colour', 'color'],
]);

/** Negations, which reverse the meaning. */
const NEGATIONS = new Set(['no', 'non', 'not', 'without', 'never', 'except', 'exclude', 'isn', 'don']);

/**
 * The only option that a text matches: by spelling, or with `takesWords` by its words among others ("coffee mug", "AI Act").
 * Undefined where it is ambiguous.
 */
export function matchOption(options: readonly unknown[], sent: unknown, takesWords: boolean): unknown {
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

/** The object schema of a field, unwrapped from defaults and options. */
export function objectSchemaOf(field: unknown): z.ZodObject | undefined {
  if (field instanceof z.ZodObject) return field;
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault)
    return objectSchemaOf(field.unwrap() as object);
  return undefined;
}
