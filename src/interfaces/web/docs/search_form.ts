import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';

export const QUERY_CHARACTERS_MAX = 200;

/** Submits to `/docs?q=`. @param style a class of the form: `find`, with `slim` above a page */
export const searchForm = (query = '', style = 'find'): Html =>
  html`<form action="/docs" role="search" class="${style}"><div class="ask"><input type="search" name="q" value="${query}" maxlength="${QUERY_CHARACTERS_MAX}" placeholder="Search the documentation" aria-label="Search the documentation" size="1"><button>Search</button></div></form>`;
