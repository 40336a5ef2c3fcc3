import { isImageField } from '../features/definitions/fields.ts';
import type { AnyContract } from '../features/definitions/tool.ts';
import { inputJsonSchema } from './envelope_schema.ts';
import type { JsonSchema } from './json_schema.ts';

/** How what is sold here is called, for the directories that facilitators of x402 keep ("bazaar" among the extensions of version 2). */
export interface Bazaar {
  readonly info: { readonly input: JsonSchema; readonly output: { readonly type: 'json' } };
  /** JSON Schema of `info`. */
  readonly schema: JsonSchema;
}

/** Stands for a picture in the example, for bytes have no place in a header. */
const ANY_PICTURE = 'https://example.org/picture.jpg';

/** What stands in the body is said by name and type: all of it is in one response header, and proxies give those 4 to 8 kB. */
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

/** Type and values of a field, where it has few. */
function typeAndValuesOf({ type, enum: values }: JsonSchema): JsonSchema {
  return { ...(type !== undefined && { type }), ...(values !== undefined && { enum: values }) };
}
