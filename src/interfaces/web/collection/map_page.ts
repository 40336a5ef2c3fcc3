import { html } from 'hono/html';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { isInArea, readArea } from '../../../features/artworks/places/area.ts';
import { searchArtworks } from '../../../features/artworks/tools/search_artworks.ts';
import type { SearchRequest } from '../../../features/artworks/types.ts';
import { definePage, type Visit } from '../types.ts';
import { MAPS_PER_MINUTE } from './limits.ts';
import { chips } from './narrowing.ts';
import {
  addressOf,
  mapAddressOf,
  type SearchQuery,
  searchInputOf,
  searchQueryFields,
} from './search_query.ts';
import { countOf, numberOf, placeName } from './words.ts';
import { type Frame, frameAround, type Point, radiusOf, unitsOf, WORLD, worldMap } from './world_map.ts';

type Spread = Awaited<ReturnType<Visit['studio']['context']['services']['artworks']['spread']>>;

/** Places in the list below the map. */
const LISTED = 60;
/** Minimum width of the map around an area, in degrees. */
const WIDTH_MIN = 20;

/** Map of the places of a search result. */
export const mapPage = definePage({
  name: 'collection_map',
  path: '/collection/map',
  room: '/collection',
  input: searchQueryFields,
  limit: { name: 'studio-maps', calls: MAPS_PER_MINUTE, perSeconds: 60, by: 'address' },
  show: async (asked, visit) => {
    const found = await spreadOf(asked, visit);
    const title = asked.query ? `${asked.query}: map` : 'Map of the collection';
    return {
      title,
      summary: 'Where museum works were made and which places they show.',
      shape: 'wide',
      files: ['studio.css', 'collection.css'],
      policy: { 'form-action': "'self'" },
      heading: html`<h1 class="unseen">${title}</h1>`,
      body: html`${searchForm(asked)}${chips(asked, mapAddressOf)}
${'problem' in found ? html`<p class="lead" role="alert">${found.problem}</p>` : mapped(found, asked)}`,
    };
  },
});

const searchForm = (asked: SearchQuery): Html =>
  html`<form action="/collection/map" role="search" id="search"><div class="ask"><input type="search" name="query" value="${asked.query}" maxlength="300" placeholder="What are you looking for?" aria-label="Search the map" size="1"><button>Search</button></div>${(
    ['museum', 'medium', 'century', 'licence', 'has_image', 'year_from', 'year_to', 'area'] as const
  ).map((field) =>
    asked[field] ? html`<input type="hidden" name="${field}" value="${asked[field]}">` : '',
  )}</form>`;

/** Parses the search as the tool does, without colour and similarity. */
async function spreadOf(
  { colors: _, like: __, like_by: ___, ...worded }: SearchQuery,
  visit: Visit,
): Promise<Spread | { readonly problem: string }> {
  const asked = { ...worded, colors: '', like: '', like_by: '' as const };
  const sent = searchArtworks.input.safeParse(searchInputOf(asked, { limit: 1, offset: 0 }));
  if (!sent.success) return { problem: sent.error.issues[0]?.message ?? 'Invalid search.' };
  try {
    return await visit.studio.context.services.artworks.spread(askedOf(sent.data));
  } catch (error) {
    if (error instanceof AtelierError && error.status < 500 && error.status !== 429)
      return { problem: error.message };
    throw error;
  }
}

const askedOf = (
  input: ReturnType<typeof searchArtworks.input.parse>,
): Pick<SearchRequest, 'query' | 'museum' | 'filters'> => ({
  query: input.query,
  museum: input.museum || undefined,
  filters: {
    medium: input.medium,
    century: input.century,
    licence: input.licence,
    hasImage: input.has_image,
    longSideMin: input.min_px,
    yearFrom: input.year_from,
    yearTo: input.year_to,
    height: input.height_cm,
    width: input.width_cm,
    area: input.area,
  },
});

