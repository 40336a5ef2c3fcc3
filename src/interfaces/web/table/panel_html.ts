import { html } from 'hono/html';
import { factsText, type Item } from '../../../core/html/browser/table_state.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { highestPrice } from '../../../features/definitions/price.ts';
import type { AnyTool } from '../../../features/definitions/tool.ts';
import { creditsLabel } from '../frame.ts';
import { priceLabel } from '../labels.ts';
import { fieldHtml, namesTick } from '../tools/drop_html.ts';
import { editorHtml, formHtml, isSetOnImage } from '../tools/editors.ts';
import type { Expected } from '../tools/expect_run.ts';
import { partsHtml } from '../tools/parts_html.ts';
import { newPress } from '../tools/post_run.ts';
import { type Settings, textOf } from '../tools/settings.ts';
import { missing } from '../tools/ticket.ts';
import type { Field } from '../tools/tool_fields.ts';
import { type Refusal, secondsText } from '../tools/words.ts';
import type { Visitor } from '../types.ts';
import { itemAddress } from './items_html.ts';
import { isComposing, type Job, selectionField } from './jobs.ts';
import type { OpenTable } from './read_table.ts';
import type { TableRunnable } from './table_runnable.ts';
import { imagesText } from './words.ts';

/** State that the panel is rendered from. */
export interface Panel {
  readonly table: OpenTable;
  /** Path of the page. */
  readonly path: string;
  readonly selected: readonly Item[];
  readonly canWork: boolean;
  readonly visitor: Visitor;
}

/** Comma-separated item numbers, as in URLs. */
export const numbersText = (items: readonly Pick<Item, 'item'>[]): string =>
  items.map(({ item }) => item).join(',');

/** Parses such a text; invalid parts are dropped. */
export const numbersIn = (text: string): readonly number[] => [
  ...new Set(
    text
      .split(',')
      .map(Number)
      .filter((number) => Number.isInteger(number) && number > 0),
  ),
];

/** URL of the page with the selection and a tool. */
export const addressWith = ({ path, selected }: Pick<Panel, 'path' | 'selected'>, tool?: string): string => {
  const query = new URLSearchParams({
    ...(selected.length > 0 && { items: numbersText(selected) }),
    ...(tool && { tool }),
  });
  return query.size > 0 ? `${path}?${query.toString().replaceAll('%2C', ',')}` : path;
};

/** The selection and its actions. */
export function selectionHtml(panel: Panel, tools: readonly AnyTool[]): Html {
  const { table, selected, canWork, path } = panel;
  const [first] = selected;
  if (!first)
    return html`<div class="selection" id="selection"><h2 class="minor">Nothing selected</h2><p class="small quiet">Select an image to see its details and tools.</p></div>`;
  const only = selected.length === 1 ? first : undefined;
  const download = only
    ? html`<a class="button" href="${itemAddress(table.pass, only.item, 'full')}&amp;download=1" download="${only.name}">Download</a>`
    : html`<a class="button" href="${path}/images.zip?items=${numbersText(selected)}" download>Download ZIP</a>`;
  return html`<div class="selection" id="selection"><h2 class="minor">${only ? only.name : `${imagesText(selected.length)} selected`}</h2>
<p class="small quiet">${
    only
      ? factsText(only)
      : selected
          .map(({ name }) => name)
          .slice(0, 3)
          .join(', ')
  }${only?.caption ? html`<br><span class="caption">${only.caption}</span>` : ''}</p>
<div class="row">${download}${canWork ? hideForm(panel) : ''}${only?.act ? html`<a class="button" href="${addressWith(panel)}&amp;view=steps" data-view="steps">Steps</a>` : ''}</div>
${canWork ? quickHtml(tools, panel) : ''}${canWork ? captionsForm(tools, panel) : ''}${only && canWork ? nameForm(only, panel) : ''}</div>`;
}

/** Frequent actions with default settings, as a single button. */
const QUICK: readonly (readonly [tool: string, deed: string])[] = [
  ['remove_background', 'Cut out'],
  ['upscale_image', 'Enlarge'],
];

function quickHtml(tools: readonly AnyTool[], panel: Panel): Html {
  const images = panel.selected.filter(({ kind }) => kind === 'image').length;
  const offered = QUICK.flatMap(([name, deed]) => {
    const tool = tools.find((one) => one.name === name);
    return tool && images === panel.selected.length ? [{ tool, deed }] : [];
  });
  return html`<div class="row quick-row">${offered.map(
    ({ tool: { name, price }, deed }) =>
      html`<form method="post" action="${addressWith(panel, name)}" class="quick" data-tool="${name}"><input type="hidden" name="items" value="${numbersText(panel.selected)}"><input type="hidden" name="press" value="${newPress()}"><button name="do" value="run">${deed} (${price.kind === 'flat' ? creditsLabel(price.credits * images) : priceLabel(price)})</button></form>`,
  )}</div>`;
}

