/** Searches exported documentation in the browser, without a server. Requires `sections.js`. */
import { findElement } from './find_element.ts';
import { type FoundSection, makeSectionIndex, type Section, searchSections } from './section_search.ts';

declare global {
  var docSections: readonly Section[];
}

const FIRST = 'README';
const input = findElement('input[type=search]', HTMLInputElement);
const found = findElement('#found', HTMLElement);
const query = new URLSearchParams(location.search).get('q')?.trim() ?? '';
input.value = query;

const index = makeSectionIndex();
index.addAll(docSections);
show(query === '' ? [] : searchSections(index, query));

function show(sections: readonly FoundSection[]): void {
  if (sections.length > 0) found.replaceChildren(...sections.map(itemOf));
  else if (query !== '') found.textContent = 'No pages match. Try other words.';
}

function itemOf({ id, title, heading, excerpt }: FoundSection): HTMLLIElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = addressOf(id);
  link.textContent = heading || title;
  const page = document.createElement('span');
  page.className = 'small quiet';
  page.textContent = heading ? ` ${title}` : '';
  const text = document.createElement('p');
  text.className = 'small';
  text.append(...excerpt.map((piece, at) => (at % 2 === 1 ? marked(piece) : piece)));
  item.append(link, page, text);
  return item;
}

/** @param id `guides/recipes#steps` */
function addressOf(id: string): string {
  const [name, anchor] = id.split('#');
  return `${name === FIRST ? 'index' : name}.html${anchor ? `#${anchor}` : ''}`;
}

function marked(text: string): HTMLElement {
  const mark = document.createElement('mark');
  mark.textContent = text;
  return mark;
}
