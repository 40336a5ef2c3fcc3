import { html } from 'hono/html';
import { z } from 'zod';
import type { Html } from '../../../core/html/html_page.ts';
import { getArtwork } from '../../../features/artworks/tools/get_artwork.ts';
import { isFree } from '../../../features/definitions/price.ts';
import { callsOf, callTabs } from '../call_tabs.ts';
import { priceLabel } from '../price_label.ts';
import { definePage, type Studio, type Visit } from '../types.ts';
import { besideInSearch, besideLinks } from './beside_in_search.ts';
import { colorStrip } from './color_strip.ts';
import { hang } from './hang.ts';
import { placeMap } from './place_map.ts';
import { type SeenWork, seeWork, type Work } from './seen_work.ts';
import { saveToSet } from './sets_page.ts';
import { LIKENESS_LABELS } from './words.ts';
import { likeAddress, workPicture } from './work_picture.ts';
import { passport, placeText, workRecord } from './work_record.ts';

export const workId = z.object({ id: z.string().max(200) });

const SEARCH_CHARACTERS_MAX = 4000;

const openedFrom = workId.extend({
  search: z.string().max(SEARCH_CHARACTERS_MAX).catch('').default(''),
  at: z.coerce.number().int().min(0).catch(-1).default(-1),
});

/** One work: image, actions, rights with their evidence, related works and its record. */
export const workPage = definePage({
  name: 'work',
  path: '/works/{id}',
  room: '/collection',
  input: openedFrom,
  show: async ({ id, ...from }, visit) => {
    const [seen, beside] = await Promise.all([seeWork(id, visit), besideInSearch(id, from, visit)]);
    const { work, picture, near, alike } = seen;
    return {
      title: work.record.title,
      shape: 'wide',
      files: ['studio.css', 'collection.css', 'work.css', 'picture.ts', 'copy.ts'],
      policy: { 'form-action': "'self'" },
      heading: html``,
      body: html`${besideLinks(beside)}<div class="split work"><div>${workPicture(work, picture)}</div>
${about(seen, visit)}
${passport(work)}</div>
${alike.map(({ by, works }) => related(`Similar ${LIKENESS_LABELS[by].toLowerCase()}`, works, html`<a href="${likeAddress(id, by)}">Show all</a>`))}
${near.length > 0 ? related('Same maker and kind', near) : ''}
${placeMap(work.record)}
${workRecord(work)}`,
    };
  },
});

const related = (title: string, works: SeenWork['near'], more: Html = html``): Html =>
  html`<section><div class="head"><h2>${title}</h2>${more}</div>${hang(works, { isFirst: false })}</section>`;

function about({ work: { record }, picture, colors }: SeenWork, { studio, call }: Visit): Html {
  const { id, title, artists, date, medium } = record;
  const { publicUrl, tools } = studio;
  const calls = callsOf(getArtwork, { artifact_id: id }, { publicUrl, pays: !isFree(getArtwork.price) });
  const maker = artists.map(({ name }) => name).join(', ') || 'Unknown maker';
  return html`<div class="stack about"><h1>${title}</h1>
<p class="lead">${maker}<br><span class="quiet">${[date, medium].filter(Boolean).join(', ')}</span></p>
<p class="quiet">${placeText(record)}</p>
${picture.problem ? '' : actions(record, picture.service, tools)}
${saveToSet(id, call.header('cookie'))}
${colorsPart(picture, colors)}
${callTabs('record-call', `Record and image links (${priceLabel(getArtwork.price)})`, calls)}
<p class="small quiet">Any image field takes <code>artwork:${id}</code>.</p></div>`;
}

function colorsPart({ problem }: SeenWork['picture'], colors: SeenWork['colors']): Html {
  if (problem) return html``;
  return html`<div>${colors ? colorStrip(colors) : html`<p class="small quiet">Colours are being measured. Reload to see them.</p>`}</div>`;
}

/** Tools that take the image, and its download. */
const actions = (
  { id }: Work['record'],
  service: string | undefined,
  tools: Studio['tools'],
): Html => html`<div class="row"><details class="use"><summary class="button main">Use in a tool</summary>
<ul>${tools
  .filter(({ category, input }) => category === 'creative' && 'image' in input.shape)
  .map(
    ({ name, title, price }) =>
      html`<li><a href="/tools/${name}?image=artwork:${id}"><span>${title}</span> <span class="price">${priceLabel(price)}</span></a></li>`,
  )}</ul></details>${service ? html`<a class="button" href="${service}/full/max/0/default.jpg" download="${id}.jpg">Download (free)</a>` : ''}</div>`;