/** Writes captions into the files, if every selected image has one. */
function captionsForm(tools: readonly AnyTool[], panel: Panel): Html {
  const { selected } = panel;
  const tool = tools.find(({ name }) => name === 'infuse_metadata');
  if (!tool || !selected.every(({ kind, caption }) => kind === 'image' && caption !== '')) return html``;
  const price = pricedLabel(highestPrice(tool.price) * selected.length);
  return html`<div class="row quick-row"><form method="post" action="${addressWith(panel, tool.name)}" class="quick" data-tool="${tool.name}"><input type="hidden" name="items" value="${numbersText(selected)}"><input type="hidden" name="press" value="${newPress()}"><input type="hidden" name="metadata" value="${JSON.stringify({ alt_text: '{caption}' })}"><button name="do" value="run">Write ${selected.length === 1 ? 'caption' : 'captions'} into ${selected.length === 1 ? 'the file' : 'the files'} (${price})</button></form></div>`;
}

const hideForm = (panel: Panel): Html =>
  html`<form method="post" action="${addressWith(panel)}"><div class="row"><button name="do" value="hide">Hide</button><button name="do" value="trash">Delete</button></div></form>`;

const nameForm = ({ item, name, caption }: Item, panel: Panel): Html =>
  html`<details class="small about-item"><summary>Name and caption</summary><form method="post" action="${addressWith(panel)}" id="item-form" data-item="${item}" class="stack-small"><label><span>Name</span><input name="name" value="${name}" maxlength="120" required autocomplete="off"></label><label><span>Caption</span><textarea name="caption" maxlength="500" rows="2">${caption}</textarea></label><button name="do" value="describe">Save</button></form></details>`;

/** Every tool that takes images, by task. */
export const jobsHtml = (jobs: readonly Job[], recipes: readonly TableRunnable[], panel: Panel): Html =>
  html`<div class="jobs" id="jobs"><label class="find"><span class="unseen">Find a tool</span><input type="search" id="find-tool" placeholder="Find a tool" autocomplete="off"></label><p class="small quiet" id="none-found" role="status"></p>${jobs.map(
    ({ title, tools }) =>
      html`<section><h3 class="small quiet">${title}</h3><ul>${tools.map(
        ({ name, title: label, price, summary, words }) =>
          jobRow(panel, {
            key: name,
            title: label,
            words: findWords(summary, words),
            price: priceLabel(price),
          }),
      )}</ul></section>`,
  )}${recipes.length > 0 ? html`<section><h3 class="small quiet">Your recipes</h3><ul>${recipes.map(({ key, title, about, listed }) => jobRow(panel, { key, title, words: about, price: listed === undefined ? 'depends on its steps' : pricedLabel(listed) }))}</ul></section>` : ''}</div>`;

function jobRow(
  panel: Panel,
  { key, title, price, words }: Readonly<Record<'key' | 'title' | 'price' | 'words', string>>,
): Html {
  return html`<li><a href="${addressWith(panel, key)}" data-tool="${key}" data-words="${words.toLowerCase()}"><span>${title}</span> <span class="price small quiet">${price}</span></a></li>`;
}

const pricedLabel = (credits: number): string => (credits === 0 ? 'free' : creditsLabel(credits));

/** Search text of a tool, in addition to its title. */
const findWords = (summary: string, words = ''): string =>
  `${summary} ${words.slice(0, FIND_CHARACTERS_MAX)}`.replaceAll('`', '');

const FIND_CHARACTERS_MAX = 300;

