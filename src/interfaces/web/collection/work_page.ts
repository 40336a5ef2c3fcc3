import { html } from 'hono/html';
import { z } from 'zod';
import type { Html } from '../../../core/html/html_page.ts';
import type { SimilarityCriterion } from '../../../features/artworks/limits.ts';
import { type PlacePoint, placePointsOf } from '../../../features/artworks/places/places_in_words.ts';
import type { ArtworkRecord } from '../../../features/artworks/records/record.ts';
import { getArtwork } from '../../../features/artworks/tools/get_artwork.ts';
import { isFree } from '../../../features/definitions/price.ts';
import { callsOf, callTabs } from '../call_tabs.ts';
import { priceLabel } from '../labels.ts';
import { definePage, type Studio, type Visit } from '../types.ts';
import { adjacentInSearch, besideLinks } from './adjacent_in_search.ts';
import { type LoadedWork, loadWork, type Work, type WorkPicture } from './load_work.ts';
import { saveToSet } from './sets_page.ts';
import { SIMILARITY_LABELS } from './words.ts';
import { workGrid } from './work_grid.ts';
import { passport, placeText, workRecord } from './work_record.ts';
import { frameAround, radiusOf, unitsOf, worldMap } from './world_map.ts';

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
    const [seen, beside] = await Promise.all([loadWork(id, visit), adjacentInSearch(id, from, visit)]);
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
${alike.map(({ by, works }) => related(`Similar ${SIMILARITY_LABELS[by].toLowerCase()}`, works, html`<a href="${likeAddress(id, by)}">Show all</a>`))}
${near.length > 0 ? related('Same maker and kind', near) : ''}
${placeMap(work.record)}
${workRecord(work)}`,
    };
  },
});

const related = (title: string, works: LoadedWork['near'], more: Html = html``): Html =>
  html`<section><div class="head"><h2>${title}</h2>${more}</div>${workGrid(works, { isFirst: false })}</section>`;

function about({ work: { record }, picture, colors }: LoadedWork, { studio, call }: Visit): Html {
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
<p class="small quiet">Use <code>artwork:${id}</code> in any image field.</p></div>`;
}

function colorsPart({ problem }: LoadedWork['picture'], colors: LoadedWork['colors']): Html {
  if (problem) return html``;
  return html`<div>${colors ? colorStrip(colors) : html`<p class="small quiet">Colours are being extracted. Reload the page to see them.</p>`}</div>`;
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

interface Share {
  readonly hex: string;
  readonly name: string;
  /** Of the picture. */
  readonly percentage: number;
}

/** Colour strip with proportional shares, labelled with colour names. */
function colorStrip(colors: readonly Share[]): Html {
  const names = colors.map(({ name }) => name).join(', ');
  const starts = colors.map((_, at) =>
    colors.slice(0, at).reduce((sum, { percentage }) => sum + percentage, 0),
  );
  return html`<svg class="strip" viewBox="0 0 100 1" preserveAspectRatio="none" role="img" aria-label="Colours: ${names}">${colors.map(
    ({ hex, percentage }, at) =>
      html`<rect x="${starts[at]!.toFixed(1)}" width="${percentage.toFixed(1)}" height="1" fill="${hex}"/>`,
  )}</svg><p class="small quiet">${names}</p>`;
}

/** Maximum display size in px; twice that for high-density screens. */
const SHOWN = { width: 860, height: 760 };

/** The image of a work with links below it, or the reason why it is missing. */
function workPicture({ record: { id, title, artists } }: Work, picture: WorkPicture): Html {
  const { service, size, problem } = picture;
  const alt = artists[0] ? `${title}, by ${artists[0].name}` : title;
  if (problem) return html`<div class="absent"><p>${problem}</p></div>${below(id, '', service)}`;
  if (!service || !size)
    return html`<at-picture class="wall unsized waiting"><img src="${picture.large}" width="900" height="675" alt="${alt}" fetchpriority="high"></at-picture>${below(id, 'Requesting the image from its museum.', service)}`;
  const [once, twice] = [fitted(size, 1), fitted(size, 2)];
  return html`<div class="proof"><img src="${sizedAddress(service, once)}" srcset="${sizedAddress(service, once)} ${once.width}w, ${sizedAddress(service, twice)} ${twice.width}w" sizes="min(${once.width}px, 100vw)" width="${once.width}" height="${once.height}" alt="${alt}" fetchpriority="high"></div>${below(
    id,
    once.width === size.width
      ? `${pixels(size)} px.`
      : `Shown at ${pixels(once)} px; original ${pixels(size)} px.`,
    service,
  )}`;
}

const below = (id: string, said: string, service: string | undefined): Html =>
  html`<div class="below small">${said ? html`<p class="quiet">${said}</p>` : ''}<p class="chips">${
    service
      ? html`<a href="/works/${id}/zoom">Deep zoom</a><a href="/iiif/manifest/${id}">IIIF manifest</a>`
      : ''
  }<a href="${likeAddress(id)}">Similar works</a></p></div>`;

/** Search for similar works, overall or by one aspect. */
const likeAddress = (id: string, by?: SimilarityCriterion): string =>
  `/collection?${new URLSearchParams({ like: `artwork:${id}`, ...(by && { like_by: by }) })}`;

type Size = NonNullable<WorkPicture['size']>;

const sizedAddress = (service: string, { width, height }: Size): string =>
  `${service}/full/${width},${height}/0/default.webp`;

const pixels = ({ width, height }: Size): string =>
  `${width.toLocaleString('en')} × ${height.toLocaleString('en')}`;

/** Scales down to the display size, never up. */
function fitted({ width, height }: Size, density: number): Size {
  const scale = Math.min(1, (SHOWN.width * density) / width, (SHOWN.height * density) / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

const KINDS = {
  made: 'made here',
  shown: 'shown',
  found: 'found here',
  named: 'named in the record',
} as const satisfies Record<PlacePoint['kind'], string>;

/** Radius of a search near a place, in km. */
const NEAR_KM = { city: 25, region: 100, country: 10 } as const satisfies Record<
  PlacePoint['precision'],
  number
>;
/** Minimum width of the map, in degrees. */
const WIDTH_MIN = 70;

/** Map of the places of a work and their roles; empty without coordinates. */
function placeMap(record: ArtworkRecord): Html {
  const points = placePointsOf(record);
  if (points.length === 0) return html``;
  const frame = frameAround(points, WIDTH_MIN);
  const dots = points.map((point) => {
    const { x, y } = unitsOf(point);
    return html`<circle cx="${x}" cy="${y}" r="${radiusOf(frame, 0.25)}"><title>${labelOf(point)}</title></circle>`;
  });
  return html`<section class="on-map"><div class="head"><h2>Places</h2></div>${worldMap(frame, html`${dots}`, `Map: ${points.map(labelOf).join('; ')}`)}
<ul class="rows small">${points.map(
    (point) =>
      html`<li><a href="${nearAddress(point)}">${point.name}</a> <span class="quiet">${KINDS[point.kind]}${point.precision === 'city' ? '' : `; a ${point.precision}, shown at its approximate centre`}${point.source === 'museum' ? '; coordinates from the museum' : ''}</span></li>`,
  )}</ul></section>`;
}

const labelOf = ({ name, kind }: PlacePoint): string => `${name}, ${KINDS[kind]}`;

const nearAddress = ({ latitude, longitude, precision }: PlacePoint): string =>
  `/collection?${new URLSearchParams({ area: `${latitude},${longitude},${NEAR_KM[precision]}` })}`;
