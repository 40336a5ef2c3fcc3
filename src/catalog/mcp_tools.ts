import { z } from 'zod';
import { engineAnswer, imageAnswer, imageFieldsOf } from '../features/definitions/fields.ts';
import { isReadOnly } from '../features/definitions/is_read_only.ts';
import { passthroughAnswerFields, passthroughFields } from '../features/definitions/passthrough_answer.ts';
import { highestPrice, isFree, type Price, usd } from '../features/definitions/price.ts';
import { qualityAnswer } from '../features/definitions/quality_answer.ts';
import { savedAnswer } from '../features/definitions/saving_fields.ts';
import type { AnyContract } from '../features/definitions/tool.ts';
import { inputJsonSchema } from './envelope_schema.ts';
import { type JsonSchema, jsonSchema } from './json_schema.ts';
import { creditsText, priceText } from './next_steps.ts';

/** Enums with more values are omitted from nested objects. */
const NESTED_VALUES_MAX = 6;
const DETAILS = 'See get_tool_schema.';

/** Keywords of rarely reached limits; errors name them. */
const LEFT_OUT = ['minLength', 'maxLength', 'minItems', 'maxItems', 'pattern', 'contentMediaType'];

/**
 * Compact schema of the input fields: without text bounds and empty defaults, and with name and type only inside objects. It
 * accepts everything that the full schema accepts; get_tool_schema returns the full schema.
 */
export const briefFields = (fields: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> =>
  mapValues(fields, briefField);

function briefField(field: JsonSchema): JsonSchema {
  const { properties, description, ...brief } = shorten(
    field,
    (name) => name === 'enum' || name === 'description',
  );
  // Without room for its description, a field is listed by name only.
  if (!properties)
    return { ...brief, ...(description !== undefined && description !== '' ? { description } : {}) };
  return { ...brief, properties, description: [description, DETAILS].filter(Boolean).join(' ') };
}

const briefPart = (part: JsonSchema): JsonSchema =>
  shorten(part, (name, value) => name === 'enum' && (value as unknown[]).length <= NESTED_VALUES_MAX);

function shorten(schema: JsonSchema, isShown: (name: string, value: unknown) => boolean): JsonSchema {
  const kept = Object.entries(schema).filter(([name, value]) => {
    if (LEFT_OUT.includes(name) || isWideBound(name, value)) return false;
    if (name === 'default' || name === 'additionalProperties') return !saysNothing(value);
    return (name !== 'enum' && name !== 'description') || isShown(name, value);
  });
  return Object.fromEntries(kept.map(([name, value]) => [name, withBriefParts(name, value)]));
}

const WIDE = 1_000_000;

/** A limit that legitimate clients do not reach. */
const isWideBound = (name: string, value: unknown): boolean =>
  (name === 'minimum' && (value === 0 || value === 1)) || (name === 'maximum' && Number(value) >= WIDE);

function withBriefParts(name: string, value: unknown): unknown {
  if (name === 'properties') return mapValues(value as Record<string, JsonSchema>, briefPart);
  if (name === 'anyOf' || name === 'oneOf') return (value as JsonSchema[]).map(briefPart);
  const isSchema = typeof value === 'object' && (name === 'items' || name === 'additionalProperties');
  return isSchema ? briefPart(value as JsonSchema) : value;
}

const mapValues = <V, W>(record: Record<string, V>, change: (value: V) => W): Record<string, W> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));

/** "", false, [] and {}: empty defaults. */
const saysNothing = (value: unknown): boolean =>
  value === '' ||
  value === false ||
  (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

/** Prefix of our `_meta` keys, as the protocol requires of implementations. */
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
  readonly _meta?: Record<string, unknown>;
}

/** A tool as in tools/list. Schemas are JSON Schema 2020-12, the protocol's default dialect. */
export function mcpTool(tool: AnyContract): McpTool {
  return {
    name: tool.name,
    title: tool.title,
    description: [costSentence(tool.price), tool.summary, insteadSentence(tool)].filter(Boolean).join(' '),
    inputSchema: inputSchema(tool),
    outputSchema: outputSchema(tool),
    annotations: {
      readOnlyHint: isReadOnly(tool),
      destructiveHint: tool.effects.destructive,
      idempotentHint: tool.effects.idempotent,
      openWorldHint: tool.effects.openWorld,
    },
    ...metaOf(tool),
  };
}

