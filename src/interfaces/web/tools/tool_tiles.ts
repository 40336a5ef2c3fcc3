import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import { pageFile } from '../../../core/html/page_files.ts';
import type { AnyTool } from '../../../features/definitions/tool.ts';
import { priceLabel } from '../price_label.ts';
import { SHOWN_RESULTS } from './shown_results.ts';
import { fieldsOf } from './tool_fields.ts';

/** A tool with one sentence for people. */
export interface ToldTool {
  readonly tool: AnyTool;
  readonly sentence: string;
}

/**
 * Tools as tiles: what each made of a sample, its name, price and sentence.
 * @param picture handle of the visitor's own image, which every tile opens with and, where the tool has previews, shows
 */
export const toolTiles = (tools: readonly ToldTool[], picture = ''): Html =>
  html`<ul class="tiles ${COLUMNS[tools.length] ?? 'four'}">${tools.map((told) => tile(told, picture))}</ul>`;

/** Rows are full where that is possible. */
const COLUMNS: Readonly<Record<number, string>> = {
  1: 'two',
  2: 'two',
  3: 'three',
  5: 'three',
  6: 'three',
  9: 'three',
};

const tile = ({ tool, sentence }: ToldTool, picture: string): Html =>
  html`<li><a href="${addressOf(tool, picture)}">${cell(tool, picture)}<span class="cap"><b>${tool.title}</b> <span class="quiet">${priceLabel(tool.price)}</span></span></a><p class="small quiet">${sentence}</p></li>`;

/** The page of the tool, with the image in it where the tool takes one. */
function addressOf(tool: AnyTool, picture: string): string {
  const path = `/tools/${tool.name}`;
  const sent = picture || (SHOWN_RESULTS[tool.name]?.sample && `sample:${SHOWN_RESULTS[tool.name]!.sample}`);
  const field = fieldsOf(tool).find(({ kind, isRequired }) => kind === 'picture' && isRequired);
  return sent && field ? `${path}?${new URLSearchParams({ [field.name]: sent })}` : path;
}

function cell(tool: AnyTool, picture: string): Html {
  const { image, facts = [], preview, isSlow } = SHOWN_RESULTS[tool.name] ?? {};
  const tried =
    picture && preview && tool.preview
      ? html` data-tool="${tool.name}" data-settings="${settingsOf(tool, preview, picture)}"${isSlow ? html` data-slow` : ''}`
      : '';
  if (image)
    return html`<at-tried class="cell${image.isTransparent ? ' checks' : ''}"${tried}><img src="${pageFile(image.file).address}" width="${image.width}" height="${image.height}" alt="${image.alt}" loading="lazy"></at-tried>`;
  return html`<span class="cell facts">${facts.map(([name, value]) => html`<span><span class="quiet">${name}</span> ${value}</span>`)}</span>`;
}

/** The fields of a preview as JSON; `$image` stands for the image inside of layers. */
function settingsOf(tool: AnyTool, preview: Readonly<Record<string, string>>, picture: string): string {
  const field = fieldsOf(tool).find(({ kind, isRequired }) => kind === 'picture' && isRequired);
  const inJson = JSON.stringify(picture).slice(1, -1);
  const settings = Object.entries(preview).map(([name, text]) => [
    name,
    text.replaceAll('$image', () => inJson),
  ]);
  return JSON.stringify({ ...Object.fromEntries(settings), ...(field && { [field.name]: picture }) });
}
