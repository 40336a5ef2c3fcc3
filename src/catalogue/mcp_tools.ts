import { isReadOnly } from '../tools/is_read_only.ts';
import { highestPrice, type Price, usd } from '../tools/price.ts';
import type { AnyContract } from '../tools/tool.ts';
import { inputJsonSchema } from './envelope_schema.ts';
import type { JsonSchema } from './json_schema.ts';
import { jsonSchema } from './json_schema.ts';
import { creditsText } from './next_steps.ts';

/** Prefix of every `_meta` key that is ours, as the protocol asks of implementations. */
export const MCP_NAMESPACE = 'io.github.atelier';

// biome-ignore lint/suspicious/noExplicitAny: any JSON value; the protocol library has its own type for it
type Json = { [key: string]: any };
type ObjectSchema = Json & { type: 'object'; properties: Json; required?: string[] };

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
      readOnlyHint: isReadOnly(tool),
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
export const isBytesField = (name: string): boolean => name === 'data' || isBase64Field(name);

/** The same inside an object of the answer, where `data` may be anything, such as what a caller keeps beside a file. */
export const isBase64Field = (name: string): boolean => name.endsWith('_b64');

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

/** `output` is not offered, for here the bytes never come inside the answer; a free tool has no price to ask for. */
function inputSchema(tool: AnyContract): ObjectSchema {
  const { properties, required, ...rest } = inputJsonSchema(tool, 'draft-2020-12') as ObjectSchema;
  const { output: _, dry_run: dryRun, ...offered } = properties;
  const added = {
    ...(answersWithFile(tool) && { include_preview: INCLUDE_PREVIEW }),
    ...(highestPrice(tool.price) > 0 && { dry_run: dryRun }),
  };
  return { ...rest, properties: { ...offered, ...added }, ...(required && { required }) };
}

const OBJECT = { type: 'object' };
const ENVELOPE = {
  cost: {
    type: 'object',
    properties: { credit: { type: 'integer' }, usd: { type: 'number' }, note: { type: 'string' } },
    required: ['credit', 'usd'],
  },
  next_steps: { type: 'array', items: OBJECT },
  warnings: { type: 'array', items: { type: 'string' } },
  dry_run: { type: 'boolean' },
  quote: OBJECT,
};

/** What tells the answers apart that are not the tool's own. Of a problem only members that no tool answers itself. */
const OTHER_ANSWERS = [
  { required: ['dry_run', 'quote'] },
  { required: ['job_id', 'state', 'status_url'] },
  { required: ['code', 'detail', 'fix'] },
];

/**
 * The answer, the quote of a dry run, a job that was accepted before under the same Idempotency-Key, or a problem: clients
 * check failures against this schema too (TypeScript SDK 1), and throw away what does not fit. Bytes are left out, for
 * what is never sent must not be promised; the envelope and other objects are named without their fields, because every
 * agent pays for this list in context; get_tool_schema has them whole.
 */
function outputSchema(tool: AnyContract): ObjectSchema {
  const own = jsonSchema(tool.output, { target: 'draft-2020-12', io: 'output' }) as ObjectSchema;
  const { properties, required = [], ...rest } = own;
  const shown = Object.entries<Json>(properties)
    .filter(([name]) => !isBytesField(name))
    .map(([name, field]) => [name, schemaOutline(field)]);
  const sure = required.filter((name) => !isBytesField(name) && !isLongTextField(name));
  const payment = highestPrice(tool.price) > 0 && { payment: OBJECT };
  return {
    ...rest,
    type: 'object',
    properties: { ...Object.fromEntries(shown), ...ENVELOPE, ...payment },
    required: ['next_steps'],
    anyOf: [{ required: [...sure, 'cost'] }, ...OTHER_ANSWERS],
  };
}

/** A schema whose objects are named without their fields. Whatever fits the schema fits its outline too. */
function schemaOutline(schema: JsonSchema): JsonSchema {
  const { anyOf, items, properties, description } = schema as Parts;
  if (anyOf) return { ...schema, anyOf: anyOf.map(schemaOutline) };
  if (items) return { ...schema, items: schemaOutline(items) };
  if (!properties) return schema;
  return { type: 'object', ...(description !== undefined && { description }) };
}

interface Parts {
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: JsonSchema;
  readonly description?: string;
}
