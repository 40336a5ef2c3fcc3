import { ERRORS, type ErrorCode, isRetryable } from '../core/errors/atelier_error.ts';
import type { Importer } from '../features/artworks/museums/importer.ts';
import { MUSEUM_NAMES, MUSEUMS, type MuseumName } from '../features/artworks/museums/museums.ts';
import type { AnyTool } from '../features/definitions/tool.ts';
import type { EventDefinition } from '../features/webhooks/routes/events.ts';
import { inputJsonSchema } from './envelope_schema.ts';
import { type JsonSchema, jsonSchema } from './json_schema.ts';
import { priceSentence } from './llms.ts';
import { isAlwaysOffered, isInToolsets, toolsetNames } from './mcp_tools.ts';

/** Markdown reference of every tool: price, fields and a first example. */
export const toolsReference = (tools: readonly AnyTool[]): string =>
  [
    '# Tools\n',
    'Every tool is `POST /api/tools/<name>` with one JSON object, and a tool of the same name over MCP. `dry_run: true` with the fields of any tool returns its price without running it; `async: true` makes the call a [job](../guides/long_calls.md), and `preview: true` runs an image tool on a [reduced image](../guides/editing.md#previews). Every response also has `cost` and `next_steps`; a paid call adds `payment` with a signed receipt.\n',
    '| Tool | What it does | Price |',
    '|---|---|---|',
    ...tools.map(
      (tool) =>
        `| [${code(tool.name)}](#${tool.name}) | ${cell(tool.title)} | ${cell(priceIn(tool).replace(/\.$/, ''))} |`,
    ),
    '',
    '## Toolsets\n',
    `\`/mcp?toolsets=edit,print\` limits a client to some tools, as does the header \`X-MCP-Toolsets\`. Tools marked "always" are part of every selection. \`?tools=a,b\` selects single tools, \`?readonly=true\` omits tools that change or store anything.\n`,
    '| Toolset | Tools |',
    '|---|---|',
    ...toolsetNames(tools)
      .filter((name) => name !== 'all')
      .map((name) => `| ${code(name)} | ${toolsIn(tools, name)} |`),
    `| always | ${tools.filter(isAlwaysOffered).map(codeOf).join(', ')} |`,
    '',
    tools.map(toolReference).join('\n'),
  ].join('\n');

/** A price that depends on the settings of a server is left out of the documents. */
const priceIn = (tool: AnyTool): string =>
  tool.needs
    ? 'Set by the operator, at least 1 credit; offered where an [image model](../concepts/generation.md) is configured.'
    : priceSentence(tool);

const codeOf = ({ name }: AnyTool): string => code(name);

const toolsIn = (tools: readonly AnyTool[], toolset: string): string =>
  tools
    .filter((tool) => isInToolsets(tool, new Set([toolset])) && !isAlwaysOffered(tool))
    .map(codeOf)
    .join(', ');

function toolReference(tool: AnyTool): string {
  const { name, title, summary, category, limit, examples } = tool;
  const input = inputJsonSchema(tool, 'draft-2020-12');
  const output = jsonSchema(tool.output, { target: 'draft-2020-12', io: 'output' });
  const { dry_run: _, async: __, ...properties } = input.properties as Record<string, JsonSchema>;
  const fields = Object.fromEntries(
    Object.entries(properties).filter(([field]) => field !== 'preview' || !tool.preview),
  );
  const rate = limit ? ` At most ${limit.calls} calls per ${limit.perSeconds} seconds.` : '';
  return [
    `## ${name}\n`,
    `${title}. ${summary}\n`,
    `${priceIn(tool)} Category ${category}.${rate}\n`,
    fieldTable('Field', fields, input.required, 'required'),
    fieldTable('Answer', output.properties as Record<string, JsonSchema>, output.required),
    ...(examples[0] ? [`\`\`\`json\n${JSON.stringify(examples[0], null, 2)}\n\`\`\`\n`] : []),
  ].join('\n');
}