/** Response fields with encoded bytes. Over MCP they become a link and a preview, because a model would read them as text. */
export const isBytesField = (name: string): boolean => name === 'data' || isBase64Field(name);

/** The same inside an object of the response, where `data` may be anything, such as metadata of a client. */
export const isBase64Field = (name: string): boolean => name.endsWith('_b64');

/** Response fields that may contain megabytes of text; over MCP included only while short. */
export const isLongTextField = (name: string): boolean => name === 'svg_content';

/** Whether the tool returns an image and offers the choice between bytes and link. */
export const answersWithFile = (tool: AnyContract): boolean => 'output' in tool.input.shape;

function costSentence(price: Price): string {
  if (price.kind === 'free') return 'Free.';
  if (price.kind === 'steps') return 'Costs the sum of its steps.';
  const cost =
    price.kind === 'flat'
      ? creditsText(price.credits)
      : Object.entries(price.credits)
          .map(([value, credits]) => `${creditsText(credits)} for ${price.field} ${value}`)
          .join(', ');
  return `Costs ${cost}.`;
}

/** "Instead: upscale_image to gain detail, mockup_image to see it on a product." */
function insteadSentence({ instead = {} }: AnyContract): string {
  const others = Object.entries(instead).map(([name, wish]) => `${name} ${wish}`);
  return others.length > 0 ? `Instead: ${others.join(', ')}.` : '';
}

/** Machine-readable metadata; a tool without a price is free. */
function metaOf(tool: AnyContract): Pick<McpTool, '_meta'> {
  const { price, category } = tool;
  const view = viewOf(tool);
  const _meta = {
    ...(view && { ui: { resourceUri: viewUri(view) } }),
    ...(!isFree(price) && { [`${MCP_NAMESPACE}/price`]: priceMeta(price) }),
    // Records and manifests are long on purpose; one client truncates text at its own limit unless the tool sets one.
    ...(category === 'dataset' && { 'anthropic/maxResultSizeChars': 200_000 }),
  };
  return Object.keys(_meta).length > 0 ? { _meta } : {};
}

function priceMeta(price: Price): Record<string, unknown> {
  if (price.kind === 'steps') return { note: priceText(price) };
  const credit = highestPrice(price);
  return {
    credit,
    usd: usd(credit),
    ...(price.kind === 'by' && { by: { field: price.field, credits: price.credits } }),
  };
}

const CARRIED: Readonly<Record<string, unknown>> = passthroughFields;

/**
 * Without `output`, because MCP responses never contain the bytes, and without `payer` and `dry_run` for free tools. Fields common to all tools
 * that answer a picture (`keep`, `keep_location`, `include_preview`) are described once, in the instructions; every tool takes them.
 */
function inputSchema(tool: AnyContract): ObjectSchema {
  const whole = inputJsonSchema(tool, 'draft-2020-12', { brief: true }) as ObjectSchema;
  const { properties, required, ...rest } = whole;
  const { output: _, dry_run: dryRun, payer, ...fields } = properties;
  const offered = Object.entries(fields).filter(
    ([name]) => Object.hasOwn(tool.input.shape, name) && tool.input.shape[name] !== CARRIED[name],
  );
  const shown = {
    ...Object.fromEntries(offered),
    ...(!isFree(tool.price) && { payer, dry_run: dryRun }),
  };
  return { ...rest, properties: briefFields(shown), ...(required && { required }) };
}

/** Described once for all tools, in the instructions of the handshake. */
const TOLD_ONCE: Readonly<Record<string, unknown>> = {
  ...imageAnswer,
  ...engineAnswer,
  ...passthroughAnswerFields,
  ...savedAnswer,
  ...qualityAnswer,
};

/**
 * Names and types of response fields that are neither input nor common: the list costs every agent context, and get_tool_schema
 * returns the full schema. Byte fields are omitted, because they are never sent. Nothing is required: quotes, accepted jobs and
 * errors use the same schema (TypeScript SDK 1 validates errors too, and discards invalid ones).
 */
