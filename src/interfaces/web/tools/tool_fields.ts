import { z } from 'zod';
import { type JsonSchema, jsonSchema } from '../../../catalog/json_schema.ts';
import { hexColorField, kindsOf } from '../../../features/definitions/fields.ts';
import type { AnyTool } from '../../../features/definitions/tool.ts';

/** A field of a tool as shown in a form. */
export interface Field {
  /** API name. */
  readonly name: string;
  /** Display name. */
  readonly label: string;
  readonly hint: string;
  readonly kind: FieldKind;
  readonly isRequired: boolean;
  /** Commonly set, so shown outside "More settings". */
  readonly isUsual: boolean;
  /** Default value. */
  readonly otherwise: unknown;
  /** Options of a choice. */
  readonly options: readonly (string | number)[];
  /** Example value of the tool, else of the field. */
  readonly example: unknown;
  readonly schema: JsonSchema;
  /** Label of the empty choice. */
  readonly absent?: string;
  /** Fields of an object. */
  readonly parts?: readonly Field[];
  /** Kinds of the object that have this part. Empty: all. */
  readonly kinds?: readonly string[];
}

/** `list` and `colors` are separated by commas, `pictures` by spaces; `object` has a control per part; `json` is the fallback. */
export type FieldKind =
  | 'picture'
  | 'pictures'
  | 'file'
  | 'wallet'
  | 'choice'
  | 'tick'
  | 'number'
  | 'color'
  | 'colors'
  | 'list'
  | 'text'
  | 'object'
  | 'json';

const known = new WeakMap<AnyTool, readonly Field[]>();

/** The fields of a tool in schema order, without `output`: pages always request a link. */
export function fieldsOf(tool: AnyTool): readonly Field[] {
  const fields = known.get(tool) ?? readFields(tool);
  known.set(tool, fields);
  return fields;
}

/** Parameters that pages add to the form fields. */
export const asLink = ({ input: { shape } }: AnyTool): { output?: 'url' } =>
  asksForBytes(shape.output) ? { output: 'url' } : {};

const asksForBytes = (schema?: { safeParse(value: unknown): { data?: unknown } }): boolean =>
  schema?.safeParse(undefined).data === 'base64' && schema.safeParse('url').data === 'url';

/** Object fields with a control per part, by tool. Others have an editor (`editors.ts`) or are entered as JSON. */
const IN_PARTS: Readonly<Record<string, readonly string[]>> = { print_ready: ['layout', 'cut'] };

interface ObjectSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

function readFields(tool: AnyTool): Field[] {
  const { properties, required = [] } = jsonSchema(tool.input, {
    target: 'draft-2020-12',
    io: 'input',
  }) as unknown as ObjectSchema;
  const { price } = tool;
  const isUsual = (name: string) =>
    required.includes(name) ||
    tool.examples.some((example) => Object.hasOwn(example, name)) ||
    (price.kind === 'by' && price.field === name);
  return Object.entries(properties)
    .filter(([name]) => name !== 'output' || !asLink(tool).output)
    .map(([name, schema]) => {
      const field = fieldOf(name, schema, {
        isRequired: required.includes(name),
        isUsual: isUsual(name),
        examples: tool.examples.map((example) => example[name]),
      });
      if (!IN_PARTS[tool.name]?.includes(name)) return field;
      return { ...field, kind: 'object' as const, parts: partsOf(schema, tool.input.shape[name]!) };
    });
}

function fieldOf(
  name: string,
  schema: JsonSchema,
  { examples, ...use }: Pick<Field, 'isRequired' | 'isUsual'> & { readonly examples: readonly unknown[] },
): Field {
  return {
    name,
    label: (schema.title as string | undefined) ?? labelOf(name),
    hint: ((schema.description as string) ?? '').replaceAll('`', ''),
    kind: kindOf(name, schema),
    otherwise: schema.default,
    options: (schema.enum as (string | number)[]) ?? [],
    example: [...examples, ...((schema.examples as unknown[]) ?? [])].find((value) => value !== undefined),
    schema,
    ...use,
  };
}

/** @param shape Zod schema of the object; its JSON Schema lacks the kinds of fields */
function partsOf(schema: JsonSchema, shape: z.ZodType): readonly Field[] {
  const { properties, required = [] } = schema as unknown as ObjectSchema;
  const inner = shape instanceof z.ZodOptional ? shape.unwrap() : shape;
  const fields = inner instanceof z.ZodObject ? (inner.shape as Record<string, z.ZodType>) : {};
  return Object.entries(properties).map(([name, part]) => ({
    ...fieldOf(name, part, { isRequired: required.includes(name), isUsual: true, examples: [] }),
    ...((part.items as JsonSchema | undefined)?.contentMediaType === 'image/*' && { kind: 'pictures' }),
    kinds: fields[name] ? kindsOf(fields[name]) : [],
  }));
}

const HEX_COLOR = jsonSchema(hexColorField, { target: 'draft-2020-12', io: 'input' }).pattern;

function kindOf(name: string, schema: JsonSchema): FieldKind {
  const { type, contentMediaType, pattern, anyOf } = schema;
  if (typeof contentMediaType === 'string') return contentMediaType === 'image/*' ? 'picture' : 'file';
  if (name === 'wallet') return 'wallet';
  if (Array.isArray(schema.enum)) return 'choice';
  if (type === 'boolean') return 'tick';
  if (type === 'integer' || type === 'number') return 'number';
  if (pattern === HEX_COLOR) return 'color';
  if (type === 'array') return kindOfList((schema.items ?? {}) as JsonSchema);
  const takesText = type === 'string' || ((anyOf as JsonSchema[]) ?? []).some((one) => one.type === 'string');
  return takesText ? 'text' : 'json';
}

function kindOfList({ type, pattern }: JsonSchema): FieldKind {
  if (type !== 'string') return 'json';
  return pattern === HEX_COLOR ? 'colors' : 'list';
}

const UNITS: Readonly<Record<string, string>> = { mm: 'mm', px: 'px', usd: 'USD' };

/** Display name of a field without a schema title: "bleed_mm" → "Bleed, mm"; "crop_marks" → "Crop marks"; "dpi" → "DPI" */
export function labelOf(name: string): string {
  const words = name.split('_');
  const unit = words.length > 1 ? UNITS[words.at(-1)!] : undefined;
  const text = (unit ? words.slice(0, -1) : words).join(' ');
  const label = /^(dpi|id|ai|url)$/.test(text) ? text.toUpperCase() : text[0]!.toUpperCase() + text.slice(1);
  return unit ? `${label}, ${unit}` : label;
}