function mapped({ works, placed, points }: Spread, asked: SearchQuery): Html {
  const frame = frameOf(asked);
  const area = asked.area === '' ? undefined : readArea(asked.area);
  // Works in the area may also have places elsewhere.
  const there = points.filter(({ latitude, longitude }) => !area || isInArea(area, latitude, longitude));
  const dots = clusterPoints(there, frame);
  const all = html`<a href="${addressOf(asked)}">Show as list</a>`;
  if (works === 0)
    return html`<p class="lead">No works match. <a href="${addressOf(asked)}">Search the collection</a></p>`;
  return html`<p role="status"><b>${countOf(works)}</b>${works === placed ? '' : html`, ${numberOf(placed)} with a known place`}. ${all}</p>
<p class="small quiet">Places where works were made or found, or which they show, according to museum records. Ambiguous names are not mapped. Countries and regions are shown at their approximate centre.</p>
${worldMap(frame, html`${dots.map((dot) => dotLink(dot, asked, { frame, most: dots[0]?.works ?? 1 }))}`, 'Map of the works found')}
${frame === WORLD ? '' : html`<p class="small"><a href="${mapAddressOf(asked, { area: '' })}">Show the whole world</a></p>`}
<section class="places"><h2>Places</h2><ol class="small">${there
    .slice(0, LISTED)
    .map(
      ({ latitude, longitude, works: count }) =>
        html`<li><a href="${addressOf(asked, { area: `${latitude},${longitude},10` })}"><span>${placeName({ latitude, longitude })}</span> <span class="count">${numberOf(count)}</span></a></li>`,
    )}</ol>${there.length > LISTED ? html`<p class="small quiet">${numberOf(there.length - LISTED)} more on the map.</p>` : ''}</section>`;
}

/** A single place links to its works, a cluster to a closer map. */
function dotLink(dot: Dot, asked: SearchQuery, { frame, most }: { frame: Frame; most: number }): Html {
  const { x, y } = unitsOf(dot);
  const label = `${dot.name}${dot.places > 1 ? ` and ${countOfPlaces(dot.places - 1)} near it` : ''}: ${countOf(dot.works)}`;
  const address =
    dot.places > 1 ? mapAddressOf(asked, { area: dot.area }) : addressOf(asked, { area: dot.area });
  return html`<a href="${address}" aria-label="${label}"><circle cx="${x}" cy="${y}" r="${radiusOf(frame, dot.works / most)}"><title>${label}</title></circle></a>`;
}

const countOfPlaces = (places: number): string =>
  `${numberOf(places)} more ${places === 1 ? 'place' : 'places'}`;

/** The world, or the requested area. */
function frameOf({ area }: SearchQuery): Frame {
  if (area === '') return WORLD;
  const read = readArea(area);
  if (!('km' in read)) {
    const { south, west, north, east } = read;
    const corners = [
      { latitude: south, longitude: west },
      { latitude: north, longitude: east },
    ];
    return west > east ? WORLD : frameAround(corners, WIDTH_MIN);
  }
  const degrees = Math.min(80, read.km / 111);
  const { latitude, longitude } = read;
  return frameAround(
    [
      { latitude: latitude - degrees, longitude: longitude - degrees },
      { latitude: latitude + degrees, longitude: longitude + degrees },
    ],
    WIDTH_MIN,
  );
}

/** A map dot: one place or a cluster. */
interface Dot extends Point {
  /** Name of the place with the most works. */
  readonly name: string;
  readonly places: number;
  readonly works: number;
  /** Value of the area filter. */
  readonly area: string;
}

/** Maximum dots across the map, so that dots do not overlap. */
const ACROSS = 30;
const DOTS_MAX = 300;
/** Radius around a place; places of the gazetteer are farther apart. */
const PLACE_KM = 10;

/** Clusters overlapping points into a dot at the place with the most works; sorted by works, descending. */
export function clusterPoints(points: readonly (Point & { readonly works: number })[], frame: Frame): Dot[] {
  const step = frame.width / ACROSS;
  const cells = new Map<string, (Point & { readonly works: number })[]>();
  for (const point of points) {
    const { latitude, longitude } = point;
    const isShown =
      longitude >= frame.west &&
      longitude <= frame.west + frame.width &&
      latitude <= frame.north &&
      latitude >= frame.north - frame.height;
    if (!isShown) continue;
    const cell = `${Math.floor(longitude / step)} ${Math.floor(latitude / step)}`;
    cells.set(cell, [...(cells.get(cell) ?? []), point]);
  }
  return [...cells.values()]
    .map(dotOf)
    .sort((one, other) => other.works - one.works)
    .slice(0, DOTS_MAX);
}

/** @param points non-empty, sorted by works, descending */
function dotOf(points: readonly (Point & { readonly works: number })[]): Dot {
  const { latitude, longitude } = points[0]!;
  const latitudes = points.map((point) => point.latitude);
  const longitudes = points.map((point) => point.longitude);
  const box = [
    Math.min(...latitudes),
    Math.min(...longitudes),
    Math.max(...latitudes),
    Math.max(...longitudes),
  ].map((degrees, at) => Math.round(100 * (degrees + (at < 2 ? -0.05 : 0.05))) / 100);
  return {
    latitude,
    longitude,
    name: placeName(points[0]!),
    places: points.length,
    works: points.reduce((sum, { works }) => sum + works, 0),
    area: points.length > 1 ? box.join(',') : `${latitude},${longitude},${PLACE_KM}`,
  };
}
