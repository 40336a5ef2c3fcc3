import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import { addressOf, colorsOf, FILTERS, type SearchQuery } from './asked.ts';
import type { FoundWorks } from './found_works.ts';
import { countOf, filterLabel, numberOf } from './words.ts';

type Answer = FoundWorks['answer'];

/** What a person should know of an answer before they look at it, a sentence each. */
export function saidOfSearch(answer: Answer, asked: SearchQuery): readonly Html[] {
  const { did_you_mean: meant, relaxed, left_out: leftOut, seen, looks_known: looks } = answer;
  const repaired = meant !== undefined && meant !== asked.query;
  return [
    repaired && html`Showing results for <b>${meant}</b>.`,
    ...relaxed
      .filter(() => answer.total_results > 0)
      .map((given) => html`${given.charAt(0).toUpperCase()}${given.slice(1)}.`),
    leftOut && answer.total_results > 0 && leftOutSentence(leftOut, asked),
    looks !== undefined &&
      html`Colours and similarity are known for ${countOf(looks)}; searches by them find no others.`,
    seen?.used && html`Also searched by the content of ${numberOf(seen.works_known)} images.`,
  ].filter((sentence) => sentence !== false && sentence !== undefined) as Html[];
}

/** `years` stands for both of its fields. */
const FIELDS_OF: Readonly<Record<string, readonly (keyof SearchQuery)[]>> = {
  years: ['year_from', 'year_to'],
};

/** How many works filters leave out, and which of them alone would bring how many back. */
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

/** Where nothing is found: what to leave out, in links. */
export function nothingFound(asked: SearchQuery): Html {
  const ways = FILTERS.filter((field) => asked[field] !== '').map((field) =>
    field === 'museum'
      ? html`<a href="${addressOf(asked, { museum: '' })}">look in all museums</a>`
      : html`<a href="${addressOf(asked, { [field]: '' })}">remove ${field === 'colors' ? colorsOf(asked).join(' and ') : filterLabel(field, asked[field])}</a>`,
  );
  if (ways.length === 0)
    return html`<p class="lead">No works match. Use fewer or other words, or <a href="/collection">show the whole collection</a>.</p>`;
  return html`<p class="lead">No works match. To find more, ${ways.map((way, at) => html`${at > 0 ? ', or ' : ''}${way}`)}.</p>`;
}
