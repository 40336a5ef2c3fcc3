import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import type { AnyTool } from '../../../features/definitions/tool.ts';
import { bytesLabel, momentLabel } from '../labels.ts';
import { ROWS_SHOWN_MAX } from './limits.ts';
import { pictureAddress } from './picture_operation.ts';
import { type Made, slugHtml } from './slug.ts';
import { fieldsOf, labelOf } from './tool_fields.ts';
import { typeText } from './words.ts';

type Values = Readonly<Record<string, unknown>>;

/** Longer texts are truncated; the JSON contains all of them. */
const TEXT_CHARACTERS_MAX = 4_000;
const COLUMNS_MAX = 5;
const DEPTH_MAX = 3;

/**
 * A tool response for people: facts as rows, lists of objects as tables, colours as a strip, files as images.
 * @param ourAddress maps a URL of this server to a path of this page
 */
export function valuesHtml(values: Values, ourAddress: (address: string) => string, depth = 0): Html {
  const entries = Object.entries(values).filter(([, value]) => !isEmpty(value) && !isForPrograms(value));
  const facts = entries.filter(([, value]) => isPlain(value) || isPlainList(value));
  const palettes = entries.filter(([, value]) => isPalette(value));
  const rest = entries.filter(([, value]) => !isPlain(value) && !isPlainList(value) && !isPalette(value));
  return html`${palettes.map(([, value]) => palette(value as unknown as Color[]))}
${facts.length > 0 ? html`<dl class="rows facts">${facts.map(([name, value]) => html`<div><dt>${labelOf(name)}</dt><dd>${plain(value, ourAddress, name)}</dd></div>`)}</dl>` : ''}
${rest.map(([name, value]) => html`<section>${depth === 0 ? html`<h2 class="minor">${labelOf(name)}</h2>` : html`<h3>${labelOf(name)}</h3>`}${nested(value, ourAddress, depth)}</section>`)}`;
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** Hashes, signatures and tokens: they are in the JSON. */
const isForPrograms = (value: unknown): boolean =>
  typeof value === 'string' && (/^[0-9a-f]{40,}$/i.test(value) || /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(value));

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;
const isPlainList = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.every(isPlain) && value.length <= ROWS_SHOWN_MAX;
const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @param name of the field, which determines the unit of a number */
function plain(value: unknown, ourAddress: (address: string) => string, name: string): Html {
  if (Array.isArray(value))
    return html`${value.map((one, at) => html`${at > 0 ? ', ' : ''}${plain(one, ourAddress, name)}`)}`;
  if (typeof value === 'boolean') return html`${value ? 'yes' : 'no'}`;
  if (typeof value === 'number') return html`${numberText(name, value)}`;
  const text = String(value);
  if (/^https?:\/\/\S+$/.test(text) && text.length < 2000)
    return html`<a href="${ourAddress(text)}" rel="noreferrer">${text.length > 80 ? `${text.slice(0, 80)}…` : text}</a>`;
  if (MOMENT.test(text)) return html`<time datetime="${text}">${momentLabel(text)} UTC</time>`;
  if (/^<\w/.test(text)) return html`<code class="markup">${text}</code>`;
  if (/^#[0-9a-f]{6}$/i.test(text)) return html`${swatch(text)} ${text}`;
  return html`${text.length > TEXT_CHARACTERS_MAX ? `${text.slice(0, TEXT_CHARACTERS_MAX)}…` : text}`;
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

const swatch = (hex: string): Html =>
  html`<svg class="swatch" viewBox="0 0 1 1" aria-hidden="true"><path d="M0 0h1v1H0z" fill="${hex}"/></svg>`;

function nested(value: unknown, ourAddress: (address: string) => string, depth: number): Html {
  if (Array.isArray(value)) return list(value, ourAddress, depth);
  if (!isObject(value) || depth >= DEPTH_MAX) return json(value);
  if (isFile(value)) return fileHtml(value, ourAddress);
  if (Object.values(value).every((one) => typeof one === 'number')) return counts(value);
  return valuesHtml(value, ourAddress, depth + 1);
}

function list(values: readonly unknown[], ourAddress: (address: string) => string, depth: number): Html {
  const rows = values.filter(isObject);
  if (rows.length < values.length) return json(values);
  if (rows.every(isFile))
    return html`<div class="${rows.every(({ name }) => typeof name === 'string') ? 'contact' : 'row'}">${rows.map((row) => fileHtml(row, ourAddress))}</div>`;
  const columns = columnsOf(rows);
  if (columns.length === 0 || depth >= DEPTH_MAX) return json(values);
  const files = rows.flatMap((row) => filesIn(row)).slice(0, ROWS_SHOWN_MAX);
  return html`<div class="scroll" tabindex="0"><table class="values"><thead><tr>${columns.map((name) => html`<th scope="col">${labelOf(name)}</th>`)}</tr></thead>
<tbody>${rows.slice(0, ROWS_SHOWN_MAX).map((row) => html`<tr>${columns.map((name) => html`<td>${isEmpty(row[name]) || isForPrograms(row[name]) ? '' : plain(row[name], ourAddress, name)}</td>`)}</tr>`)}</tbody></table></div>${rows.length > ROWS_SHOWN_MAX ? html`<p class="small quiet">${ROWS_SHOWN_MAX} of ${rows.length} rows. The JSON contains all of them.</p>` : ''}${files.length > 0 ? html`<div class="row">${files.map((file) => fileHtml(file, ourAddress))}</div>` : ''}`;
}

/** Numbers by name, such as how many works each museum has. */
const counts = (value: Values): Html =>
  html`<ul class="chips">${Object.entries(value).map(([name, count]) => html`<li>${labelOf(name)} <span class="quiet">${String(count)}</span></li>`)}</ul>`;

/** Columns that identify a row come first. */
const NAMING = /^(title|name|key|tool|witness|check|rule|save_as)$/;

/** Plain members that most rows have, in the order of the first row, with identifying columns first. */
function columnsOf(rows: readonly Values[]): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const isColumn = (name: string) =>
    rows.every((row) => isEmpty(row[name]) || isPlain(row[name]) || isPlainList(row[name]));
  const count = (name: string) => rows.filter((row) => !isEmpty(row[name])).length;
  const columns = names.filter((name) => isColumn(name) && count(name) * 2 >= rows.length);
  const isNaming = (name: string) => NAMING.test(name);
  return [...columns.filter(isNaming), ...columns.filter((name) => !isNaming(name))].slice(0, COLUMNS_MAX);
}

const isPalette = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((one) => isObject(one) && isColor(one));

interface Color {
  readonly hex: string;
  readonly percentage: number;
  readonly name: string;
}

const isColor = ({ hex, percentage, name }: Values): boolean =>
  typeof hex === 'string' && typeof percentage === 'number' && typeof name === 'string';

/** A strip with proportional shares and a list with names. */
function palette(colors: readonly Color[]): Html {
  const total = colors.reduce((sum, { percentage }) => sum + percentage, 0) || 1;
  const starts = colors.map((_, at) =>
    colors.slice(0, at).reduce((sum, { percentage }) => sum + percentage, 0),
  );
  return html`<svg class="palette" viewBox="0 0 ${total} 10" preserveAspectRatio="none" role="img" aria-label="${colors.map(({ name, percentage }) => `${name} ${percentage}%`).join(', ')}">${colors.map(
    ({ hex, percentage }, at) =>
      html`<rect x="${starts[at]}" width="${percentage}" height="10" fill="${hex}"/>`,
  )}</svg>
<ul class="chips colors">${colors.map(({ hex, percentage, name }) => html`<li>${swatch(hex)} <b>${name}</b> ${hex} <span class="quiet">${percentage}%</span></li>`)}</ul>`;
}

const isFile = ({ result_url: address, content_type: type }: Values): boolean =>
  typeof address === 'string' && typeof type === 'string';

/** Files nested in a row, as in the steps of a recipe. */
const filesIn = (row: Values): Values[] => Object.values(row).filter(isObject).filter(isFile);

/** A file beside the result: a detail map, a drawing of a page. */
function fileHtml(file: Values, ourAddress: (address: string) => string): Html {
  const {
    result_url: url,
    content_type: type,
    size_bytes: size,
    width,
    height,
    result,
    bytes,
    name,
  } = file as Record<string, string>;
  const address = ourAddress(url!);
  const shown = result && PREVIEWED.test(type!) ? pictureAddress(result) : address;
  const sizeBytes = size ?? bytes;
  const side = name && width ? `${width} × ${height}, ` : '';
  const said = `${side}${typeText(type!)}${sizeBytes === undefined ? '' : `, ${bytesLabel(Number(sizeBytes))}`}`;
  return html`<figure class="beside">${width && (PREVIEWED.test(type!) || DRAWING.test(type!)) ? html`<a href="${address}"><img src="${shown}" width="${width}" height="${height}" alt="" loading="lazy"></a>` : ''}<figcaption class="small">${name ? html`<b>${name}</b><br>` : ''}<a href="${address}" download="${name ?? ''}">Download</a> <span class="quiet">${said}</span></figcaption></figure>`;
}

/** Fallback for other values. Invisible format characters, such as bidi overrides, are escaped. */
export const json = (value: unknown): Html =>
  html`<pre class="scroll" tabindex="0"><code>${JSON.stringify(value, null, 2).replace(/\p{Cf}/gu, escaped)}</code></pre>`;

const escaped = (sign: string): string =>
  Array.from(
    { length: sign.length },
    (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');

/** A tool response with its context on the page. */
export interface Result {
  readonly tool: AnyTool;
  readonly answer: Made & Readonly<Record<string, unknown>>;
  readonly seconds: number | undefined;
  /** Handle of the input image, if it is stored on this server. */
  readonly before: string | undefined;
  /** URL that shows the result again. Unset if it is shown only once. */
  readonly link: string | undefined;
  /** URL that makes a recipe from the run. Unset if it cannot be a step. */
  readonly recipe?: string | undefined;
}

/** Base URL of results and the tools they can be sent to. */
export interface Around {
  readonly publicUrl: string;
  readonly tools: readonly AnyTool[];
}

/** File types with a preview. */
const PREVIEWED = /^image\/(png|apng|jpeg|webp|avif|gif|tiff)/;
const DRAWING = /^image\/svg\+xml/;

/** One result: comparison with the input, facts, actions, next tools and the rest of the response. */
export function resultHtml(result: Result, around: Around): Html {
  const { answer, seconds, tool } = result;
  const ourAddress = addressHere(around.publicUrl);
  return html`${proofHtml([result], around)}
${slugHtml(answer, seconds)}
${actions(result, ourAddress)}
${answer.result ? sendTo(answer, around.tools, tool) : ''}
<div class="answer">${valuesHtml(restOf(answer), ourAddress)}</div>
<details class="small"><summary>Full response (JSON)</summary>${json(answer)}</details>`;
}

/** Maps a URL of this server to a path, so that it works under any host name. */
export const addressHere =
  (publicUrl: string) =>
  (address: string): string =>
    address.startsWith(`${publicUrl}/`) ? address.slice(publicUrl.length) : address;

/** Results compared with their input; without JavaScript side by side. Empty if no result is an image. */
export function proofHtml(results: readonly Result[], { publicUrl }: Pick<Around, 'publicUrl'>): Html {
  const layers = results.flatMap((result) => {
    const address = shownAt(result.answer, addressHere(publicUrl));
    return address === undefined ? [] : [{ ...result.answer, address, title: result.tool.title }];
  });
  if (layers.length === 0) return html``;
  const before = results[0]?.before === undefined ? undefined : pictureAddress(results[0].before);
  return html`<div class="proof"><at-compare>
${before ? html`<figure><img src="${before}" width="1200" height="900" alt="Original image"><figcaption>Before</figcaption></figure>` : ''}
${layers.map(
  ({ address, width = 1200, height = 900, title }, at) =>
    html`<figure class="made"><img src="${address}" width="${width}" height="${height}" alt="Result${layers.length > 1 ? ` ${at + 1}` : ''}: ${title}"${at === 0 ? html` fetchpriority="high"` : ''}><figcaption>${layers.length > 1 ? `Run ${at + 1}` : 'After'}, ${width} × ${height}</figcaption></figure>`,
)}</at-compare></div>
<div class="bar"></div>`;
}

function shownAt(
  { result, result_url: url, content_type: type = '' }: Made,
  ourAddress: (address: string) => string,
) {
  if (result === undefined || url === undefined) return undefined;
  if (DRAWING.test(type)) return ourAddress(url);
  return PREVIEWED.test(type) ? pictureAddress(result) : undefined;
}

function actions({ answer, tool, link, recipe }: Result, ourAddress: (address: string) => string): Html {
  const { result_url: url, zip_url: zip } = answer as typeof answer & { zip_url?: string };
  return html`<div class="row actions">${zip ? html`<a class="button main" href="${ourAddress(zip)}" download="${tool.name}.zip">Download all (ZIP)</a>` : ''}${url ? html`<a class="button main" href="${ourAddress(url)}" download="${fileName(tool.name, answer)}">Download</a>` : ''}${link ? html`<at-link><a class="button" href="${link}">Link to this run</a></at-link>` : ''}${recipe ? html`<a class="button" href="${recipe}">Save as recipe</a>` : ''}</div>`;
}

/** The client's file name, else "resize_image_800x600.png" */
export function fileName(tool: string, { name, width, height, result = '' }: Made): string {
  if (name) return name;
  const size = width !== undefined && height !== undefined ? `_${width}x${height}` : '';
  const ending = /\.\w{1,5}$/.exec(result)?.[0] ?? '';
  return `${tool}${size}${ending}`;
}

/** Links to tools that accept this result as input. */
function sendTo({ result, content_type: type = '' }: Made, tools: readonly AnyTool[], made: AnyTool): Html {
  const kind = type.startsWith('image/') && type !== 'image/svg+xml' ? 'picture' : 'file';
  const takers = tools.flatMap((tool) => {
    const field = fieldsOf(tool).find((one) => one.kind === kind && (one.isRequired || kind === 'file'));
    return field && tool.name !== made.name ? [{ tool, field }] : [];
  });
  return html`<div class="row"><h2 class="minor">Send to</h2><ul class="chips">${takers.map(
    ({ tool: { name, title }, field }) =>
      html`<li><a href="/tools/${name}?${new URLSearchParams({ [field.name]: result ?? '' }).toString()}">${title}</a></li>`,
  )}</ul></div>`;
}

const SAID_ABOVE =
  /^(image_b64|svg|metadata|engine|degraded|degraded_reason|provider|cost|payment|next_steps|looked_at|warnings)$/;
/** Fields shown as actions. */
const OF_ACTIONS = /^(zip|zip_url|zip_bytes)$/;
const OF_THE_FILE = /^(width|height|name|content_type|size_bytes|result|result_url|quality)$/;

/** Fields not shown in the fact line or the actions. */
const restOf = (answer: Result['answer']): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(answer).filter(
      ([name]) =>
        !SAID_ABOVE.test(name) && !OF_ACTIONS.test(name) && !(answer.result_url && OF_THE_FILE.test(name)),
    ),
  );

/** Names of powers of ten for probabilities. */
const COUNTS = [
  [1e12, 'trillion'],
  [1e9, 'billion'],
  [1e6, 'million'],
] as const;

/**
 * A number of a response for people: "42 dB", "95%", "3 in 100 billion", "1.2 MB", "1,280".
 * @param name of the field, which determines the unit
 */
export function numberText(name: string, value: number): string {
  if (/probability|chance/.test(name)) return chanceText(value);
  if (/_db$/.test(name)) return `${rounded(value, 1)} dB`;
  if (/bytes$/.test(name)) return bytesLabel(value);
  if (/percent(age)?$|_pct$/.test(name)) return `${rounded(value, 1)}%`;
  if (/(^|_)(confidence|similarity|share)$/.test(name) && value >= 0 && value <= 1) return shareText(value);
  if (/(^|_)(dpi|ppi)$/.test(name)) return `${rounded(value, 0)} dpi`;
  if (/(^|_)ms$/.test(name)) return `${rounded(value, 0)} ms`;
  if (/year|port|code/.test(name)) return String(value);
  return rounded(value, Math.abs(value) >= 100 ? 0 : 3);
}

const rounded = (value: number, digits: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: digits });

/** "more than 99.9%" for values just below 1. */
function shareText(share: number): string {
  if (share > 0.999 && share < 1) return 'more than 99.9%';
  if (share > 0 && share < 0.001) return 'less than 0.1%';
  return `${rounded(100 * share, 1)}%`;
}

/** "1 in 20", "3 in 100 billion", "less than 1 in a trillion" */
function chanceText(chance: number): string {
  if (chance <= 0) return '0';
  if (chance >= 0.01) return `${rounded(100 * chance, 1)}%`;
  if (chance < 1e-12) return 'less than 1 in a trillion';
  const power = Math.ceil(-Math.log10(chance));
  const among = 10 ** power;
  const count = Math.round(chance * among);
  const [size, word] = COUNTS.find(([least]) => among >= least) ?? [1, ''];
  return `${count} in ${rounded(among / size, 0)}${word && ` ${word}`}`;
}
