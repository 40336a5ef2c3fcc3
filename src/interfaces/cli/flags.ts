import { parseArgs } from 'node:util';
import type { Body } from '@atelier/client/transport.ts';
import { closest } from '../../catalog/closest.ts';
import { hasSameLetters } from '../../features/definitions/spellings.ts';
import { CALL_SWITCHES } from './call_switches.ts';
import type { Switch } from './command.ts';
import { type FieldSchema, flagOf, isBoolean, type ToolDescription, takesFile } from './input_schema.ts';
import { UsageError } from './usage_error.ts';

export interface CallFlags {
  /** Fields of the tool, converted by its schema. File fields still hold the typed text. */
  readonly input: Body;
  readonly out?: string | undefined;
  /** Fields of the result to print. */
  readonly json?: string | undefined;
  /** The call becomes a job, which continues after this process ends. */
  readonly isAsync: boolean;
}

/** A session or key, rather than the address of a wallet. */
export const isToken = (text: string): boolean => text.startsWith('atl_');

/** Flags of the command itself rather than fields of a tool, in the spelling of fields. */
const OWN_FLAGS = new Map<string, FieldSchema>(
  Object.entries(CALL_SWITCHES).map(([name, { value }]: [string, Switch]) => [
    name.replaceAll('-', '_'),
    { type: value === undefined ? 'boolean' : 'string' },
  ]),
);

/**
 * Reads the flags of `atelier call`. The payer (`--wallet` or ATELIER_WALLET) fills the field of that name,
 * if the tool has one.
 * @throws UsageError with the flag, its type and the closest name
 */
export function parseCallFlags(words: readonly string[], tool: ToolDescription, payer?: string): CallFlags {
  const typed = splitFlags(words, tool);
  const input: Body = {};
  for (const [field, texts] of typed) {
    const schema = tool.fields[field];
    if (schema && field !== 'wallet') input[field] = fieldValue(field, schema, texts);
  }
  if (payer !== undefined && tool.fields.wallet) input.wallet = payer;
  const missing = tool.required.filter((field) => input[field] === undefined);
  if (missing.length > 0)
    throw new UsageError(
      `${tool.name} needs ${missing.map(flagOf).join(' and ')}. See: atelier help ${tool.name}`,
    );
  const [out, json, asked] = ['out', 'json', 'async'].map((name) => typed.get(name)?.at(-1));
  return { input, out, json, isAsync: asked !== undefined && boolean('--async', asked) };
}

/** The value of a flag of the command itself, before the tool's schema is known. */
export function ownFlag(words: readonly string[], name: keyof typeof CALL_SWITCHES): string | undefined {
  const options = { [name]: { type: 'string' as const } };
  const value = parseArgs({ args: [...words], options, strict: false }).values[name];
  // A flag without a value is true.
  return typeof value === 'string' ? value : undefined;
}

/**
 * Parses `--a 1 --b=2 --no-c` to field → texts. A value may begin with a dash, like the name of a file.
 * `parseArgs` is not used: it never lets `true` or `false` follow a switch, and knows only one spelling of a
 * name.
 */
function splitFlags(words: readonly string[], tool: ToolDescription): Map<string, string[]> {
  const flags = new Map<string, string[]>();
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!;
    if (!word.startsWith('--')) throw new UsageError(strayWord(word, tool));
    const [name, inline] = splitAtEquals(word.slice(2));
    const { field, isNegated } = requireField(name, tool);
    const schema = tool.fields[field] ?? OWN_FLAGS.get(field);
    const takesNext = inline === undefined && !isFlagAlone(words[at + 1], schema, isNegated);
    const text = inline ?? (takesNext ? words[at + 1] : String(!isNegated));
    if (text === undefined || (takesNext && isOwnName(text, tool)))
      throw new UsageError(`${flagOf(field)} needs a value.`);
    flags.set(field, [...(flags.get(field) ?? []), text]);
    if (takesNext) at += 1;
  }
  return flags;
}

