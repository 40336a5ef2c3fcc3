import { html } from 'hono/html';
import { shellWord } from '../../config/shell_word.ts';
import type { Html } from '../../core/html/html_page.ts';
import type { AnyTool } from '../../features/definitions/tool.ts';

/** One form of the same call. */
export interface Tab {
  readonly name: string;
  readonly text: string;
  /** Line below the text: requirements for running it. */
  readonly note?: Html;
}

const TABS_MAX = 5;

/**
 * Tabs with several forms of the same call. They are radio inputs, so that they work without JavaScript.
 * The page must list `copy.ts` in its files.
 * @param id unique among the groups of a page
 */
export function callTabs(id: string, legend: string, tabs: readonly Tab[]): Html {
  const shown = tabs.slice(0, TABS_MAX);
  return html`<fieldset class="calls" id="${id}"><legend class="small quiet">${legend}</legend>
<div class="tabs">${shown.map(
    ({ name }, at) =>
      html`<label><input type="radio" name="${id}" value="${at + 1}"${at === 0 ? html` checked` : ''}>${name}</label>`,
  )}</div>
<div class="panes">${shown.map(pane)}</div>
</fieldset>`;
}

/** Where the command is available. */
export const commandNote: Html = html`<p class="small quiet"><code>npx atelier</code> works in a clone of the repository or with an installed release. <a href="/docs/guides/command_line#where-npx-atelier-works">Install the command line</a></p>`;

const pane = ({ text, note }: Tab): Html =>
  html`<div><at-copy><pre><code>${text}</code></pre></at-copy>${note ?? ''}</div>`;

/**
 * A call for every interface, ready to send.
 * @param params fields of the call; an image is a handle, a URL or a file name
 * @param pays whether the call needs a bearer token
 */
export function callsOf(
  tool: Pick<AnyTool, 'name'>,
  params: Readonly<Record<string, unknown>>,
  { publicUrl, pays }: { publicUrl: string; pays: boolean },
): readonly Tab[] {
  const json = JSON.stringify(params, null, 2);
  return [
    { name: 'curl', text: curlText(tool.name, json, { publicUrl, pays }) },
    { name: 'MCP', text: JSON.stringify({ name: tool.name, arguments: params }, null, 2) },
    { name: 'Command line', text: commandText(tool.name, params, { publicUrl, pays }), note: commandNote },
    { name: 'TypeScript', text: clientText(tool.name, json, { publicUrl, pays }) },
    { name: 'Python', text: pythonText(tool.name, params, { publicUrl, pays }) },
  ];
}

interface At {
  readonly publicUrl: string;
  readonly pays: boolean;
}

const curlText = (tool: string, json: string, { publicUrl, pays }: At): string =>
  [
    `curl -s ${publicUrl}/api/tools/${tool}`,
    ...(pays ? ['-H "Authorization: Bearer $ATELIER_WALLET"'] : []),
    `-d ${shellWord(json)}`,
  ].join(' \\\n  ');

/** Flags are field names with dashes; lists and objects are JSON. */
function commandText(tool: string, params: object, { publicUrl, pays }: At): string {
  const flags = Object.entries(params).flatMap(([field, value]) => {
    const flag = `--${field.replaceAll('_', '-')}`;
    if (value === true) return [flag];
    if (value === false) return [`${flag}=false`];
    return [`${flag} ${shellWord(typeof value === 'object' ? JSON.stringify(value) : String(value))}`];
  });
  return [
    `npx atelier call ${tool}`,
    `--url ${publicUrl}`,
    ...(pays ? ['--wallet "$ATELIER_WALLET"'] : []),
    ...flags,
  ].join(' \\\n  ');
}

const CLIENT = '@atelier/client';

/** @param input source text of the argument */
export const clientText = (tool: string, input: string, { publicUrl, pays }: At): string =>
  `import { createClient } from '${CLIENT}';

const atelier = createClient({ url: '${publicUrl}'${pays ? ', bearer: wallet' : ''} });
const answer = await atelier.${tool}(${input});`;

/** Uses the standard library only. */
const pythonText = (tool: string, params: object, { publicUrl, pays }: At): string =>
  [
    'import json',
    ...(pays ? ['import os'] : []),
    'import urllib.request',
    '',
    `body = json.dumps(${pythonValue(params, '')}).encode()`,
    `headers = {"Content-Type": "application/json"${pays ? ', "Authorization": "Bearer " + os.environ["ATELIER_WALLET"]' : ''}}`,
    `request = urllib.request.Request("${publicUrl}/api/tools/${tool}", body, headers)`,
    'with urllib.request.urlopen(request) as answer:',
    '    print(json.load(answer))',
  ].join('\n');

/** Python literal of a JSON value. JSON strings are valid Python strings. */
function pythonValue(value: unknown, indent: string): string {
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (value === null || value === undefined) return 'None';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}    `;
  const lines = Array.isArray(value)
    ? value.map((one) => inner + pythonValue(one, inner))
    : Object.entries(value).map(
        ([name, one]) => `${inner}${JSON.stringify(name)}: ${pythonValue(one, inner)}`,
      );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return lines.length === 0 ? `${open}${close}` : `${open}\n${lines.join(',\n')},\n${indent}${close}`;
}
