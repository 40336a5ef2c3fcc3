import { z } from 'zod';
import { type JsonSchema, jsonSchema } from '../../../catalog/json_schema.ts';
import { hexColorField } from '../../../features/definitions/hex_color.ts';
import { kindsOf } from '../../../features/definitions/only_of.ts';
import type { AnyTool } from '../../../features/definitions/tool.ts';

/** One field of a tool, as a person fills it in. */
export interface Field {
  /** As programs call it. */
  readonly name: string;
  /** As people do. */
  readonly label: string;
  readonly hint: string;
  readonly kind: FieldKind;
  readonly isRequired: boolean;
  /** People who call the tool mostly say it. */
  readonly isUsual: boolean;
  /** What is meant where nothing is sent. */
  readonly otherwise: unknown;
  /** Of a choice. */
  readonly options: readonly (string | number)[];
  /** From an example of the tool, else of the field. */
  readonly example: unknown;
  readonly schema: JsonSchema;
  /** What the empty choice says. */
  readonly absent?: string;
  /** Of an object: its fields. */
  readonly parts?: readonly Field[];
  /** Of a part: the kinds of the object that have it; none where all do. */
  readonly kinds?: readonly string[];
}

/** `list` and `colors` are texts with commas between, `pictures` handles with spaces; `object` has a control for each part; `json` is whatever no other control fits. */
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

/** The fields of a tool in its order, without the one that asks for bytes inside the answer: a page wants the link. */
export function fieldsOf(tool: AnyTool): readonly Field[] {
  const fields = known.get(tool) ?? readFields(tool);
  known.set(tool, fields);
  return fields;
}

/** What a page sends beside its fields. */
export const asLink = ({ input: { shape } }: AnyTool): { output?: 'url' } =>
  asksForBytes(shape.output) ? { output: 'url' } : {};

const asksForBytes = (schema?: { safeParse(value: unknown): { data?: unknown } }): boolean =>
  schema?.safeParse(undefined).data === 'base64' && schema.safeParse('url').data === 'url';

/** Objects with a control for each part, by tool. Others have an editor (`editors.ts`), or are written as JSON. */
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

/** @param shape the same object as Zod has it: the kinds of its fields are not in its JSON Schema */
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

/** Of a field whose schema has no title: "bleed_mm" → "Bleed, mm"; "crop_marks" → "Crop marks"; "dpi" → "DPI" */
export function labelOf(name: string): string {
  const words = name.split('_');
  const unit = words.length > 1 ? UNITS[words.at(-1)!] : undefined;
  const text = (unit ? words.slice(0, -1) : words).join(' ');
  const label = /^(dpi|id|ai|url)$/.test(text) ? text.toUpperCase() : text[0]!.toUpperCase() + text.slice(1);
  return unit ? `${label}, ${unit}` : label;
}
