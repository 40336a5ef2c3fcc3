import { setImmediate } from 'node:timers/promises';
import { Marked } from 'marked';
import {
  type FoundSection,
  makeSectionIndex,
  type Section,
  type SectionIndex,
  searchSections,
} from '../../../core/html/browser/section_search.ts';
import { anchorOf } from './doc_html.ts';
import { type Doc, readDocs } from './read_docs.ts';

let index: Promise<SectionIndex> | undefined;

/** Builds the index at the first search, one page at a time, so that it does not block other requests. */
export async function searchDocs(query: string): Promise<readonly FoundSection[]> {
  index ??= makeIndex();
  return searchSections(await index, query);
}

async function makeIndex(): Promise<SectionIndex> {
  const made = makeSectionIndex();
  for (const doc of readDocs().values()) {
    made.addAll(sectionsOf(doc));
    await setImmediate();
  }
  return made;
}

/** Plain text of a page by heading. */
export function sectionsOf({ name, title, markdown }: Doc): Section[] {
  const sections: { id: string; title: string; heading: string; text: string }[] = [
    { id: name, title, heading: '', text: '' },
  ];
  for (const token of new Marked().lexer(markdown)) {
    if (token.type !== 'heading') sections.at(-1)!.text += ` ${plain(token.raw)}`;
    else if (token.depth > 1)
      sections.push({ id: `${name}#${anchorOf(token.text)}`, title, heading: plain(token.text), text: '' });
  }
  // Identical headings of a page share an anchor.
  return [
    ...new Map(sections.map((section) => [section.id, { ...section, text: section.text.trim() }])).values(),
  ];
}

/** Strips Markdown syntax and link targets. */
const plain = (markdown: string): string =>
  markdown
    .replace(/^```\w*$/gm, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*|]|^#+ |:?-{3,}:?/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim();
