import { html } from 'hono/html';
import { UPLOAD_BYTES_MAX } from '../../../config/limits.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { SEARCH_QUERY_CHARACTERS_MAX } from '../../../features/artworks/tools/limits.ts';
import { searchArtworks } from '../../../features/artworks/tools/search_artworks.ts';
import { callsOf, callTabs } from '../call_tabs.ts';
import { FORM_BYTES_MAX } from '../tools/limits.ts';
import { pictureAddress, thumbnailAddress } from '../tools/picture_operation.ts';
import { takePicture } from '../tools/take_picture.ts';
import { definePage, type Shown, type Visit } from '../types.ts';
import { toolAttributes } from '../web_mcp.ts';
import { addressInSearch } from './adjacent_in_search.ts';
import { type FoundWorks, findWorks, type InvalidQuery } from './found_works.ts';
import { WORKS_A_PAGE } from './limits.ts';
import { chips, narrowing } from './narrowing.ts';
import {
  addressOf,
  colorsOf,
  FILTERS,
  mapAddressOf,
  ORDERS,
  pagesAround,
  reachOf,
  type SearchQuery,
  searchInputOf,
  searchQueryFields,
} from './search_query.ts';
import { countOf, filterLabel, numberOf, SIMILARITY_LABELS } from './words.ts';
import { workGrid } from './work_grid.ts';

/** Museum works. A search is a URL; a posted image redirects to one. */
export const collectionPage = definePage({
  name: 'collection',
  path: '/collection',
  room: '/collection',
  input: searchQueryFields,
  form: { bytesMax: FORM_BYTES_MAX, limit: { name: 'studio-image-searches', calls: 600, perSeconds: 3600 } },
  show: async (sent, visit) => {
    if (visit.form) return searchByImage(visit);
    // The link may come from an order with more pages.
    const asked = sent.from < reachOf(sent) ? sent : { ...sent, from: 0 };
    const found = await findWorks(asked, visit);
    const misasked = 'problem' in found ? found : undefined;
    const answered = 'answer' in found ? found : undefined;
    return {
      summary:
        'Public-domain works of museums: search by text, colour or a similar image. Each work lists its rights and their source.',
      title: asked.query ? `${asked.query}: collection` : 'Collection',
      shape: 'wide',
      files: [
        'studio.css',
        'collection.css',
        'picture.ts',
        'dots.ts',
        'copy.ts',
        'search_by_image.ts',
        'web_mcp.ts',
      ],
      policy: { 'form-action': "'self'", 'img-src': "'self' blob:" },
      heading: html`<h1 class="unseen">${asked.query ? `Collection: ${asked.query}` : 'Collection'}</h1>`,
      body: html`${await searchForm(asked, found, visit)}
${imageForm(asked)}
<div class="split aside">${narrowing(asked, answered?.answer.facets, misasked)}
<div>${similarTo(asked)}${chips(asked)}${answered ? results(answered, asked) : html`<p class="lead" id="misasked" role="alert">${misasked!.problem}</p>`}
<section class="same-call">${callTabs('search-call', 'Run from code', callsOf(searchArtworks, searchInputOf(asked, { limit: WORKS_A_PAGE, offset: asked.order === 'best' ? asked.from : 0 }), { publicUrl: visit.studio.publicUrl, pays: false }))}</section></div></div>`,
    };
  },
});

/** Stores a posted image and searches by it; without one, the collection is shown. */
async function searchByImage(visit: Visit): Promise<Shown> {
  try {
    return { goTo: `/collection?${new URLSearchParams({ like: await takePicture(visit) })}` };
  } catch (error) {
    if (error instanceof AtelierError && error.details.errors?.[0]?.field === 'image')
      return { goTo: '/collection' };
    throw error;
  }
}

