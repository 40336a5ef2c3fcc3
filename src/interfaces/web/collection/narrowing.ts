import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import { colorField } from '../../../features/artworks/tools/color_field.ts';
import { SEARCH_MEDIUM_CHARACTERS_MAX } from '../../../features/artworks/tools/limits.ts';
import type { FoundWorks, InvalidQuery } from './found_works.ts';
import { ASKED_CHARACTERS_MAX } from './limits.ts';
import { addressOf, colorsOf, FILTERS, type FilterField, type SearchQuery } from './search_query.ts';
import { centuryLabel, filterLabel, LICENCES, museumLabel, numberOf } from './words.ts';

type Facets = FoundWorks['answer']['facets'];

/** Colour names of the search: hues, then neutrals. */
const DOTS = [
  'red',
  'orange',
  'yellow',
  'green',
  'teal',
  'blue',
  'violet',
  'pink',
  'brown',
  'black',
  'grey',
  'white',
];

/** Filters: colours, facets and typed bounds. */
export const narrowing = (
  asked: SearchQuery,
  facets: Facets | undefined,
  misasked: InvalidQuery | undefined,
): Html =>
  html`<div class="narrow">
<fieldset class="facet"><legend>Colour</legend><div class="dots">${DOTS.map((name) => dot(name, colorsOf(asked)))}</div></fieldset>
<details class="facets"${misasked ? html` open` : ''}><summary>${summaryOf(asked)}</summary>
${
  facets
    ? html`${facet('Museum', 'museum', asked, { counts: facets.museum, label: museumLabel })}
${facet('Kind', 'medium', asked, { counts: facets.medium })}
${facet('Century', 'century', asked, { counts: facets.century, label: centuryLabel, byNumber: true })}
${facet('Licence', 'licence', asked, { counts: facets.licence, label: (name) => LICENCES[name as keyof typeof LICENCES] ?? name })}`
    : ''
}
${bounds(asked, misasked)}
</details></div>`;

const dot = (name: string, chosen: readonly string[]): Html =>
  html`<label title="${name}"><input type="radio" name="colors" form="search" value="${name}" aria-label="${name}"${chosen.length === 1 && chosen[0] === name ? html` checked` : ''}><svg viewBox="0 0 22 22" aria-hidden="true"><circle cx="11" cy="11" r="10.5" fill="${colorField.parse(name)}" stroke="#808080"/></svg></label>`;

const summaryOf = (asked: SearchQuery): string => {
  const chosen = FILTERS.filter((field) => field !== 'colors' && asked[field] !== '').length;
  return `Museum, kind, century, licence${chosen > 0 ? `: ${chosen} selected` : ''}`;
};

interface FacetOf {
  readonly counts: Readonly<Record<string, number>>;
  readonly label?: (value: string) => string;
  readonly byNumber?: boolean;
}

/** Each value links to the search filtered by it, the active one to the search without it. */
function facet(
  legend: string,
  field: FilterField,
  asked: SearchQuery,
  { counts, label = (value) => value, byNumber = false }: FacetOf,
): Html {
  const entries = Object.entries(counts).sort(([one, few], [other, many]) =>
    byNumber ? Number(one) - Number(other) : many - few,
  );
  if (entries.length === 0) return html``;
  return html`<div class="facet"><h2 class="minor">${legend}</h2><ul>${entries.map(([value, count]) => {
    const isChosen = asked[field] === value;
    return html`<li><a href="${addressOf(asked, { [field]: isChosen ? '' : value })}"${isChosen ? html` aria-current="true"` : ''}><span>${label(value)}</span><span class="count">${numberOf(count)}</span></a></li>`;
  })}</ul></div>`;
}

const BOUNDS = [
  { field: 'century', label: 'Period', inputmode: 'text', hint: '17, 1880s, before 1700' },
  { field: 'year_from', label: 'From year', inputmode: 'text', hint: '' },
  { field: 'year_to', label: 'To year', inputmode: 'text', hint: '' },
  { field: 'min_px', label: 'Minimum long side, px', inputmode: 'numeric', hint: '' },
  { field: 'height_cm', label: 'Height, cm', inputmode: 'text', hint: '20-40, max 40' },
  { field: 'width_cm', label: 'Width, cm', inputmode: 'text', hint: '' },
  { field: 'area', label: 'Area', inputmode: 'text', hint: '48.85,2.35,50 (degrees, km)' },
  { field: 'medium', label: 'Kind or medium', inputmode: 'text', hint: 'painting, oil on canvas, etching' },
  { field: 'like', label: 'Similar to an image', inputmode: 'text', hint: 'artwork:… or https://…' },
] as const;

/** Fields of the form at the head of the page. */
const bounds = (asked: SearchQuery, misasked: InvalidQuery | undefined): Html =>
  html`<fieldset class="facet bounds"><legend>More filters</legend>
${BOUNDS.map(({ field, label, inputmode, hint }) => {
  const isWrong = misasked?.field === field;
  return html`<label${/^(year|height|width)/.test(field) ? html` class="half"` : ''}><span>${label}</span><input name="${field}" form="search" value="${asked[field]}" inputmode="${inputmode}" maxlength="${field === 'medium' ? SEARCH_MEDIUM_CHARACTERS_MAX : ASKED_CHARACTERS_MAX}" autocomplete="off"${hint ? html` placeholder="${hint}"` : ''}${isWrong ? html` aria-invalid="true" aria-describedby="misasked" autofocus` : ''}></label>`;
})}
<label class="tick"><input type="checkbox" name="has_image" form="search" value="true"${asked.has_image === 'true' ? html` checked` : ''}>Only works with an image</label>
<button form="search">Apply filters</button></fieldset>`;

/** Active filters; each links to the search without it. */
export function chips(asked: SearchQuery, address = addressOf): Html {
  const colors = colorsOf(asked).map((color, at, all) => ({
    label: color,
    without: address(asked, { colors: all.filter((_, other) => other !== at).join(',') }),
  }));
  const others = FILTERS.filter((field) => field !== 'colors' && asked[field] !== '').map((field) => ({
    label: filterLabel(field, asked[field]),
    without: address(asked, { [field]: '' }),
  }));
  const all = [...colors, ...others];
  if (all.length === 0) return html``;
  return html`<ul class="chips small" aria-label="Filters">${all.map(
    ({ label, without }) =>
      html`<li><a class="chip" href="${without}" aria-label="Remove ${label}">${label} <span aria-hidden="true">×</span></a></li>`,
  )}</ul>`;
}
