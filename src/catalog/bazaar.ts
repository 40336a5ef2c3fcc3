import { isImageField } from '../features/definitions/fields.ts';
import type { AnyContract } from '../features/definitions/tool.ts';
import { inputJsonSchema } from './envelope_schema.ts';
import type { JsonSchema } from './json_schema.ts';

/** Description of a tool for the directories of x402 facilitators (the "bazaar" extension of version 2). */
export interface Bazaar {
  readonly info: { readonly input: JsonSchema; readonly output: { readonly type: 'json' } };
  /** JSON Schema of `info`. */
  readonly schema: JsonSchema;
}

/** Placeholder for an image in the example: bytes do not fit into a header. */
const ANY_PICTURE = 'https://example.org/picture.jpg';

/** Describes the body fields by name and type only: all of it is in one response header, which proxies limit to 4 to 8 kB. */
export function bazaarOf(tool: AnyContract): Bazaar {
  const known = DESCRIBED.get(tool) ?? describe(tool);
  DESCRIBED.set(tool, known);
  return known;
}
const DESCRIBED = new WeakMap<AnyContract, Bazaar>();

function describe(tool: AnyContract): Bazaar {
  const shape: Readonly<Record<string, object>> = tool.input.shape;
  const [example = {}] = tool.examples;
  const body = Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, isImageField(shape[name]!) ? ANY_PICTURE : value]),
  );
  const { properties, required } = inputJsonSchema(tool, 'draft-2020-12') as {
    properties: object;
    required?: string[];
  };
  const own = Object.entries<JsonSchema>(properties as Record<string, JsonSchema>);
  const fields = own
    .filter(([name]) => Object.hasOwn(shape, name))
    .map(([name, field]) => [name, typeAndValuesOf(field)]);
  return {
    info: { input: { type: 'http', method: 'POST', bodyType: 'json', body }, output: { type: 'json' } },
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        input: {
          type: 'object',
          properties: {
            type: { type: 'string', const: 'http' },
            method: { type: 'string', enum: ['POST'] },
            bodyType: { type: 'string', enum: ['json'] },
            body: { type: 'object', properties: Object.fromEntries(fields), ...(required && { required }) },
          },
          required: ['type', 'method', 'bodyType', 'body'],
        },
        output: { type: 'object', properties: { type: { type: 'string' } }, required: ['type'] },
      },
      required: ['input'],
    },
  };
}

/** Type of a field, and its values if they are few. */
function typeAndValuesOf({ type, enum: values }: JsonSchema): JsonSchema {
  return { ...(type !== undefined && { type }), ...(values !== undefined && { enum: values }) };
}
