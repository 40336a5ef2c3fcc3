import { html } from 'hono/html';
import { z } from 'zod';
import { CREDIT_USD } from '../../../config/limits.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { pageFile } from '../../../core/html/page_files.ts';
import { isFree } from '../../../features/definitions/price.ts';
import type { AnyTool } from '../../../features/definitions/tool.ts';
import { searchTools } from '../../../features/discovery/tools/search_tools.ts';
import { askTool } from '../ask.ts';
import { callsOf, callTabs } from '../call_tabs.ts';
import { priceLabel } from '../labels.ts';
import { SAMPLES, sampleAddress } from '../samples.ts';
import { definePage, type Shown, type Visit } from '../types.ts';
import { toolAttributes } from '../web_mcp.ts';
import { FORM_BYTES_MAX } from './limits.ts';
import { openPicture, pictureAddress, sampleIn } from './picture_operation.ts';
import { SHOWN_RESULTS } from './shown_results.ts';
import { pictureFields, postedText, takePicture, tryForm } from './take_picture.ts';
import { OTHER_TASKS, TASKS } from './tasks.ts';
import { fieldsOf } from './tool_fields.ts';
import { refusalOf } from './words.ts';

const QUERY_CHARACTERS_MAX = 200;

/** All tools by task, by search, or with previews on an image: `?image=upload:…`. */
export const toolsPage = definePage({
  name: 'tools',
  path: '/tools',
  room: '/tools',
  input: z.object({
    query: z.string().trim().max(QUERY_CHARACTERS_MAX).catch('').default(''),
    image: z.string().trim().max(300).catch('').default(''),
  }),
  form: { bytesMax: FORM_BYTES_MAX, limit: { name: 'studio-tries', calls: 600, perSeconds: 3600 } },
  async show({ query, image }, visit) {
    try {
      if (visit.form) return { goTo: tryAddress(await takePicture(visit)) };
      if (image !== '') await requirePicture(image, visit);
      return await page({ query, image }, visit);
    } catch (error) {
      if (!(error instanceof AtelierError)) throw error;
      return page({ query, image: '', refusal: error }, visit);
    }
  },
});

/** The page of tools with an image. @param handle `upload:…`, `sample:pear` */
export const tryAddress = (handle: string): string => `/tools?${new URLSearchParams({ image: handle })}`;

/** @throws AtelierError as a tool for the same image */
async function requirePicture(handle: string, visit: Visit): Promise<void> {
  if (sampleIn(handle)) return;
  if (pictureAddress(handle) === undefined)
    throw new AtelierError(
      'invalid_input',
      'The link must name an image on this server: upload:…, result:…, artwork:…, asset:… or sample:….',
    );
  await openPicture(visit, handle);
}

interface Asked {
  readonly query: string;
  readonly image: string;
  readonly refusal?: AtelierError;
}

async function page({ query, image, refusal }: Asked, visit: Visit): Promise<Shown> {
  const { tools } = visit.studio;
  return {
    title: query ? `${query}: tools` : 'Tools',
    summary: `${tools.length} tools for images: edit, enlarge, cut out, print, watermark and find. Most are free.`,
    shape: 'wide',
    files: ['studio.css', 'tool.css', 'tools.css', 'copy.ts', 'picture.ts', 'try_tools.ts', 'web_mcp.ts'],
    policy: { 'form-action': "'self'", 'img-src': "'self' blob:" },
    ...(refusal && { status: refusal.status }),
    heading: html`<h1 class="unseen">${query ? `Tools: ${query}` : 'Tools'}</h1>`,
    body: html`${searchForm(query, visit)}
${refusal ? html`<p class="note" role="alert">${refusalOf(refusal, pictureFields).text}</p>` : ''}
${query ? await found(query, image, visit) : html`${await tryPart(image, refusal && visit.form ? postedText(visit.form) : '', visit)}${byTask(tools, image)}`}
<section class="same-call">${callTabs('tools-call', 'Run from code', callsOf(searchTools, query ? { query } : {}, { publicUrl: visit.studio.publicUrl, pays: false }))}</section>`,
  };
}

const searchForm = (query: string, { studio: { tools } }: Visit): Html =>
  html`<form action="/tools" role="search" class="find"${toolAttributes(searchTools)}><div class="ask"><input type="search" name="query" value="${query}" maxlength="${QUERY_CHARACTERS_MAX}" placeholder="What do you want to do?" aria-label="Search the tools" size="1"><button>Search</button></div>
<p class="head small quiet"><span>${tools.length} tools, ${tools.filter(({ price }) => isFree(price)).length} of them free. 1 credit is ${CREDIT_USD.toFixed(2)} USD; you pay only for calls that succeed.</span><a href="/runs">Your runs</a></p></form>`;

