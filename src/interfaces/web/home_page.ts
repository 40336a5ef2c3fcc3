import { html } from 'hono/html';
import { DESCRIPTION } from '../../catalog/about.ts';
import { MCP_CLIENTS } from '../../catalog/mcp_clients.ts';
import { CREDIT_USD, WELCOME_CREDITS } from '../../config/limits.ts';
import type { Html } from '../../core/html/html_page.ts';
import { isFree } from '../../features/definitions/price.ts';
import { callTabs, clientText, type Tab } from './call_tabs.ts';
import { contactSheet } from './contact_sheet.ts';
import { noInput } from './no_input.ts';
import { priceList } from './price_list.ts';
import { type Sample, sampleAddress, sampleOf } from './samples.ts';
import { definePage, type Studio } from './types.ts';

/** What this is, on one screen: what it makes, how to connect, what it costs, and how this server is. */
export const homePage = definePage({
  name: 'home',
  path: '/',
  input: noInput,
  show: async (_input, { studio }) => ({
    title: 'A workshop for pictures',
    summary: DESCRIPTION,
    shape: 'wide',
    files: ['studio.css', 'copy.ts'],
    heading: html``,
    body: html`<div class="hero">
<div class="stack"><h1>A workshop for pictures, built for agents, open to you</h1>
<p class="lead quiet">${DESCRIPTION}</p></div>
<div class="shown">${contactSheet(studio.tools)}</div>
<div class="stack">${callTabs('connect', 'Connect', connections(studio))}
<p class="small quiet">Free tools need no account. A wallet starts with ${WELCOME_CREDITS} credits, and a failed call never costs one.</p></div>
</div>
<section><div class="head"><h2>Try one now</h2><p class="quiet small">With a sample picture; nothing to sign.</p></div>
${tryOne(studio)}</section>
<section><div class="head"><h2>Price list</h2><p class="quiet small">1 credit is ${CREDIT_USD.toFixed(2)} USD. What the server quotes before a run is what it takes.</p></div>
${priceList(studio.tools, 3)}</section>
<section><div class="head"><h2>This server, now</h2><a href="/operate">Operate</a></div>
${await figures(studio)}</section>`,
  }),
});

/** Three ways in that need no account. */
function tryOne({ tools }: Studio): Html {
  const [painting, pear, badge] = [sampleOf('still_life'), sampleOf('pear'), sampleOf('badge')];
  const cutOut = tools.find(({ name }) => name === 'remove_background');
  const ways: readonly [path: string, sample: Sample, title: string, text: string][] = [
    [
      `/tools/${cutOut?.name ?? ''}?image=sample:pear`,
      pear,
      'Cut something out',
      'A pear leaves its ground; the answer says where it is unsure.',
    ],
    [
      '/collection?color=teal',
      painting,
      'Find works by colour',
      'Public-domain works of seven museums, by word, colour or likeness.',
    ],
    ['/verify', badge, 'Ask where a picture is from', 'Witnesses look at a copy, and say what they know.'],
  ];
  return html`<div class="try">${ways.map(
    ([path, sample, title, text]) =>
      html`<a href="${path}"><img src="${sampleAddress(sample)}" width="${sample.width}" height="${sample.height}" alt="" loading="lazy"><span><b>${title}</b><span class="quiet">${text}</span></span></a>`,
  )}</div>`;
}

/** What a person writes down once: in the client they have, a shell, or a program. */
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
    },
    {
      name: 'Client',
      text: clientText(free.name, '{ image: bytes }', { publicUrl, pays: false }),
    },
  ];
}

async function figures({ tools, startedAt, figures }: Studio): Promise<Html> {
  const { jobsWaiting, works, checksFailing } = await figures();
  const shown: readonly [string, string][] = [
    ['tools', String(tools.length)],
    ['of them free', String(tools.filter(({ price }) => isFree(price)).length)],
    ['works in the collection', works.toLocaleString('en')],
    ['jobs waiting', String(jobsWaiting)],
    ['checks of health', checksFailing === 0 ? 'all well' : `${checksFailing} failing`],
    ['up since', startedAt.toLocaleDateString('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })],
  ];
  return html`<dl class="figures">${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}
