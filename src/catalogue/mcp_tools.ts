import { z } from 'zod';
import { highestPrice, type Price, usd } from '../tools/price.ts';
import type { AnyContract } from '../tools/tool.ts';
import { creditsText } from './next_steps.ts';

/** Prefix of every `_meta` key that is ours, as the protocol asks of implementations. */
export const MCP_NAMESPACE = 'io.github.atelier';

type JsonValue = string | number | boolean | null | JsonValue[] | Json;
type Json = { [key: string]: JsonValue };
type ObjectSchema = { [key: string]: unknown; type: 'object'; properties: Json; required?: string[] };

export interface McpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  readonly annotations: Record<`${'readOnly' | 'destructive' | 'idempotent' | 'openWorld'}Hint`, boolean>;
  readonly _meta: Record<string, unknown>;
}

/** A tool as tools/list shows it. Schemas are JSON Schema 2020-12, the protocol's default dialect. */
export function mcpTool(tool: AnyContract): McpTool {
  return {
    name: tool.name,
    title: tool.title,
    description: `${costSentence(tool.price)} ${tool.summary}`,
    inputSchema: inputSchema(tool),
    outputSchema: outputSchema(tool),
    annotations: {
      readOnlyHint: tool.effects.readOnly,
      destructiveHint: tool.effects.destructive,
      idempotentHint: tool.effects.idempotent,
      openWorldHint: tool.effects.openWorld,
    },
    _meta: {
      [`${MCP_NAMESPACE}/price`]: priceMeta(tool.price),
      [`${MCP_NAMESPACE}/category`]: tool.category,
      // Records and manifests are long on purpose; one client cuts text at its own limit unless the tool names one.
      ...(tool.category === 'dataset' && { 'anthropic/maxResultSizeChars': 200_000 }),
    },
  };
}

/** Answer fields whose text is bytes. Over MCP they become a link and a preview, for a model would read them as words. */
export const isBytesField = (name: string): boolean => name === 'data' || name.endsWith('_b64');

/** Answer fields whose text may run to megabytes; over MCP shown only while short. */
export const isLongTextField = (name: string): boolean => name === 'svg_content';

/** True when the tool answers with a picture and lets the caller choose between bytes and link. */
export const answersWithFile = (tool: AnyContract): boolean => 'output' in tool.input.shape;

function costSentence(price: Price): string {
  if (price.kind === 'free') return 'Free.';
  const cost =
    price.kind === 'flat'
      ? creditsText(price.credits)
      : Object.entries(price.credits)
          .map(([value, credits]) => `${creditsText(credits)} for ${price.field} ${value}`)
          .join(', ');
  return `Costs ${cost}. Not charged on failure.`;
}

function priceMeta(price: Price): Record<string, unknown> {
  const credit = highestPrice(price);
  return {
    credit,
    usd: usd(credit),
    ...(price.kind === 'by' && { by: { field: price.field, credits: price.credits } }),
  };
}

const INCLUDE_PREVIEW = {
  type: 'boolean',
  default: true,
  description: 'false leaves the preview picture out of the answer.',
};
const DRY_RUN = {
  type: 'boolean',
  default: false,
  description: 'true answers with the price; nothing runs and nothing is charged.',
};

/** `output` is not offered: here the bytes never come inside the answer. */
function inputSchema(tool: AnyContract): ObjectSchema {
  const { properties, required, ...rest } = jsonSchema(tool.input, 'input');
  const { output: _, ...offered } = properties;
  const added = {
    ...(answersWithFile(tool) && { include_preview: INCLUDE_PREVIEW }),
    ...(highestPrice(tool.price) > 0 && { dry_run: DRY_RUN }),
  };
  return {
    ...rest,
    properties: { ...offered, ...added },
    ...(required && { required: required.filter((name) => name !== 'output') }),
  };
}

const COST = {
  type: 'object',
  properties: { credit: { type: 'integer' }, usd: { type: 'number' }, note: { type: 'string' } },
  required: ['credit', 'usd'],
};
const OBJECTS = { type: 'array', items: { type: 'object' } };
const ENVELOPE = { cost: COST, next_steps: OBJECTS, warnings: { type: 'array', items: { type: 'string' } } };

/** Either the tool's own fields or, for `dry_run`, the quote; around both the fields every answer has. */
function outputSchema(tool: AnyContract): ObjectSchema {
  const { properties, required = [], ...rest } = jsonSchema(tool.output, 'output');
  const shown = Object.entries(properties).filter(([name]) => !isBytesField(name));
  const always = required.filter((name) => !isBytesField(name) && !isLongTextField(name));
  return {
    ...rest,
    properties: {
      ...Object.fromEntries(shown),
      ...ENVELOPE,
      ...(highestPrice(tool.price) > 0 && { payment: { type: 'object' } }),
      dry_run: { const: true },
      quote: { type: 'object' },
    },
    required: ['cost', 'next_steps'],
    anyOf: [{ required: always }, { required: ['dry_run', 'quote'] }],
  };
}

function jsonSchema(schema: z.ZodObject, io: 'input' | 'output'): ObjectSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema: node }) => leaveOpen(node),
  });
  return json as unknown as ObjectSchema;
}

/** Fields may be added later, so none are forbidden; and a bound that every number keeps says nothing. */
function leaveOpen(node: z.core.JSONSchema.BaseSchema): void {
  if (node.additionalProperties === false) delete node.additionalProperties;
  if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
  if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum;
}
