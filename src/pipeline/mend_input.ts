import { z } from 'zod';
import { parseBoundedJson } from '../json/parse_bounded_json.ts';
import { meaningOf as meaningsOf, readingOf, suggestionOf } from '../tools/spellings.ts';
import { optionMeant } from './option_meant.ts';
import { isStorable } from './refuse_unstorable.ts';
import { renamed } from './rename_fields.ts';

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
