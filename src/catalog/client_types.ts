import { z } from 'zod';
import { imageFieldsOf } from '../features/definitions/fields.ts';
import type { AnyTool } from '../features/definitions/tool.ts';
import { envelopeFields, quoteAnswer } from './envelope_schema.ts';
import { type JsonSchema, jsonSchema } from './json_schema.ts';
import type { PaymentWays } from './payment_ways.ts';

/** Response types of a server with all payment methods. */
export const ALL_WAYS: PaymentWays = { takesCards: true, x402: [] as never };

/** Request and response types of every tool as a TypeScript module, for the client package. */
export function clientTypes(tools: readonly AnyTool[]): string {
  const names = tools.map(({ name }) => name);
  const keyed = tools.filter(({ price, effects }) => price.kind !== 'free' || !effects.idempotent);
  const pictures = tools.map((tool) => `  ${tool.name}: ${JSON.stringify(imageFieldsOf(tool.input.shape))},`);
  return [
    '/** An image: bytes, base64, an https:// URL, or a handle (upload:…, asset:…, result:…, artwork:…). */',
    'export type Picture = string | Uint8Array | Blob;',
    '',
    '/** Fields that every response has in addition to those of its tool. */',
    `export interface Envelope ${typeOf(jsonSchema(z.object(envelopeFields(ALL_WAYS)), OUTPUT))}`,
    '',
    '/** Price and estimate of a call. */',
    `export interface Quote ${typeOf(jsonSchema(quoteAnswer, OUTPUT))}`,
    '',
    'export interface Tools {',
    ...tools.flatMap((tool) => [
      `  /** ${escaped(tool.summary)} */`,
      `  ${tool.name}: {`,
      `    input: ${typeOf(jsonSchema(tool.input, { target: 'draft-2020-12', io: 'input' }), 2)};`,
      `    answer: ${typeOf(jsonSchema(tool.output, OUTPUT), 2)};`,
      '  };',
    ]),
    '}',
    '',
    `export const TOOLS: readonly (keyof Tools)[] = ${JSON.stringify(names)};`,
    '',
    '/** Tools that cost credits or are not idempotent. The client sends an Idempotency-Key with them, so a retry is the same call. */',
    `export const KEYED_TOOLS: ReadonlySet<keyof Tools> = new Set<keyof Tools>(${JSON.stringify(keyed.map(({ name }) => name))});`,
    '',
    '/** Fields that take an image. */',
    'export const PICTURE_FIELDS: { readonly [Name in keyof Tools]: readonly string[] } = {',
    ...pictures,
    '};',
    '',
  ].join('\n');
}

const OUTPUT = { target: 'draft-2020-12', io: 'output' } as const;

/** Converts a JSON Schema from `jsonSchema` to a TypeScript type. */
export function typeOf(schema: JsonSchema, depth = 0): string {
  if (schema.contentMediaType === 'image/*') return 'Picture';
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const options = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (options) return [...new Set(options.map((option) => typeOf(option, depth)))].join(' | ');
  if (Array.isArray(schema.allOf))
    return (schema.allOf as JsonSchema[]).map((part) => typeOf(part, depth)).join(' & ');
  if (Array.isArray(schema.type))
    return schema.type.map((type: unknown) => typeOf({ ...schema, type }, depth)).join(' | ');
  if (schema.type === 'array') return arrayOf(schema, depth);
  if (schema.type === 'object') return objectOf(schema, depth);
  return PLAIN[String(schema.type)] ?? 'unknown';
}

const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

function arrayOf({ prefixItems, items }: JsonSchema, depth: number): string {
  if (Array.isArray(prefixItems)) return `[${prefixItems.map((item) => typeOf(item, depth)).join(', ')}]`;
  return items ? `(${typeOf(items as JsonSchema, depth)})[]` : 'unknown[]';
}

function objectOf({ properties, required, additionalProperties }: JsonSchema, depth: number): string {
  const entries = Object.entries((properties ?? {}) as Record<string, JsonSchema>);
  const others = typeof additionalProperties === 'object' ? (additionalProperties as JsonSchema) : undefined;
  if (entries.length === 0) return `Record<string, ${others ? typeOf(others, depth) : 'unknown'}>`;
  const indent = '  '.repeat(depth + 1);
  const needed = new Set((required ?? []) as string[]);
  const lines = entries.flatMap(([name, schema]) => {
    const told = [schema.description, 'default' in schema && `Default: ${JSON.stringify(schema.default)}.`];
    const comment = told.filter(Boolean).join(' ');
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    return [
      ...(comment ? [`${indent}/** ${escaped(comment)} */`] : []),
      `${indent}${key}${needed.has(name) ? '' : '?'}: ${typeOf(schema, depth + 1)};`,
    ];
  });
  return `{\n${lines.join('\n')}\n${'  '.repeat(depth)}}`;
}

const escaped = (text: string): string => text.replaceAll('*/', '* /').replace(/\s+/g, ' ');