/** The image that every tile opens with, or the form to choose one. */
async function tryPart(image: string, text: string, visit: Visit): Promise<Html> {
  if (image === '')
    return html`<section class="try-on"><div class="stack"><h2>See what each tool does with your image</h2>
<p class="quiet">Choose an image or a sample. Previews appear below; they are free and need no account.</p>
<ul class="samples">${SAMPLES.map((sample) => html`<li><a href="${tryAddress(`sample:${sample.name}`)}"><img src="${sampleAddress(sample)}" width="${sample.width}" height="${sample.height}" alt="${sample.alt}"><span class="small">${sample.title}</span></a></li>`)}</ul></div>${await tryForm(text, visit)}</section>`;
  return html`<section class="try-on has-image"><div class="proof"><at-picture><img src="${pictureAddress(image)}" width="1200" height="900" alt="Your image" fetchpriority="high"></at-picture></div>
<div class="stack"><h2>What each tool does with your image</h2><p class="quiet" role="status" id="tried">Every tool below opens with this image. Previews are small and free. The other images show sample results.</p>
<p class="row"><a class="button" href="/tools">Choose another image</a></p></div></section>`;
}

function byTask(tools: readonly AnyTool[], image: string): Html {
  const shown = TASKS.map((task) => ({ ...task, told: toldBy(task.tools, tools) })).filter(
    ({ told }) => told.length > 0,
  );
  const lists = OTHER_TASKS.map((task) => ({ ...task, told: toldBy(task.tools, tools) }));
  const sorted = new Set([...TASKS, ...OTHER_TASKS].flatMap((task) => Object.keys(task.tools)));
  const rest = tools.filter(({ name }) => !sorted.has(name));
  return html`<nav class="chips tasks" aria-label="Tasks">${shown.map(({ id, title }) => html`<a href="#${id}">${title}</a>`)}</nav>
${shown.map(
  ({ id, title, lead, told }) =>
    html`<section class="task" id="${id}"><div class="told"><h2>${title}</h2><p class="quiet">${lead}</p></div>${toolTiles(told, image)}</section>`,
)}
<section class="board three" aria-label="Other tools">${lists.map(({ id, title, told }) => html`<div id="${id}"><h2 class="minor">${title}</h2><ul>${told.map(listed)}</ul></div>`)}${
    rest.length > 0
      ? html`<div><h2 class="minor">More</h2><ul>${rest.map((tool) => listed({ tool, sentence: '' }))}</ul></div>`
      : ''
  }</section>`;
}

const listed = ({ tool: { name, title, price }, sentence }: ToolSummary): Html =>
  html`<li><a href="/tools/${name}"><span>${title}${sentence ? html` <small class="quiet">${sentence}</small>` : ''}</span> <span class="price">${priceLabel(price)}</span></a></li>`;

/** The tools of a task that this server offers. */
const toldBy = (
  sentences: Readonly<Record<string, string>>,
  tools: readonly AnyTool[],
): readonly ToolSummary[] =>
  Object.entries(sentences).flatMap(([name, sentence]) => {
    const tool = tools.find((one) => one.name === name);
    return tool ? [{ tool, sentence }] : [];
  });

const SENTENCES: Readonly<Record<string, string>> = Object.assign(
  {},
  ...[...TASKS, ...OTHER_TASKS].map((task) => task.tools),
);
const FOUND_SHOWN_MAX = 12;

async function found(query: string, image: string, visit: Visit): Promise<Html> {
  const { tools, not_offered: missing } = await askTool(visit, searchTools, { query });
  const told = tools.slice(0, FOUND_SHOWN_MAX).flatMap(({ name, description }) => {
    const tool = visit.studio.tools.find((one) => one.name === name);
    return tool ? [{ tool, sentence: SENTENCES[name] ?? description }] : [];
  });
  return html`<section class="found">${missing ? html`<p class="lead">${missing.why}</p>${missing.nearest.length > 0 ? html`<ul class="nearest">${missing.nearest.map(({ tool, does }) => html`<li><a href="/tools/${tool}">${visit.studio.tools.find(({ name }) => name === tool)?.title ?? tool}</a> <span class="quiet">${does}</span></li>`)}</ul>` : ''}` : ''}
${told.length > 0 ? toolTiles(told, image) : ''}
<p class="row"><a class="button" href="/tools">Show all tools</a></p></section>`;
}

/** A tool with one sentence for people. */
interface ToolSummary {
  readonly tool: AnyTool;
  readonly sentence: string;
}

/**
 * Tools as tiles with a sample result, name, price and sentence.
 * @param picture handle of the visitor's image: every tile opens with it, and tools with previews show it
 */
const toolTiles = (tools: readonly ToolSummary[], picture = ''): Html =>
  html`<ul class="tiles ${COLUMNS[tools.length] ?? 'four'}">${tools.map((told) => tile(told, picture))}</ul>`;

/** Column counts that fill every row where possible. */
const COLUMNS: Readonly<Record<number, string>> = {
  1: 'two',
  2: 'two',
  3: 'three',
  5: 'three',
  6: 'three',
  9: 'three',
};

const tile = ({ tool, sentence }: ToolSummary, picture: string): Html =>
  html`<li><a href="${addressOf(tool, picture)}">${cell(tool, picture)}<span class="cap"><b>${tool.title}</b> <span class="quiet">${priceLabel(tool.price)}</span></span></a><p class="small quiet">${sentence}</p></li>`;

/** URL of the tool page, with the image if the tool takes one. */
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