/** Query image; a script submits it as soon as it is chosen, dropped or pasted. */
const imageForm = (asked: SearchQuery): Html =>
  html`<form id="by-image" method="post" action="/collection" enctype="multipart/form-data"><at-drop data-bytes="${UPLOAD_BYTES_MAX}" data-files="1"><label for="field-image">Search by image</label> <span class="small quiet" role="status">or drop or paste an image on this page</span><input type="file" id="field-image" name="image" accept="image/*"></at-drop><details hidden><summary>Handle</summary><input type="hidden" name="image"></details><noscript><button>Search by image</button></noscript><a href="/collection/sets">Saved sets</a> <a href="${mapAddressOf(asked)}">Map</a></form>`;

/** Hidden inputs for filters without a visible field; a colour chosen later in the form overrides the hidden one. */
const CARRIED = [
  'colors',
  'museum',
  'century',
  'licence',
  'like_by',
  'order',
] as const satisfies readonly (keyof SearchQuery)[];

async function searchForm(asked: SearchQuery, found: FoundWorks | InvalidQuery, visit: Visit): Promise<Html> {
  const { works } = await visit.studio.context.services.artworks.edition();
  const isAsked = asked.query !== '' || FILTERS.some((field) => asked[field] !== '');
  return html`<form action="/collection" role="search" id="search"${toolAttributes(searchArtworks)}>
<div class="ask"><input type="search" name="query" value="${asked.query}" maxlength="${SEARCH_QUERY_CHARACTERS_MAX}" placeholder="What are you looking for?" aria-label="Search the collection" size="1"><button>Search</button></div>
${CARRIED.map((field) => (asked[field] ? html`<input type="hidden" name="${field}" value="${asked[field]}">` : ''))}
<div class="head"><p role="status">${'answer' in found ? html`<b>${countOf(found.answer.total_results)}</b>${isAsked ? html` <span class="quiet">of ${numberOf(works)}.</span>` : ''} <span class="quiet">Each work lists its rights and their source.</span>` : ''}</p>
<ul class="order small" aria-label="Order">${Object.entries(ORDERS).map(
    ([order, name]) =>
      html`<li><a href="${addressOf(asked, { order: order as SearchQuery['order'] })}"${order === asked.order ? html` aria-current="true"` : ''}>${name}</a></li>`,
  )}</ul></div>
</form>`;
}

/** The query image, if it is stored on this server. */
function similarTo(asked: SearchQuery): Html {
  const { like, like_by: by } = asked;
  const address = thumbnailAddress(like);
  if (like === '') return html``;
  const ways = [['', 'Overall'], ...Object.entries(SIMILARITY_LABELS)] as const;
  const choice = html`<ul class="order small" aria-label="Similar by">${ways.map(
    ([way, label]) =>
      html`<li><a href="${addressOf(asked, { like_by: way as SearchQuery['like_by'] })}"${way === by ? html` aria-current="true"` : ''}>${label}</a></li>`,
  )}</ul>`;
  if (address === undefined) return choice;
  return html`${choice}<p class="similar-to"><at-picture class="thumb"><img src="${address}" width="96" height="96" alt="Query image"></at-picture><a href="${pictureAddress(like)!}">Show query image</a></p>`;
}

function results({ answer, works }: FoundWorks, asked: SearchQuery): Html {
  const said = saidOfSearch(answer, asked);
  const notes = answer.warnings ?? [];
  return html`${said.length > 0 ? html`<div class="said small quiet">${said.map((sentence) => html`<p>${sentence}</p>`)}</div>` : ''}
${works.length > 0 ? html`${workGrid(works, { isFirst: true, address: ({ id }, at) => addressInSearch(id, asked.from + at, asked) })}${pages(answer.total_results, works.length, asked)}` : answer.total_results > 0 ? pastTheEnd(answer.total_results, asked) : nothingFound(asked)}
${notes.length > 0 ? html`<details class="small quiet notes"><summary>${notes.length === 1 ? '1 note' : `${notes.length} notes`}</summary>${notes.map((note) => html`<p>${note}</p>`)}</details>` : ''}`;
}

/** Shown if works were withdrawn after the link was created. */
const pastTheEnd = (total: number, asked: SearchQuery): Html =>
  html`<p class="lead">Only ${countOf(total)} match. <a href="${addressOf(asked)}">Go to the first page</a></p>`;

