import { CALL_SWITCHES } from './call_switches.ts';
import { type Connection, readToolSchema } from './client.ts';
import { failureText } from './failure_text.ts';
import { switchTable } from './help_text.ts';
import {
  type FieldSchema,
  flagOf,
  type ToolDescription,
  takesFile,
  toolDescription,
} from './input_schema.ts';
import { fieldsOf, pickFields } from './json_fields.ts';
import { type Output, printableJson, replaceControls, type Terminal, table } from './terminal.ts';

/**
 * Prints every flag of a tool with type, default and meaning; with `fields`, the response of get_tool_schema.
 */
export async function toolHelp(
  tool: string,
  connection: Connection,
  { stdout, stderr }: Terminal,
  fields?: string,
): Promise<number> {
  const { status, body } = await readToolSchema(connection, tool);
  if (status !== 200) {
    stderr.write(failureText(body, { tool }));
    return 1;
  }
  stdout.write(
    fields === undefined
      ? helpText(toolDescription(body), stdout)
      : printableJson(pickFields(body, fieldsOf(fields, Object.keys(body)))),
  );
  return 0;
}

function helpText(tool: ToolDescription, output: Output): string {
  const { name, title, description, price, fields, required } = tool;
  const rows = Object.entries(fields).map(([field, schema]) =>
    [
      `  ${flagOf(field)}`,
      typeText(schema),
      presence(schema, required.includes(field)),
      schema.description ?? '',
    ].map(replaceControls),
  );
  const needed = required.map(
    (field) => `${flagOf(field)} ${takesFile(fields[field] ?? {}) ? '<file>' : '<value>'}`,
  );
  return [
    replaceControls(`${title}: ${description}`),
    `Price: ${priceText(price.credit)}.`,
    '',
    replaceControls(['atelier call', name, ...needed].join(' ')),
    '',
    table(rows, { ...output, isTTY: false }),
    switchTable(CALL_SWITCHES, output),
  ].join('\n');
}

export const priceText = (credits: number): string =>
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
