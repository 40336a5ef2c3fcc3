import { html } from 'hono/html';
import { MCP_CLIENTS } from '../../catalog/mcp_clients.ts';
import { WELCOME_CREDITS } from '../../config/limits.ts';
import type { Html } from '../../core/html/html_page.ts';
import { type PageFileName, pageFile } from '../../core/html/page_files.ts';
import { highestPrice, isFree } from '../../features/definitions/price.ts';
import type { AnyTool } from '../../features/definitions/tool.ts';
import { callTabs, clientText, commandNote, type Tab } from './call_tabs.ts';
import { creditsLabel } from './frame.ts';
import { priceLabel } from './labels.ts';
import { noInput } from './no_input.ts';
import { sampleAddress, sampleOf } from './samples.ts';
import { SHOWN_RESULTS } from './tools/shown_results.ts';
import { tryForm } from './tools/take_picture.ts';
import { TASKS } from './tools/tasks.ts';
import { definePage, type Studio } from './types.ts';

const SUMMARY =
  'Edit, enlarge, cut out, print, watermark and find images in the browser, over HTTP, MCP and the command line.';

/** Home page: tasks with an image each, an upload form, connection settings for agents, and the server status. */
export const homePage = definePage({
  name: 'home',
  path: '/',
  input: noInput,
  show: async (_input, visit) => {
    const { studio } = visit;
    const free = studio.tools.filter(({ price }) => isFree(price)).length;
    return {
      title: 'Image tools for people and agents',
      summary: SUMMARY,
      shape: 'wide',
      files: ['studio.css', 'tool.css', 'home.css', 'copy.ts', 'try_tools.ts'],
      policy: { 'form-action': "'self'", 'img-src': "'self' blob:" },
      heading: html``,
      body: html`<div class="hero">
<div class="stack"><h1>Image tools for people and agents</h1>
<p class="lead quiet">${SUMMARY}</p>
${await tryForm('', visit, 'See what each tool does with your image')}
<p class="quiet">To edit several images, or to work with other people and agents, <a href="/table">open a table</a>.</p></div>
<div class="shown">${contactSheet(studio.tools)}</div>
</div>
<section><form action="/tools" role="search"><div class="ask"><input type="search" name="query" maxlength="200" placeholder="What do you want to do?" aria-label="Search the tools" size="1"><button>Search</button></div></form>
${tasks(studio)}
<p class="quiet">${studio.tools.length} tools, ${free} of them free. <a href="/tools">Show all tools with prices</a></p></section>
<section class="split even"><div class="stack"><h2>Connect an agent</h2><p class="quiet">The same tools over MCP, HTTP, a command line and a TypeScript client. Free tools need no account; a new wallet has ${WELCOME_CREDITS} credits, and failed calls are never charged.</p><p><a href="/docs/guides/first_calls">First calls</a></p></div>
${callTabs('connect', 'Connect', connections(studio))}</section>
<section><div class="head"><h2>Server status</h2><a href="/operate">Operate</a></div>
${await figures(studio)}</section>`,
    };
  },
});

/** Image for each task: a result of the named tool. */
const FACES: Readonly<Record<string, string>> = {
  'clean-up': 'erase_object',
  enlarge: 'upscale_image',
  'cut-out': 'compose_image',
  redraw: 'vectorize_image',
  print: 'mockup_image',
  prove: 'verify_provenance',
  describe: 'read_text',
};

function tasks({ tools }: Studio): Html {
  const shown = TASKS.flatMap((task) => {
    const face = SHOWN_RESULTS[FACES[task.id] ?? '']?.image;
    const isOffered = tools.some(({ name }) => Object.hasOwn(task.tools, name));
    return face && isOffered ? [{ ...task, face }] : [];
  });
  return html`<ul class="by-task">${shown.map(
    ({ id, title, lead, face: { file, alt, width, height } }) =>
      html`<li><a href="/tools#${id}"><span class="cell"><img src="${pageFile(file).address}" width="${width}" height="${height}" alt="${alt}" loading="lazy"></span><b>${title}</b> <span class="quiet">${lead}</span></a></li>`,
  )}
<li><a href="/collection"><span class="cell dots-cell"><svg viewBox="0 0 4 3" aria-hidden="true">${COLORS.map((color, at) => html`<rect x="${at % 4}" y="${Math.floor(at / 4)}" width="1" height="1" fill="${color}"/>`)}</svg></span><b>Find works of art</b> <span class="quiet">Search by text, colour or a similar image.</span></a></li></ul>`;
}