function pages(total: number, shown: number, asked: SearchQuery): Html {
  const { previous, next } = pagesAround(asked, total);
  const reached = Math.min(total, reachOf(asked));
  const isBounded = total > reached;
  const among = isBounded ? `the first ${reached} of ${numberOf(total)}` : numberOf(total);
  return html`<nav class="pages" aria-label="Pages"><p class="quiet small">${asked.from + 1} to ${asked.from + shown} of ${among}${asked.order === 'best' ? '' : `, ${ORDERS[asked.order].toLowerCase()}`}.${isBounded && next === undefined ? ` Further results are not shown${asked.order === 'best' ? '' : ' in this order'}. Add a filter to see other works.` : ''}</p>
<p class="row">${previous === undefined ? '' : html`<a class="button" rel="prev" href="${addressOf(asked, { from: previous })}">Previous ${WORKS_A_PAGE}</a>`}${next === undefined ? '' : html`<a class="button" rel="next" href="${addressOf(asked, { from: next })}">Next ${Math.min(WORKS_A_PAGE, reached - next)}</a>`}</p></nav>`;
}

type Answer = FoundWorks['answer'];

/** Remarks on a search result, one sentence each. */
function saidOfSearch(answer: Answer, asked: SearchQuery): readonly Html[] {
  const { did_you_mean: meant, relaxed, left_out: leftOut, seen, looks_known: looks } = answer;
  const repaired = meant !== undefined && meant !== asked.query;
  return [
    repaired && html`Showing results for <b>${meant}</b>.`,
    ...relaxed
      .filter(() => answer.total_results > 0)
      .map((given) => html`${given.charAt(0).toUpperCase()}${given.slice(1)}.`),
    leftOut && answer.total_results > 0 && leftOutSentence(leftOut, asked),
    looks !== undefined && html`Colour and similarity search cover ${countOf(looks)} so far.`,
    seen?.used && html`Also searched by the content of ${numberOf(seen.works_known)} images.`,
  ].filter((sentence) => sentence !== false && sentence !== undefined) as Html[];
}

/** `years` stands for both of its fields. */
const FIELDS_OF: Readonly<Record<string, readonly (keyof SearchQuery)[]>> = {
  years: ['year_from', 'year_to'],
};

/** How many works the filters hide, and how many removing a single filter would show. */
function leftOutSentence(
  { all = 0, ...alone }: NonNullable<Answer['left_out']>,
  asked: SearchQuery,
): Html | false {
  if (all === 0) return false;
  const back = Object.entries(alone).map(([name, more]) => {
    const fields = FIELDS_OF[name] ?? [name as keyof SearchQuery];
    const without = addressOf(asked, Object.fromEntries(fields.map((field) => [field, ''])));
    return html`<a href="${without}">without ${nameOf(name, asked)}</a>, ${numberOf(more)} more`;
  });
  return html`${countOf(all)} ${all === 1 ? 'is' : 'are'} hidden by your filters${back.length > 0 ? html`: ${back.map((one, at) => html`${at > 0 ? '; ' : ''}${one}`)}` : ''}.`;
}

function nameOf(name: string, asked: SearchQuery): string {
  const field = FILTERS.find((one) => one === name);
  return field ? filterLabel(field, asked[field]) : name;
}

/** Empty result: links that remove a filter. */
function nothingFound(asked: SearchQuery): Html {
  const ways = FILTERS.filter((field) => asked[field] !== '').map((field) =>
    field === 'museum'
      ? html`<a href="${addressOf(asked, { museum: '' })}">look in all museums</a>`
      : html`<a href="${addressOf(asked, { [field]: '' })}">remove ${field === 'colors' ? colorsOf(asked).join(' and ') : filterLabel(field, asked[field])}</a>`,
  );
  if (ways.length === 0)
    return html`<p class="lead">No works match. Try fewer or other words, or <a href="/collection">show the whole collection</a>.</p>`;
  return html`<p class="lead">No works match. To find more, ${ways.map((way, at) => html`${at > 0 ? ', or ' : ''}${way}`)}.</p>`;
}