/** @param surely the word for a field that is always present */
function fieldTable(
  heading: string,
  fields: Record<string, JsonSchema>,
  required: unknown,
  surely = 'always',
): string {
  const needed = new Set(Array.isArray(required) ? required : []);
  if (Object.keys(fields).length === 0) return `No ${heading.toLowerCase()}s.\n`;
  const rows = Object.entries(fields).map(([name, schema]) => {
    const presence =
      'default' in schema
        ? `default ${code(JSON.stringify(schema.default))}`
        : needed.has(name)
          ? surely
          : 'optional';
    return `| ${code(name)} | ${cell(typeText(schema))} | ${cell(presence)} | ${cell(String(schema.description ?? ''))} |`;
  });
  return [`| ${heading} | Type | Presence | Meaning |`, '|---|---|---|---|', ...rows, ''].join('\n');
}

const code = (text: string): string => `\`${text}\``;

/** A pipe or a line break would end the cell. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** "integer 1 to 8192", "png, jpeg or webp", "array of string", "object {a, b}". */
export function typeText(schema: JsonSchema): string {
  const { type, enum: values, const: only, anyOf, items, properties } = schema;
  if (Array.isArray(values))
    return values
      .map(String)
      .join(', ')
      .replace(/, ([^,]*)$/, ' or $1');
  if (only !== undefined) return String(only);
  if (Array.isArray(anyOf)) return anyOf.map(typeText).join(' or ');
  if (type === 'array') return `array of ${typeText((items ?? {}) as JsonSchema)}`;
  if (type === 'object') return properties ? `object {${Object.keys(properties).join(', ')}}` : 'object';
  return `${Array.isArray(type) ? type.join(' or ') : String(type ?? 'any')}${boundsText(schema)}`;
}

function boundsText({ minimum, maximum, maxLength }: JsonSchema): string {
  if (minimum !== undefined && maximum !== undefined) return ` ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` from ${minimum}`;
  return maxLength === undefined ? '' : ` of at most ${maxLength} characters`;
}

/** Markdown reference of all webhook events. */
export function eventsReference(events: Readonly<Record<string, EventDefinition>>): string {
  const sections = Object.entries(events).map(([type, { when, isPublic, data, example }]) => {
    const schema = jsonSchema(data, { target: 'draft-2020-12', io: 'output' });
    const body = { type, timestamp: '2026-11-21T10:00:00.000Z', data: example };
    return [
      `## ${type}\n`,
      `${when}${isPublic ? ' Public: sent to every endpoint that subscribes to it.' : ''}\n`,
      fieldTable('Field of `data`', schema.properties as Record<string, JsonSchema>, schema.required),
      `\`\`\`json\n${JSON.stringify(body, null, 2)}\n\`\`\`\n`,
    ].join('\n');
  });
  return [
    '# Events\n',
    'Every event a [webhook](../concepts/webhooks.md) can deliver. A notification is `{type, timestamp, data}`. An endpoint subscribes to events by name, by a pattern such as `tool.*`, or to all with `*`. An event that is not public is sent only to endpoints of the wallet it concerns.\n',
    ...sections,
  ].join('\n');
}

const PROBLEM_MEMBERS = `| Member | Purpose |
|---|---|
| \`code\` | for a program: one of the codes below. \`type\` is the URL of its page |
| \`detail\` | for a person: what went wrong in this call. \`error\` is the same text |
| \`fix\` | what to send instead |
| \`retryable\` | whether the same call may succeed later; \`Retry-After\` says when |
| \`errors\` | each invalid field, with the expected and the received value |
| \`try\` | the corrected input, if there is one |
| \`next_steps\` | complete calls that help |
| \`request_id\` | for the operator: id of the call in the log |
| \`title\`, \`status\`, \`instance\` | the title of the code, the HTTP status, and the path that was called |`;

