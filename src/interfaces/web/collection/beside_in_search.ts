import { html } from 'hono/html';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Html } from '../../../core/html/html_page.ts';
import type { Visit } from '../types.ts';
import { addressOf, askedFields, reachOf, type SearchQuery } from './asked.ts';
import { findWorks } from './found_works.ts';
import type { HungWork } from './hung_work.ts';
import { WORKS_A_PAGE } from './limits.ts';
import { numberOf } from './words.ts';

/** The search a work was opened from, and its place in it, as the link says. */
export interface FromSearch {
  /** Query of the address of the search; empty: the whole collection. */
  readonly search: string;
  /** Place among the works found, from 0; -1: it was opened otherwise. */
  readonly at: number;
}

/** The address of a work that was found by a search. */
export const addressInSearch = (id: string, at: number, asked: SearchQuery): string => {
  const [, search = ''] = addressOf(asked).split('?');
  return `/works/${id}?${new URLSearchParams({ ...(search && { search }), at: String(at) })}`;
};

interface Beside {
  readonly asked: SearchQuery;
  readonly at: number;
  readonly total: number;
  readonly previous?: HungWork | undefined;
  readonly next?: HungWork | undefined;
}

/** The works before and after one in the search it was opened from; undefined where the search says nothing of it any more. */
export async function besideInSearch(
  id: string,
  { search, at }: FromSearch,
  visit: Visit,
): Promise<Beside | undefined> {
  if (at < 0) return undefined;
  const read = askedFields.safeParse(Object.fromEntries(new URLSearchParams(search)));
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
    // The page of a work does without where the search is refused.
    if (error instanceof AtelierError) return undefined;
    throw error;
  }
}

/** Leads to the works beside this one, and back to the search. */
export function besideLinks(beside: Beside | undefined): Html {
  if (!beside) return html``;
  const { asked, at, total, previous, next } = beside;
  const from = Math.floor(at / WORKS_A_PAGE) * WORKS_A_PAGE;
  const link = (work: HungWork | undefined, place: number, rel: 'prev' | 'next') =>
    work
      ? html`<a rel="${rel}" href="${addressInSearch(work.id, place, asked)}" title="${work.title}">${rel === 'prev' ? 'Previous' : 'Next'}</a>`
      : '';
  return html`<nav class="beside small" aria-label="Works of the search">${link(previous, at - 1, 'prev')}<a href="${addressOf(asked, { from })}">${asked.query ? html`“${asked.query}”` : 'Search'}, ${numberOf(at + 1)} of ${numberOf(total)}</a>${link(next, at + 1, 'next')}</nav>`;
}
