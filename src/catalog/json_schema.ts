import { z } from 'zod';
import { briefOf, shownSchemaOf } from '../features/definitions/brief.ts';
import { isImageField } from '../features/definitions/fields.ts';

export type JsonSchema = Record<string, unknown>;

export interface SchemaForm {
  /** `draft-2020-12` for MCP and get_tool_schema, `openapi-3.0` for /openapi.json. */
  readonly target: 'draft-2020-12' | 'openapi-3.0';
  /** `input` is the request (fields with defaults are optional), `output` the response. */
  readonly io: 'input' | 'output';
  /** Uses brief texts where they exist and omits titles and examples: every byte costs context. */
  readonly brief?: true;
}

/**
 * Converts a zod schema to a JSON Schema with only the binding rules. Image fields carry `contentMediaType: image/*`.
 * @throws Error for schemas that need definitions of their own (recursion, ids): they could not be inlined
 */
export function jsonSchema(schema: z.ZodType, { target, io, brief }: SchemaForm): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    target,
    io,
    override: ({ zodSchema, jsonSchema: node }) => {
      if (isImageField(zodSchema)) node.contentMediaType = 'image/*';
      const briefText = brief ? briefOf(zodSchema) : undefined;
      if (briefText !== undefined) node.description = briefText;
      if (brief) for (const name of ['title', 'examples']) delete node[name];
      const shown = brief ? shownSchemaOf(zodSchema) : undefined;
      if (shown) {
        for (const name of Object.keys(node)) delete node[name];
        Object.assign(node, shown);
      }
    },
  }) as JsonSchema;
  if (json.definitions || json.$defs)
    throw new Error('tool schemas must not use definitions: inline the schema, without `id` or recursion');
  return tidy(json, target);
}

/** Removes redundant keywords (safe-integer bounds, patterns behind a format) and those unknown to OpenAPI 3.0. */
function tidy(node: JsonSchema, target: SchemaForm['target']): JsonSchema {
  const schema = withNamedProperties(withMergedLiterals(withTidyChildren(node, target)));
  for (const name of ['$id', 'id', 'contentEncoding', 'propertyNames']) delete schema[name];
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  // Responses may gain fields in a later version, which must not break a validating client.
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  return target === 'openapi-3.0' ? forOpenApi(schema) : schema;
}

function withTidyChildren(node: JsonSchema, target: SchemaForm['target']): JsonSchema {
  const child = (value: unknown): unknown => (isSchema(value) ? tidy(value, target) : value);
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => {
      if (name === 'properties')
        return [
          name,
          Object.fromEntries(Object.entries(value as object).map(([key, at]) => [key, child(at)])),
        ];
      if (name === 'anyOf' || name === 'oneOf' || name === 'allOf' || name === 'prefixItems')
        return [name, (value as unknown[]).map(child)];
      return [name, name === 'items' || name === 'additionalProperties' ? child(value) : value];
    }),
  );
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Merges a union of literals into one `enum`. */
function withMergedLiterals(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const values = anyOf.flatMap((option: JsonSchema) =>
    'const' in option ? [option.const] : (option.enum ?? []),
  );
  const types = new Set(anyOf.map((option: JsonSchema) => option.type));
  const areLiterals = anyOf.every((option: JsonSchema) => 'const' in option || 'enum' in option);
  if (!areLiterals || types.size !== 1 || anyOf.some((option: JsonSchema) => option.nullable)) return schema;
  return { ...rest, type: values.every(Number.isInteger) ? 'integer' : anyOf[0].type, enum: values };
}

/** A record with fixed keys is an object with these properties. */
function withNamedProperties(schema: JsonSchema): JsonSchema {
  const { required, properties, additionalProperties, ...rest } = schema;
  if (!Array.isArray(required) || properties !== undefined || !isSchema(additionalProperties)) return schema;
  return {
    ...rest,
    properties: Object.fromEntries(required.map((name) => [name, additionalProperties])),
    required,
  };
}

function forOpenApi(schema: JsonSchema): JsonSchema {
  const { contentMediaType: _, examples, ...rest } = schema;
  if (rest.nullable && Array.isArray(rest.enum) && !rest.enum.includes(null))
    rest.enum = [...rest.enum, null];
  if (Array.isArray(examples) && examples.length > 0) rest.example = examples[0];
  return rest;
}