/** Markdown table of the error codes. */
export function errorsReference(): string {
  const names = (Object.keys(ERRORS) as ErrorCode[]).sort((a, b) => ERRORS[a].status - ERRORS[b].status);
  const rows = names.map((name) => {
    const { status, title, fix } = ERRORS[name];
    return `| ${code(name)} | ${status} | ${cell(title)} | ${cell(fix)} | ${isRetryable(name) ? 'yes' : 'no'} |`;
  });
  return [
    '# Errors\n',
    `Every failure is one problem object (RFC 9457), and a failed call costs nothing.\n\n${PROBLEM_MEMBERS}\n`,
    'Over MCP the same object is in `structuredContent` of a result with `isError: true`. [Sandbox](../guides/rehearsing.md) shows how to simulate failures.\n',
    '| Code | Status | Meaning | What to do | Retry later |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

/** One setting of the reference. */
export interface SettingText {
  readonly name: string;
  readonly fallback: string;
  readonly meaning: string;
}

/** Markdown table of the settings. */
export const settingsReference = (settings: readonly SettingText[]): string =>
  [
    '# Settings\n',
    'The service reads its settings from the environment when it starts. `npx atelier config` prints those in force, without secrets. With an invalid value, the service does not start and prints the name of the setting.\n',
    '| Setting | Default | Meaning |',
    '|---|---|---|',
    ...settings.map(
      ({ name, fallback, meaning }) =>
        `| ${code(name)} | ${fallback === '' ? '' : code(fallback)} | ${cell(meaning)} |`,
    ),
    '',
  ].join('\n');

/** One metric of the reference. */
export interface MetricText {
  readonly name: string;
  readonly kind: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly isShared?: boolean;
}

/**
 * Markdown reference of every museum: the data read, the criterion for public-domain works, and the requests
 * for single works.
 */
export const museumsReference = (importers: Readonly<Record<MuseumName, Importer>>): string =>
  [
    '# Museums\n',
    'Museums in [the dataset](../concepts/dataset.md), and how their works are read: [importing](../operating/dataset.md), [adding a museum](../concepts/adding_a_museum.md).\n',
    '| Name in ids | Museum | Records are under | Proof |',
    '|---|---|---|---|',
    ...MUSEUM_NAMES.map((museum) => {
      const { name, city, policy, evidence, dataLicence } = MUSEUMS[museum];
      return `| ${code(museum)} | [${cell(name)}](${policy}), ${city} | ${dataLicence} | ${evidence} |`;
    }),
    '',
    '## Files\n',
    'Files may be compressed; `atelier dataset pull` downloads the marked ones.\n',
    '| Museum | Pulled | Files read | Proof that a work is free |',
    '|---|---|---|---|',
    ...MUSEUM_NAMES.map((museum) => {
      const { published, reads, free } = importers[museum];
      return `| ${code(museum)} | ${published ? 'yes' : ''} | ${cell(reads)} | ${cell(free)} |`;
    }),
    '',
    '## Single works\n',
    'Data that a museum returns for a single work whose record on this server is incomplete.\n',
    '| Museum | Data | Pause between requests | Key |',
    '|---|---|---|---|',
    ...MUSEUM_NAMES.map((museum) => {
      const { live } = importers[museum];
      if (!live) return `| ${code(museum)} | none: it has no endpoint for single works | | |`;
      const { gives = 'record and image', pauseMs, needs } = live;
      return `| ${code(museum)} | ${gives} | ${pauseMs / 1000} s | ${needs ? code(needs) : ''} |`;
    }),
    '',
  ].join('\n');

/** Markdown table of the metrics. */
export const metricsReference = (metrics: readonly MetricText[]): string =>
  [
    '# Metrics\n',
    'Every metric that a server or worker exposes at `/metrics` and sends to a collector; [monitoring](../operating/monitoring.md) explains them. Metrics marked *all* come from the database and are the same on every server: use the maximum, not the sum.\n',
    '| Metric | Kind | Labels | Of | Meaning |',
    '|---|---|---|---|---|',
    ...metrics.map(
      ({ name, kind, help, labels, isShared }) =>
        `| ${code(name)} | ${kind} | ${labels.map(code).join(' ')} | ${isShared ? 'all' : 'process'} | ${cell(help)} |`,
    ),
    '',
  ].join('\n');
