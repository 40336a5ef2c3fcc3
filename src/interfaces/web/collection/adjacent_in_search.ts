import { html } from 'hono/html';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Html } from '../../../core/html/html_page.ts';
import type { Visit } from '../types.ts';
import { findWorks } from './found_works.ts';
import { WORKS_A_PAGE } from './limits.ts';
import { addressOf, reachOf, type SearchQuery, searchQueryFields } from './search_query.ts';
import { numberOf } from './words.ts';
import type { GridWork } from './work_grid.ts';

/** The search a work was opened from, and its position, from the URL. */
export interface FromSearch {
  /** Query string of the search. Empty: the whole collection. */
  readonly search: string;
  /** Position in the results, from 0. -1: not opened from a search. */
  readonly at: number;
}

/** URL of a work in a search result. */
export const addressInSearch = (id: string, at: number, asked: SearchQuery): string => {
  const [, search = ''] = addressOf(asked).split('?');
  return `/works/${id}?${new URLSearchParams({ ...(search && { search }), at: String(at) })}`;
};

interface Beside {
  readonly asked: SearchQuery;
  readonly at: number;
  readonly total: number;
  readonly previous?: GridWork | undefined;
  readonly next?: GridWork | undefined;
}

/** Previous and next work in the search; undefined if the work is no longer at that position. */
export async function adjacentInSearch(
  id: string,
  { search, at }: FromSearch,
  visit: Visit,
): Promise<Beside | undefined> {
  if (at < 0) return undefined;
  const read = searchQueryFields.safeParse(Object.fromEntries(new URLSearchParams(search)));
  if (!read.success || at >= reachOf(read.data)) return undefined;
  const asked = { ...read.data, from: 0 };
  const pageOf = async (place: number) => {
    const from = Math.floor(place / WORKS_A_PAGE) * WORKS_A_PAGE;
    const found = await findWorks({ ...asked, from }, visit);
    return 'works' in found
      ? { total: found.answer.total_results, work: found.works[place - from] }
      : undefined;
  };
  try {
    const own = await pageOf(at);
    if (own?.work?.id !== id) return undefined;
    const last = Math.min(own.total, reachOf(asked)) - 1;
    const previous = at > 0 ? (await pageOf(at - 1))?.work : undefined;
    const next = at < last ? (await pageOf(at + 1))?.work : undefined;
    return { asked, at, total: own.total, previous, next };
  } catch (error) {
    // The work page is shown without these links if the search is rejected.
    if (error instanceof AtelierError) return undefined;
    throw error;
  }
}

/** Links to the previous and next work and back to the search. */
export function besideLinks(beside: Beside | undefined): Html {
  if (!beside) return html``;
  const { asked, at, total, previous, next } = beside;
  const from = Math.floor(at / WORKS_A_PAGE) * WORKS_A_PAGE;
  const link = (work: GridWork | undefined, place: number, rel: 'prev' | 'next') =>
    work
      ? html`<a rel="${rel}" href="${addressInSearch(work.id, place, asked)}" title="${work.title}">${rel === 'prev' ? 'Previous' : 'Next'}</a>`
      : '';
  return html`<nav class="beside small" aria-label="Works of the search">${link(previous, at - 1, 'prev')}<a href="${addressOf(asked, { from })}">${asked.query ? html`“${asked.query}”` : 'Search'}, ${numberOf(at + 1)} of ${numberOf(total)}</a>${link(next, at + 1, 'next')}</nav>`;
}
