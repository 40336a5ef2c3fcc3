import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import { type PlacePoint, placePointsOf } from '../../../features/artworks/places/places_in_words.ts';
import type { ArtworkRecord } from '../../../features/artworks/records/record.ts';
import { frameAround, radiusOf, unitsOf, worldMap } from './world_map.ts';

const KINDS = {
  made: 'made here',
  shown: 'shown',
  found: 'found here',
  named: 'named in the record',
} as const satisfies Record<PlacePoint['kind'], string>;

/** Where a search for what is near looks, in km. */
const NEAR_KM = { city: 25, region: 100, country: 10 } as const satisfies Record<
  PlacePoint['precision'],
  number
>;
/** A place is shown with its part of the world, so many degrees wide. */
const WIDTH_MIN = 70;

/** Places of a work on a small map, each with what it is to the work; nothing where none has a point. */
export function placeMap(record: ArtworkRecord): Html {
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
      html`<li><a href="${nearAddress(point)}">${point.name}</a> <span class="quiet">${KINDS[point.kind]}${point.precision === 'city' ? '' : `; a ${point.precision}, shown at about its middle`}${point.source === 'museum' ? '; point given by the museum' : ''}</span></li>`,
  )}</ul></section>`;
}

const labelOf = ({ name, kind }: PlacePoint): string => `${name}, ${KINDS[kind]}`;

const nearAddress = ({ latitude, longitude, precision }: PlacePoint): string =>
  `/collection?${new URLSearchParams({ area: `${latitude},${longitude},${NEAR_KM[precision]}` })}`;