/** Colours of the artwork search. */
const COLORS = [
  '#b02e26',
  '#d9742b',
  '#e0b93a',
  '#4c7a3f',
  '#3a8183',
  '#355fa6',
  '#6d4a94',
  '#de98a8',
  '#70492b',
  '#181818',
  '#86857f',
  '#f0eee4',
];

/** One setting for each way to connect. */
function connections({ publicUrl, tools }: Studio): readonly Tab[] {
  const free = tools.find(({ name }) => name === 'extract_palette') ?? tools[0]!;
  const [shell, ...files] = MCP_CLIENTS.map(({ name, where, setting }) => ({
    name,
    where,
    setting: setting(`${publicUrl}/mcp`),
  }));
  const settings = [shell!, ...files.slice(0, 1)].map(({ name, where, setting }) =>
    typeof setting === 'string'
      ? `# ${name}\n${setting}`
      : `// ${name}: ${where}\n${JSON.stringify(setting, null, 2)}`,
  );
  return [
    { name: 'MCP', text: settings.join('\n\n') },
    {
      name: 'curl',
      text: `curl -s ${publicUrl}/api/uploads \\\n  -H 'Content-Type: image/jpeg' --data-binary @photo.jpg\n\ncurl -s ${publicUrl}/api/tools/${free.name} \\\n  -d '{"image": "upload:…"}'`,
    },
    {
      name: 'Command line',
      text: `npx atelier call ${free.name} \\\n  --url ${publicUrl} \\\n  --image photo.jpg`,
      note: commandNote,
    },
    {
      name: 'TypeScript',
      text: clientText(free.name, '{ image: bytes }', { publicUrl, pays: false }),
    },
  ];
}

async function figures({ startedAt, figures }: Studio): Promise<Html> {
  const { jobsWaiting, works, checksFailing } = await figures();
  const shown: readonly [string, string][] = [
    ['works in the collection', works.toLocaleString('en')],
    ['jobs queued', String(jobsWaiting)],
    ['health checks', checksFailing === 0 ? 'passing' : `${checksFailing} failing`],
    [
      'running since',
      startedAt.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' }),
    ],
  ];
  return html`<dl class="figures four">${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** Result of a tool for a sample (`scripts/make_studio_pictures.ts`). */
interface Shown {
  readonly tool: string;
  readonly sample: string;
  readonly file: PageFileName;
  readonly alt: string;
  readonly height: number;
  readonly isTransparent?: true;
}

const MADE: readonly Shown[] = [
  {
    tool: 'remove_background',
    sample: 'pear',
    file: 'made_cut_out.webp',
    alt: 'A pear without its background',
    height: 480,
    isTransparent: true,
  },
  {
    tool: 'extract_palette',
    sample: 'still_life',
    file: 'made_palette.svg',
    alt: 'Its six main colours with names and percentages',
    height: 480,
  },
  {
    tool: 'vectorize_image',
    sample: 'still_life',
    file: 'made_drawing.webp',
    alt: 'The still life redrawn as flat shapes',
    height: 360,
  },
  {
    tool: 'mockup_image',
    sample: 'still_life',
    file: 'made_bag.webp',
    alt: 'The still life printed on a cotton bag',
    height: 480,
  },
];

/** A sample image and the results of four calls, each linked to its tool with the same sample. */
function contactSheet(tools: readonly AnyTool[]): Html {
  const first = sampleOf('still_life');
  const made = MADE.flatMap((one) => {
    const tool = tools.find(({ name }) => name === one.tool);
    return tool ? [{ ...one, tool }] : [];
  });
  return html`<div class="proof"><ul class="made-of">
<li><div class="cell"><img src="${sampleAddress(first)}" width="${first.width}" height="${first.height}" alt="${first.alt}" fetchpriority="high"></div><p class="cap"><span>${first.title}</span><span class="quiet">sample</span></p>
<p class="small quiet">Made with Atelier: ${made.length} calls, ${priceOfAll(made.map(({ tool }) => tool))} in total.</p></li>
${made.map(
  ({ tool, sample, file, alt, height, isTransparent }) =>
    html`<li><div class="cell${isTransparent ? ' checks' : ''}"><img src="${pageFile(file).address}" width="480" height="${height}" alt="${alt}" loading="lazy"></div><p class="cap"><a href="/tools/${tool.name}?image=sample:${sample}">${tool.title}</a><span class="quiet">${priceLabel(tool.price)}</span></p></li>`,
)}
</ul></div>`;
}

const priceOfAll = (tools: readonly AnyTool[]): string =>
  creditsLabel(tools.reduce((sum, { price }) => sum + highestPrice(price), 0));