/** A tool or a recipe opened on the selection. */
export interface OpenedTool extends TableRunnable {
  readonly settings: Settings;
  /** Parameters of the call. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly expected: Expected;
  readonly refusal: Refusal | undefined;
}

/** The form of a tool for the selection. @param foreseen resolution check with repairs */
export function toolHtml(opened: OpenedTool, panel: Panel, foreseen: Html): Html {
  const { tool, key, title, about, fields, refusal } = opened;
  const main = selectionField(fields);
  const shown = fields.filter(({ kind, name }) => kind !== 'wallet' && name !== main?.name);
  const isFirst = (field: Field) => field.isUsual || isSetOnImage(tool.name, field);
  const rest = shown.filter((field) => !isFirst(field));
  const isOpen = rest.some(({ name }) => refusal?.fields[name]);
  return html`<a class="small back" href="${addressWith(panel)}">All tools</a>
<form class="ticket" id="ticket" method="post" action="${addressWith(panel, key)}" data-tool="${key}">
<div><h2 class="minor" id="tool-title" tabindex="-1">${title}</h2><p class="small quiet">${about.replaceAll('`', '')}</p></div>
<div id="foreseen">${foreseen}</div>
${refusal ? html`<p class="note refusal" role="alert">${refusal.text}${refusal.fix ? ` ${refusal.fix}` : ''}${refusal.isPurse ? html` <a href="/wallet">Buy credits</a>` : ''}</p>` : ''}
${main ? html`<input type="hidden" name="${main.name}" value="${panel.selected[0] ? `item:${panel.selected[0].item}` : ''}">` : ''}<input type="hidden" name="items" value="${numbersText(panel.selected)}"><input type="hidden" name="workspace" value="${panel.table.pass}"><input type="hidden" name="press" value="${newPress()}">
${shown.filter(isFirst).map((field) => controlHtml(field, opened, panel))}
${rest.length > 0 ? html`<details class="more"${isOpen ? html` open` : ''}><summary>More settings</summary><div class="stack">${rest.map((field) => controlHtml(field, opened, panel))}</div></details>` : ''}
${itemOptions(panel.table)}<div id="quote" class="stack">${quoteHtml(opened, panel)}</div>
${shown.length > 0 ? namesTick() : ''}</form>
<form id="${REPAIR_FORM}" method="post" action="${addressWith(panel)}"><input type="hidden" name="do" value="repair"></form>`;
}

/** Separate form for repair buttons, because forms cannot be nested. */
export const REPAIR_FORM = 'repair';

function controlHtml(field: Field, { tool, settings, refusal }: OpenedTool, panel: Panel): Html {
  const text = settings[field.name];
  const problem = refusal?.fields[field.name];
  if (field.kind === 'picture' || field.kind === 'file') return imageControl(tool, field, text);
  if (field.kind === 'object') return partsHtml(field, text, refusal && { problems: refusal.fields });
  const control = fieldHtml(field, text, problem, (plain) => {
    const edited = editorHtml(tool.name, field, plain);
    return edited === plain ? formHtml(tool, field, plain) : edited;
  });
  return field.name === 'layers' || field.name === 'canvas' ? withStart(field, text, panel, tool) : control;
}

/** Further images come from the table or a URL. */
const imageControl = (tool: AnyTool, field: Field, text = ''): Html =>
  html`<div class="field"><label for="field-${field.name}">${field.label} <small class="quiet">optional</small></label>${editorHtml(
    tool.name,
    field,
    html`<input id="field-${field.name}" name="${field.name}" value="${text}" list="table-items" autocomplete="off" placeholder="Image on the table or https://…">`,
  )}<small class="hint quiet">${field.hint}</small></div>`;

const itemOptions = ({ state }: OpenTable): Html =>
  html`<datalist id="table-items">${state.items
    .filter(({ deleted, kind }) => !deleted && kind === 'image')
    .slice(-200)
    .map(({ item, name }) => html`<option value="item:${item}">${name}</option>`)}</datalist>`;

/** A composition starts with the selection: one image as background, several in a grid. */
function withStart(field: Field, text: string | undefined, { selected }: Panel, tool: AnyTool): Html {
  const start = field.name === 'layers' ? startLayers(selected) : startCanvas(selected);
  const value = text ?? (start === undefined ? undefined : textOf(field, start));
  return fieldHtml(field, value, undefined, (plain) => editorHtml(tool.name, field, plain));
}

const CANVAS_SIDE_PX_MAX = 4_000;

function startCanvas([first, ...others]: readonly Item[]): object | undefined {
  if (!first?.width || !first.height || others.length > 0) return undefined;
  const scale = Math.min(1, CANVAS_SIDE_PX_MAX / Math.max(first.width, first.height));
  return { width: Math.round(first.width * scale), height: Math.round(first.height * scale) };
}

function startLayers(selected: readonly Item[]): readonly object[] | undefined {
  const images = selected.filter(({ kind }) => kind === 'image').slice(0, 12);
  if (images.length === 0) return undefined;
  const columns = Math.ceil(Math.sqrt(images.length));
  const rows = Math.ceil(images.length / columns);
  const percent = (share: number) => `${Math.round(share * 1e4) / 100}%`;
  return images.map(({ item }, at) => ({
    type: 'image',
    image: `item:${item}`,
    box: {
      x: percent((at % columns) / columns),
      y: percent(Math.floor(at / columns) / rows),
      width: percent(1 / columns),
      height: percent(1 / rows),
    },
  }));
}

/** Warnings and the run button with price and time. Updated when the form changes. */
export function quoteHtml({ tool, key, title, expected, refusal }: OpenedTool, panel: Panel): Html {
  const { selected, visitor, canWork } = panel;
  const { credits, seconds, ahead, remarks } = expected;
  const count = isComposing(tool) ? 1 : Math.max(1, selected.length);
  const sum = credits === undefined ? undefined : credits * count;
  const costs = sum === undefined ? 'price depends on its steps' : pricedLabel(sum);
  const time = seconds === undefined ? '' : secondsText(seconds * count);
  const takes = time && (time.startsWith('under') ? `, ${time}` : `, about ${time}`);
  const isReady = canWork && (selected.length > 0 || isComposing(tool));
  return html`${remarks.map((remark) => html`<p class="small quiet">${remark}</p>`)}
${refusal?.isPurse ? '' : (missing(sum ?? 0, title, { ...visitor, back: addressWith(panel, key) }) ?? '')}
${ahead > 0 ? html`<p class="small quiet">${ahead} ${ahead === 1 ? 'job' : 'jobs'} ahead of you.</p>` : ''}
<button class="main" name="do" value="run"${isReady ? '' : html` disabled`}>${count > 1 ? `Apply to ${imagesText(count)}` : 'Apply'} (${costs}${takes})</button>
${canWork ? '' : html`<p class="small quiet">You can view this table. To edit it, ask its owner for an edit link.</p>`}`;
}