/** `--width --height 3`: a flag that follows is not a value. */
const isOwnName = (text: string, { fields }: ToolDescription): boolean =>
  text.startsWith('--') && Object.hasOwn(fields, text.slice(2).replaceAll('-', '_'));

function splitAtEquals(text: string): [name: string, inline: string | undefined] {
  const at = text.indexOf('=');
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

const isFlagAlone = (
  next: string | undefined,
  schema: FieldSchema | undefined,
  isNegated: boolean,
): boolean => isNegated || (schema !== undefined && isBoolean(schema) && next !== 'true' && next !== 'false');

function requireField(
  name: string,
  { name: tool, fields }: ToolDescription,
): { field: string; isNegated: boolean } {
  const field = name.replaceAll('-', '_');
  if (Object.hasOwn(fields, field) || OWN_FLAGS.has(field)) return { field, isNegated: false };
  const positive = field.replace(/^no_/, '');
  if (positive !== field && Object.hasOwn(fields, positive) && isBoolean(fields[positive]!))
    return { field: positive, isNegated: true };
  const guess = closest(field, [...Object.keys(fields), ...OWN_FLAGS.keys()])[0];
  throw new UsageError(
    `${tool} has no flag --${name}.${guess ? ` Did you mean ${flagOf(guess)}?` : ''} See: atelier help ${tool}`,
  );
}

function strayWord(word: string, { fields }: ToolDescription): string {
  const file = Object.keys(fields).find((field) => takesFile(fields[field]!));
  const quoted = file && ` For several files, use a quoted pattern: ${flagOf(file)} 'photos/*.jpg'.`;
  return `"${word}" has no flag.${file ? ` Did you mean ${flagOf(file)} ${word}?${quoted}` : ' Write every value after a flag: --name value.'}`;
}

function fieldValue(field: string, schema: FieldSchema, texts: readonly string[]): unknown {
  if (schema.type !== 'array') return parseValue(flagOf(field), schema, texts.at(-1)!);
  if (texts.length === 1 && texts[0]!.trimStart().startsWith('[')) return json(flagOf(field), texts[0]!);
  return texts.map((text) => parseValue(flagOf(field), schema.items ?? {}, text));
}

function parseValue(flag: string, schema: FieldSchema, text: string): unknown {
  if (schema.enum) return chooseOption(flag, schema.enum, text);
  if (schema.type === 'integer' || schema.type === 'number') return number(flag, schema, text);
  if (schema.type === 'boolean') return boolean(flag, text);
  return schema.type === 'object' || schema.type === 'array' ? json(flag, text) : text;
}

function chooseOption(flag: string, options: readonly unknown[], text: string): unknown {
  const found =
    options.find((option) => String(option) === text) ??
    options.find((option) => hasSameLetters(String(option), text));
  if (found !== undefined) return found;
  const guess = closest(text, options.map(String))[0];
  throw new UsageError(
    `${flag} must be one of ${options.join(', ')}; got "${text}".${guess ? ` Did you mean ${guess}?` : ''}`,
  );
}

function number(flag: string, { type, minimum, maximum }: FieldSchema, text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  const isRight = type === 'integer' ? Number.isInteger(value) : Number.isFinite(value);
  if (isRight && value >= (minimum ?? value) && value <= (maximum ?? value)) return value;
  const range = minimum !== undefined && maximum !== undefined ? ` from ${minimum} to ${maximum}` : '';
  throw new UsageError(
    `${flag} must be ${type === 'integer' ? 'a whole number' : 'a number'}${range}; got "${text}".`,
  );
}

function boolean(flag: string, text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new UsageError(
    `${flag} is a switch. Write ${flag}, ${flag}=false or ${flag.replace('--', '--no-')}.`,
  );
}

function json(flag: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${flag} must be JSON, such as '{"name": "value"}'; got "${text.slice(0, 80)}".`);
  }
}
