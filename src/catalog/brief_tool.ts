import { passthroughFields } from '../features/definitions/passthrough_answer.ts';
import type { AnyContract } from '../features/definitions/tool.ts';
import { inputJsonSchema } from './envelope_schema.ts';
import { type JsonSchema, jsonSchema } from './json_schema.ts';
import { briefFields } from './mcp_tools.ts';

/** Characters of JSON of a tool's schemas together: about 1,200 tokens. */
const SCHEMA_CHARACTERS_MAX = 4_300;
/** A longer field is described by a signature. */
const FIELD_CHARACTERS_MAX = 500;
/** Base64 of a file in an example. */
const BYTES = /^[A-Za-z0-9+/]{100,}={0,2}$/;

interface BriefTool {
  readonly input_schema: JsonSchema;
  readonly output_schema: JsonSchema;
  readonly examples: Record<string, unknown>[];
}

/**
 * The information that a client needs for most calls of a tool: its input with nested objects as signatures,
 * the names of its response fields, and one example. The input schema accepts everything that the full one
 * accepts.
 */
export function briefTool(tool: AnyContract): BriefTool {
  const examples = tool.examples.slice(0, 1).map(withoutBytes);
  const { properties: listed, ...input } = inputJsonSchema(tool, 'draft-2020-12', { brief: true });
  const { properties: full } = inputJsonSchema(tool, 'draft-2020-12');
  const inList = briefFields(ownFields(listed, tool));
  const shown = mapFields(ownFields(full, tool), (field, name) => briefField(field, inList[name]!));
  const room = SCHEMA_CHARACTERS_MAX - lengthOf(examples);
  const nested = briefOutput(tool, 1);
  const output_schema = lengthOf(nested) + lengthOf(shown) <= room ? nested : briefOutput(tool, 0);
  // If all together are too long, fields are shown as in tools/list: the longest last, because clients look
  // that one up.
  for (const [name] of Object.entries(shown).sort(([, a], [, b]) => lengthOf(a) - lengthOf(b))) {
    if (lengthOf(shown) + lengthOf(output_schema) <= room) break;
    if (lengthOf(inList[name]!) < lengthOf(shown[name]!)) shown[name] = inList[name]!;
  }
  return { input_schema: { ...input, properties: shown }, output_schema, examples };
}

type Fields = Record<string, JsonSchema>;

const SHARED: Readonly<Record<string, unknown>> = passthroughFields;

/** Without the fields of all tools, which the instructions of the server describe once. */
const ownFields = (fields: unknown, { input: { shape } }: AnyContract): Fields =>
  Object.fromEntries(
    Object.entries(fields as Fields).filter(
      ([name]) => Object.hasOwn(shape, name) && shape[name] !== SHARED[name],
    ),
  );

const mapFields = (fields: Fields, change: (field: JsonSchema, name: string) => JsonSchema): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, change(field, name)]));

const lengthOf = (value: unknown): number => JSON.stringify(value).length;

/**
 * The full field if it is short; otherwise its text in tools/list, with a signature of the objects inside.
 */
function briefField({ title: _, ...field }: JsonSchema, listed: JsonSchema): JsonSchema {
  if (lengthOf(field) <= FIELD_CHARACTERS_MAX) return field;
  const { type, enum: values, default: initial } = listed;
  const description = [field.description, signatureOf(field)].filter(Boolean).join(' ');
  return {
    ...(type !== undefined && { type }),
    ...(values !== undefined && { enum: values }),
    ...(initial !== undefined && { default: initial }),
    description,
  };
}

/** Names and types of the response's own fields; nested objects as a signature. */
function briefOutput({ output }: AnyContract, depth: number): JsonSchema {
  const { properties = {} } = jsonSchema(output, { target: 'draft-2020-12', io: 'output' });
  const fields = Object.entries(properties as Record<string, JsonSchema>).map(([name, field]) => [
    name,
    signatureOf(field, { depth }),
  ]);
  const signature = `{${fields.map(([name, form]) => (form ? `${name}: ${form}` : name)).join(', ')}}`;
  return { type: 'object', description: signature };
}

/** The example with handles in place of files. */
function withoutBytes(example: Record<string, unknown>): Record<string, unknown> {
  const text = JSON.stringify(example, (_name, value: unknown) =>
    typeof value === 'string' && BYTES.test(value) ? 'upload:<id>' : value,
  );
  return JSON.parse(text) as Record<string, unknown>;
}

/** Values of an enum that are written out. */
const VALUES_MAX = 9;

interface SignatureOptions {
  /** Objects nested deeper are written as `{…}`. */
  readonly depth?: number;
}

/**
 * A schema in the notation of TypeScript, which takes a sixth of the tokens of JSON Schema: `{op: "crop", box?: {x, y, width, height},
 * gravity?: centre|north|…}`. Numbers and texts are not named, so that a field may be its name alone.
 */
export const signatureOf = (schema: JsonSchema, { depth = 4 }: SignatureOptions = {}): string =>
  withNamedForms(formOf(schema, depth));

/** Objects and enums long enough to be worth a name. */
const LONG_FORM = /\{[^{}]{15,}\}|[\w-]+(?:\|[\w-]+){4,}/g;

/** Repeated parts are written once, at the end: `{box?: A, gravity?: B} with A = {…}, B = …`. */
function withNamedForms(text: string): string {
  const forms = Map.groupBy(text.match(LONG_FORM) ?? [], (form) => form);
  const repeated = [...forms.values()].filter(({ length }) => length > 1).map(([form]) => form!);
  const named = repeated.map((form, at) => [form, String.fromCharCode(65 + at)] as const);
  const short = named.reduce((rest, [form, name]) => rest.replaceAll(form, name), text);
  return named.length === 0
    ? text
    : `${short} with ${named.map(([form, name]) => `${name} = ${form}`).join(', ')}`;
}

function formOf(schema: JsonSchema, depth: number): string {
  const { type, const: literal, enum: values, properties, items } = schema;
  const options = (schema.oneOf ?? schema.anyOf) as JsonSchema[] | undefined;
  if (literal !== undefined) return JSON.stringify(literal);
  if (Array.isArray(values)) return valuesText(values);
  if (options) return unionText(options, depth);
  if (properties) return depth > 0 ? objectText(schema, depth) : '{…}';
  if (type === 'array') return `${isSchema(items) ? formOf(items, depth) : ''}[]`;
  if (type === 'boolean') return 'true|false';
  return type === 'object' ? '{…}' : '';
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

function valuesText(values: readonly unknown[]): string {
  const shown = values.slice(0, VALUES_MAX).map(String).join('|');
  return values.length > VALUES_MAX ? `${shown}|…` : shown;
}

function unionText(options: readonly JsonSchema[], depth: number): string {
  const texts = options.map((option) => formOf(option, depth)).filter(Boolean);
  return [...new Set(texts)].join(' | ');
}

function objectText({ properties, required }: JsonSchema, depth: number): string {
  const needed = new Set(required as readonly string[] | undefined);
  const fields = Object.entries(properties as Record<string, JsonSchema>).map(([name, field]) => {
    const form = formOf(field, depth - 1);
    return `${name}${needed.has(name) ? '' : '?'}${form && `: ${form}`}`;
  });
  return `{${fields.join(', ')}}`;
}
