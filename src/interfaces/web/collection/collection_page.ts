import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import { SEARCH_QUERY_CHARACTERS_MAX } from '../../../features/artworks/tools/limits.ts';
import { searchArtworks } from '../../../features/artworks/tools/search_artworks.ts';
import { callsOf, callTabs } from '../call_tabs.ts';
import { definePage, type Visit } from '../types.ts';
import {
  addressOf,
  askedFields,
  FILTERS,
  ORDERS,
  pagesAround,
  reachOf,
  type SearchQuery,
  searchInputOf,
} from './asked.ts';
import { type FoundWorks, findWorks, type Misasked } from './found_works.ts';
import { hang } from './hang.ts';
import { WORKS_A_PAGE } from './limits.ts';
import { chips, narrowing } from './narrowing.ts';
import { nothingFound, saidOfSearch } from './said_of_search.ts';
import { countOf, numberOf } from './words.ts';

/** The works of museums, searched by an address that can be kept and sent: no program is needed. */
export const collectionPage = definePage({
  name: 'collection',
  path: '/collection',
  room: '/collection',
  input: askedFields,
  show: async (sent, visit) => {
    // A link may be of another order, whose pages reach further.
    const asked = sent.from < reachOf(sent) ? sent : { ...sent, from: 0 };
    const found = await findWorks(asked, visit);
    const misasked = 'problem' in found ? found : undefined;
    const answered = 'answer' in found ? found : undefined;
    return {
      summary:
        'Public-domain works of seven museums, by words, colour or likeness. Each says whether it may be used.',
      title: asked.query ? `${asked.query}: collection` : 'Collection',
      shape: 'wide',
      files: ['studio.css', 'collection.css', 'picture.ts', 'dots.ts', 'copy.ts'],
      policy: { 'form-action': "'self'" },
      heading: html`<h1 class="unseen">${asked.query ? `Collection: ${asked.query}` : 'Collection'}</h1>`,
      body: html`${await searchForm(asked, found, visit)}
<div class="split aside">${narrowing(asked, answered?.answer.facets, misasked)}
<div>${chips(asked)}${answered ? results(answered, asked) : html`<p class="lead" id="misasked" role="alert">${misasked!.problem}</p>`}
<section class="same-call">${callTabs('search-call', 'The same search', callsOf(searchArtworks, searchInputOf(asked, { limit: WORKS_A_PAGE, offset: asked.order === 'best' ? asked.from : 0 }), { publicUrl: visit.studio.publicUrl, pays: false }))}</section></div></div>`,
    };
  },
});

/** What no field of the form shows is carried along unseen; a colour that is chosen after it counts instead. */
const CARRIED = [
  'colors',
  'museum',
  'century',
  'licence',
  'order',
] as const satisfies readonly (keyof SearchQuery)[];

async function searchForm(asked: SearchQuery, found: FoundWorks | Misasked, visit: Visit): Promise<Html> {
  const { works } = await visit.studio.kit.services.artworks.edition();
  const isAsked = asked.query !== '' || FILTERS.some((field) => asked[field] !== '');
  return html`<form action="/collection" role="search" id="search">
<div class="ask"><input type="search" name="query" value="${asked.query}" maxlength="${SEARCH_QUERY_CHARACTERS_MAX}" placeholder="What do you look for?" aria-label="Search the collection" size="1"><button>Search</button></div>
${CARRIED.map((field) => (asked[field] ? html`<input type="hidden" name="${field}" value="${asked[field]}">` : ''))}
<div class="head"><p role="status">${'answer' in found ? html`<b>${countOf(found.answer.total_results)}</b>${isAsked ? html` <span class="quiet">of ${numberOf(works)}.</span>` : ''} <span class="quiet">Each says whether it may be used, and who says so.</span>` : ''}</p>
<ul class="order small" aria-label="Order">${Object.entries(ORDERS).map(
    ([order, name]) =>
      html`<li><a href="${addressOf(asked, { order: order as SearchQuery['order'] })}"${order === asked.order ? html` aria-current="true"` : ''}>${name}</a></li>`,
  )}</ul></div>
</form>`;
}

function results({ answer, works }: FoundWorks, asked: SearchQuery): Html {
  const said = saidOfSearch(answer, asked);
  const notes = answer.warnings ?? [];
  return html`${said.length > 0 ? html`<div class="said small quiet">${said.map((sentence) => html`<p>${sentence}</p>`)}</div>` : ''}
${works.length > 0 ? html`${hang(works, { isFirst: true })}${pages(answer.total_results, works.length, asked)}` : answer.total_results > 0 ? pastTheEnd(answer.total_results, asked) : nothingFound(asked)}
${notes.length > 0 ? html`<details class="small quiet notes"><summary>${notes.length === 1 ? 'A note' : `${notes.length} notes`} on this answer</summary>${notes.map((note) => html`<p>${note}</p>`)}</details>` : ''}`;
}

/** Works may have been withdrawn since the link was made. */
const pastTheEnd = (total: number, asked: SearchQuery): Html =>
  html`<p class="lead">The ${countOf(total)} found end before this page. <a href="${addressOf(asked)}">See the first</a></p>`;

function pages(total: number, shown: number, asked: SearchQuery): Html {
  const { previous, next } = pagesAround(asked, total);
  const reached = Math.min(total, reachOf(asked));
  const isBounded = total > reached;
  const among = isBounded ? `the ${reached} best of ${numberOf(total)}` : numberOf(total);
  return html`<nav class="pages" aria-label="Pages"><p class="quiet small">${asked.from + 1} to ${asked.from + shown} of ${among}${asked.order === 'best' ? '' : `, ${ORDERS[asked.order].toLowerCase()}`}.${isBounded && next === undefined ? ` A search reaches no further${asked.order === 'best' ? '' : ' in this order'}. Narrow down to see others.` : ''}</p>
<p class="row">${previous === undefined ? '' : html`<a class="button" rel="prev" href="${addressOf(asked, { from: previous })}">Previous ${WORKS_A_PAGE}</a>`}${next === undefined ? '' : html`<a class="button" rel="next" href="${addressOf(asked, { from: next })}">Next ${Math.min(WORKS_A_PAGE, reached - next)}</a>`}</p></nav>`;
}