function outputSchema(tool: AnyContract): ObjectSchema {
  const own = jsonSchema(tool.output, { target: 'draft-2020-12', io: 'output' }) as ObjectSchema;
  const shown = Object.entries<JsonSchema>(own.properties)
    .filter(([name]) => !isBytesField(name) && !(name in tool.input.shape))
    .filter(([name]) => tool.output.shape[name] !== TOLD_ONCE[name])
    .map(([name, field]) => [name, typesOf(field)]);
  return { type: 'object', properties: Object.fromEntries(shown) };
}

/** A schema reduced to types. It accepts everything that the full schema accepts. */
function typesOf({ type, anyOf, oneOf, enum: values }: JsonSchema): JsonSchema {
  if (type !== undefined) return { type };
  if (Array.isArray(values)) return { type: [...new Set(values.map(typeOfValue))] };
  const options = (anyOf ?? oneOf) as readonly JsonSchema[] | undefined;
  const types = new Set(options?.flatMap((option) => typesOf(option).type ?? []));
  return types.size > 0 ? { type: [...types] } : {};
}

const typeOfValue = (value: unknown): string => (value === null ? 'null' : typeof value);

/** Part of every selection of groups: tools that the responses of other tools refer to. */
export const isAlwaysOffered = ({ toolset }: Pick<AnyContract, 'toolset'>): boolean => toolset === 'always';

/** Names of the groups that an MCP connection may select: toolsets, categories, `free` and `all`. */
export const toolsetNames = (tools: readonly AnyContract[]): string[] => [
  ...new Set([
    ...tools.flatMap((tool) => (tool.toolset && !isAlwaysOffered(tool) ? [tool.toolset] : [])),
    ...tools.map(({ category }) => category),
    'free',
    'all',
  ]),
];

/** Whether the tool belongs to one of these groups. */
export const isInToolsets = (tool: AnyContract, names: ReadonlySet<string>): boolean =>
  isAlwaysOffered(tool) ||
  names.has('all') ||
  names.has(tool.category) ||
  (tool.toolset !== undefined && names.has(tool.toolset)) ||
  (names.has('free') && isFree(tool.price));

/**
 * Why a selection of groups is invalid; undefined if it is valid.
 * @param names as sent, in lower case
 */
export function unknownToolset(
  tools: readonly AnyContract[],
  names: ReadonlySet<string>,
): string | undefined {
  const known = toolsetNames(tools);
  const unknown = [...names].find((name) => !known.includes(name));
  return unknown === undefined
    ? undefined
    : `Unknown toolset ${JSON.stringify(unknown.slice(0, 100))}. Choose from ${known.join(', ')}, several separated by commas: /mcp?toolsets=${known.slice(0, 2).join(',')}.`;
}

/** The MCP extension for views beside a response: MCP Apps, SEP-1865. */
export const VIEWS_EXTENSION = 'io.modelcontextprotocol/ui';
/** MIME type of a view: HTML that communicates with its host. */
export const VIEW_TYPE = 'text/html;profile=mcp-app';

export const VIEW_NAMES = ['compare', 'contact_sheet', 'cost'] as const;
export type ViewName = (typeof VIEW_NAMES)[number];

export const VIEW_PREFIX = 'ui://atelier/';
export const viewUri = (name: ViewName): string => `${VIEW_PREFIX}${name}`;

/** The view for responses of a tool; undefined where text is sufficient. Every view can show quotes and payment requirements. */
export function viewOf(tool: AnyContract): ViewName | undefined {
  if (makesPictureOfPicture(tool)) return 'compare';
  if (listsPictures(tool)) return 'contact_sheet';
  return isFree(tool.price) ? undefined : 'cost';
}

const makesPictureOfPicture = ({ input, output }: AnyContract): boolean =>
  imageFieldsOf(input.shape).length > 0 && hasFields(output.shape, ['result_url', 'width', 'height']);

/** Fields of a list entry that indicate an image. */
const SIGNS_OF_A_PICTURE = [['image_available'], ['download_url'], ['url', 'content_type']] as const;

const listsPictures = ({ output }: AnyContract): boolean =>
  Object.values(output.shape)
    .filter((field) => field instanceof z.ZodArray)
    .map(({ element }) => element)
    .filter((element) => element instanceof z.ZodObject)
    .some(({ shape }) => SIGNS_OF_A_PICTURE.some((names) => hasFields(shape, names)));

const hasFields = (shape: object, names: readonly string[]): boolean => names.every((name) => name in shape);
