import { type Connection, callTool } from './client.ts';
import { failureText } from './failure_text.ts';
import {
  type FieldSchema,
  flagOf,
  type ToolDescription,
  takesFile,
  toolDescription,
} from './input_schema.ts';
import { printable, type Terminal, table } from './terminal.ts';

interface Listing {
  readonly name: string;
  readonly description: string;
  readonly cost: { readonly credit: number };
}

/** `atelier tools [words]`: name, price and what it does. */
export async function toolsCommand(
  words: readonly string[],
  connection: Connection,
  { stdout, stderr }: Terminal,
): Promise<number> {
  const { status, body } = await callTool(connection, 'search_tools', { query: words.join(' ') });
  if (status !== 200) {
    stderr.write(failureText(body, { tool: 'search_tools' }));
    return 1;
  }
  const tools = body.tools as Listing[];
  if (tools.length === 0) stderr.write('No tool has these words. See all with: atelier tools\n');
  stdout.write(
    table(
      tools.map(({ name, description, cost }) => [name, priceText(cost.credit), description].map(printable)),
      stdout,
    ),
  );
  return 0;
}

/** `atelier help <tool>`: every flag with type, default and meaning. */
export async function helpCommand(
  tool: string,
  connection: Connection,
  { stdout, stderr }: Terminal,
): Promise<number> {
  const { status, body } = await callTool(connection, 'get_tool_schema', { tool_name: tool });
  if (status === 200) {
    stdout.write(printable(helpText(toolDescription(body))));
    return 0;
  }
  stderr.write(failureText(body, { tool }));
  return 1;
}

function helpText(tool: ToolDescription): string {
  const { name, title, description, price, fields, required } = tool;
  const rows = Object.entries(fields).map(([field, schema]) => [
    `  ${flagOf(field)}`,
    typeText(schema),
    presence(schema, required.includes(field)),
    schema.description ?? '',
  ]);
  return [
    `${title}: ${description}`,
    `Price: ${priceText(price.credit)}.`,
    '',
    `atelier call ${name} ${required.map((field) => `${flagOf(field)} ${takesFile(fields[field] ?? {}) ? '<file>' : '<value>'}`).join(' ')}`.trimEnd(),
    '',
    table(rows, {} as Terminal['stdout']).trimEnd(),
    '',
    '  --out <file>     where the answer’s file goes; - is standard output',
    '  --wallet <0x…>   wallet that pays: its address, or a session or key atl_… (or ATELIER_WALLET)',
    '  --url <address>  server to call (or ATELIER_URL)',
    '',
  ].join('\n');
}

const priceText = (credits: number): string =>
  credits === 0 ? 'free' : `${credits} ${credits === 1 ? 'credit' : 'credits'}`;

const presence = (schema: FieldSchema, isRequired: boolean): string =>
  isRequired
    ? 'required'
    : schema.default === undefined
      ? 'optional'
      : `default ${JSON.stringify(schema.default)}`;

function typeText(schema: FieldSchema): string {
  if (takesFile(schema)) return 'file';
  if (schema.enum) return schema.enum.join('|');
  if (schema.type === 'object' || schema.type === 'array') return 'JSON';
  const { minimum, maximum } = schema;
  const range = minimum !== undefined && maximum !== undefined ? ` ${minimum}–${maximum}` : '';
  return `${schema.type === 'string' ? 'text' : String(schema.type ?? 'JSON')}${range}`;
}
