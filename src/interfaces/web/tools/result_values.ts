import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import { bytesLabel } from '../bytes_label.ts';
import { ROWS_SHOWN_MAX } from './limits.ts';
import { labelOf } from './tool_fields.ts';
import { typeText } from './words.ts';

type Values = Readonly<Record<string, unknown>>;

/** Longer texts are read in the JSON. */
const TEXT_CHARACTERS_MAX = 4_000;
const COLUMNS_MAX = 5;
const DEPTH_MAX = 3;

/**
 * What a tool answered, readable: facts as rows, lists of things as tables, colours as a strip, pictures as pictures.
 * @param ourAddress makes an address of this server one of this page
 */
export function valuesHtml(values: Values, ourAddress: (address: string) => string, depth = 0): Html {
  const entries = Object.entries(values).filter(([, value]) => !isEmpty(value));
  const facts = entries.filter(([, value]) => isPlain(value) || isPlainList(value));
  const palettes = entries.filter(([, value]) => isPalette(value));
  const rest = entries.filter(([, value]) => !isPlain(value) && !isPlainList(value) && !isPalette(value));
  return html`${palettes.map(([, value]) => palette(value as unknown as Color[]))}
${facts.length > 0 ? html`<dl class="rows facts">${facts.map(([name, value]) => html`<div><dt>${labelOf(name)}</dt><dd>${plain(value, ourAddress)}</dd></div>`)}</dl>` : ''}
${rest.map(([name, value]) => html`<section>${depth === 0 ? html`<h2 class="minor">${labelOf(name)}</h2>` : html`<h3>${labelOf(name)}</h3>`}${nested(value, ourAddress, depth)}</section>`)}`;
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;
const isPlainList = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.every(isPlain) && value.length <= ROWS_SHOWN_MAX;
const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function plain(value: unknown, ourAddress: (address: string) => string): Html {
  if (Array.isArray(value))
    return html`${value.map((one, at) => html`${at > 0 ? ', ' : ''}${plain(one, ourAddress)}`)}`;
  if (typeof value === 'boolean') return html`${value ? 'yes' : 'no'}`;
  const text = String(value);
  if (/^https?:\/\/\S+$/.test(text) && text.length < 2000)
    return html`<a href="${ourAddress(text)}" rel="noreferrer">${text.length > 80 ? `${text.slice(0, 80)}…` : text}</a>`;
  if (/^#[0-9a-f]{6}$/i.test(text)) return html`${swatch(text)} ${text}`;
  return html`${text.length > TEXT_CHARACTERS_MAX ? `${text.slice(0, TEXT_CHARACTERS_MAX)}…` : text}`;
}

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
  if (rows.every(isFile)) return html`<div class="row">${rows.map((row) => fileHtml(row, ourAddress))}</div>`;
  const columns = columnsOf(rows);
  if (columns.length === 0 || depth >= DEPTH_MAX) return json(values);
  const files = rows.flatMap((row) => filesIn(row)).slice(0, ROWS_SHOWN_MAX);
  return html`<div class="scroll" tabindex="0"><table class="values"><thead><tr>${columns.map((name) => html`<th scope="col">${labelOf(name)}</th>`)}</tr></thead>
<tbody>${rows.slice(0, ROWS_SHOWN_MAX).map((row) => html`<tr>${columns.map((name) => html`<td>${isEmpty(row[name]) ? '' : plain(row[name], ourAddress)}</td>`)}</tr>`)}</tbody></table></div>${rows.length > ROWS_SHOWN_MAX ? html`<p class="small quiet">${ROWS_SHOWN_MAX} of ${rows.length}; all are in the JSON.</p>` : ''}${files.length > 0 ? html`<div class="row">${files.map((file) => fileHtml(file, ourAddress))}</div>` : ''}`;
}

/** Numbers by name, such as how many works each museum has. */
const counts = (value: Values): Html =>
  html`<ul class="chips">${Object.entries(value).map(([name, count]) => html`<li>${labelOf(name)} <span class="quiet">${String(count)}</span></li>`)}</ul>`;

/** What a row is known by stands first. */
const NAMING = /^(title|name|key|tool|witness|check|rule|save_as)$/;

/** The plain members that most rows have, in the order of the first row but for what names it. */
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

/** In true shares, and as a list with names. */
function palette(colors: readonly Color[]): Html {
  const total = colors.reduce((sum, { percentage }) => sum + percentage, 0) || 1;
  const starts = colors.map((_, at) =>
    colors.slice(0, at).reduce((sum, { percentage }) => sum + percentage, 0),
  );
  return html`<svg class="palette" viewBox="0 0 ${total} 10" preserveAspectRatio="none" role="img" aria-label="${colors.map(({ name, percentage }) => `${name} ${percentage} %`).join(', ')}">${colors.map(
    ({ hex, percentage }, at) =>
      html`<rect x="${starts[at]}" width="${percentage}" height="10" fill="${hex}"/>`,
  )}</svg>
<ul class="chips colors">${colors.map(({ hex, percentage, name }) => html`<li>${swatch(hex)} <b>${name}</b> ${hex} <span class="quiet">${percentage} %</span></li>`)}</ul>`;
}

const isFile = ({ result_url: address, content_type: type }: Values): boolean =>
  typeof address === 'string' && typeof type === 'string';

/** The files that lie inside of a row, as those of the steps of a recipe do. */
const filesIn = (row: Values): Values[] => Object.values(row).filter(isObject).filter(isFile);

/** A file beside the result: a detail map, a drawing of a page. */
function fileHtml(file: Values, ourAddress: (address: string) => string): Html {
  const {
    result_url: url,
    content_type: type,
    size_bytes: size,
    width,
    height,
  } = file as Record<string, string>;
  const address = ourAddress(url!);
  const said = `${typeText(type!)}${size === undefined ? '' : `, ${bytesLabel(Number(size))}`}`;
  return html`<figure class="beside">${width && /^image\/(png|jpeg|webp|svg)/.test(type!) ? html`<a href="${address}"><img src="${address}" width="${width}" height="${height}" alt="" loading="lazy"></a>` : ''}<figcaption class="small"><a href="${address}" download>Download</a> <span class="quiet">${said}</span></figcaption></figure>`;
}

/** What no other form fits. Signs that are not seen but turn text round are written as JSON names them. */
export const json = (value: unknown): Html =>
  html`<pre class="scroll" tabindex="0"><code>${JSON.stringify(value, null, 2).replace(/\p{Cf}/gu, escaped)}</code></pre>`;

const escaped = (sign: string): string =>
  Array.from(
    { length: sign.length },
    (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
