import { carryFields } from '../features/definitions/carry_fields.ts';
import type { AnyContract } from '../features/definitions/tool.ts';
import { inputJsonSchema } from './envelope_schema.ts';
import { type JsonSchema, jsonSchema } from './json_schema.ts';
import { briefFields } from './mcp_tools.ts';
import { signatureOf } from './signature_of.ts';

/** Characters of JSON of a tool's schemas together: about 1,200 tokens. */
const SCHEMA_CHARACTERS_MAX = 4_300;
/** A longer field is given as a signature. */
const FIELD_CHARACTERS_MAX = 500;
/** Base64 of a file in an example. */
const BYTES = /^[A-Za-z0-9+/]{100,}={0,2}$/;

interface BriefTool {
  readonly input_schema: JsonSchema;
  readonly output_schema: JsonSchema;
  readonly examples: Record<string, unknown>[];
}

/**
 * What a client needs to write most calls of a tool: its input with nested objects as signatures, the names of what it answers, and
 * one example. The input schema accepts everything that the full one accepts.
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
  // Where all together are too long, fields are shown as in the list of tools: the longest last, because that is the one looked up.
  for (const [name] of Object.entries(shown).sort(([, a], [, b]) => lengthOf(a) - lengthOf(b))) {
    if (lengthOf(shown) + lengthOf(output_schema) <= room) break;
    if (lengthOf(inList[name]!) < lengthOf(shown[name]!)) shown[name] = inList[name]!;
  }
  return { input_schema: { ...input, properties: shown }, output_schema, examples };
}

type Fields = Record<string, JsonSchema>;

const SHARED: Readonly<Record<string, unknown>> = carryFields;

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

/** The full field while it is short; else what the list of tools says of it, with a signature of the objects inside. */
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

/** Names and types of the answer's own fields; those of objects inside as a signature. */
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
