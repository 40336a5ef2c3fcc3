/** Full text search over sections of pages: on the server for `/docs?q=`, and in the browser for an export. */
import { default as MiniSearch } from 'minisearch';
import { stemmer } from 'stemmer';

/** A part of a page, from one heading to the next. */
export interface Section {
  /** `guides/recipes#steps`; without an anchor for the beginning of a page. */
  readonly id: string;
  /** Title of the page. */
  readonly title: string;
  /** Empty for the beginning of a page. */
  readonly heading: string;
  readonly text: string;
}

export interface FoundSection extends Omit<Section, 'text'> {
  /** Text around the first match; matches are at odd indexes. */
  readonly excerpt: readonly string[];
}

export type SectionIndex = MiniSearch<Section>;

const RESULTS_MAX = 30;
const EXCERPT_CHARACTERS = 220;
/** Decisions rank lower: most searches are about tasks. */
const DECISION_WEIGHT = 0.4;

/** Stop words. */
const COMMON = new Set('a an and are as at be by for from in is it of on or that the to with'.split(' '));

const rootOf = (word: string): string => stemmer(word.toLowerCase());

/** An empty index; sections are added with `addAll`. */
export const makeSectionIndex = (): SectionIndex =>
  new MiniSearch<Section>({
    fields: ['title', 'heading', 'text'],
    storeFields: ['title', 'heading', 'text'],
    processTerm: (word) => (COMMON.has(word.toLowerCase()) ? null : rootOf(word)),
    searchOptions: {
      boost: { title: 3, heading: 4 },
      prefix: (term) => term.length > 3,
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
      boostDocument: (id) => (String(id).startsWith('decisions/') ? DECISION_WEIGHT : 1),
    },
  });

/** Sections with all words, else with any of them, ranked by BM25+. */
export function searchSections(index: SectionIndex, query: string): readonly FoundSection[] {
  const all = index.search(query, { combineWith: 'AND' });
  const found = all.length > 0 ? all : index.search(query);
  return found.slice(0, RESULTS_MAX).map(({ id, title, heading, text, terms }) => ({
    id,
    title,
    heading,
    excerpt: excerptOf(text, new Set(terms)),
  }));
}

/** @param roots stems of the matched words */
function excerptOf(text: string, roots: ReadonlySet<string>): readonly string[] {
  const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)];
  const first = words.find(([word]) => roots.has(rootOf(word)))?.index ?? 0;
  const from = first < EXCERPT_CHARACTERS / 2 ? 0 : text.indexOf(' ', first - EXCERPT_CHARACTERS / 2) + 1;
  const rest = text.slice(from, from + EXCERPT_CHARACTERS);
  const isCut = text.length > from + EXCERPT_CHARACTERS;
  const shown = isCut ? `${rest.slice(0, rest.lastIndexOf(' '))} …` : rest;
  const pieces = [''];
  for (const [at, piece] of `${from > 0 ? '… ' : ''}${shown}`.split(/([\p{L}\p{N}]+)/u).entries()) {
    if (at % 2 === 1 && roots.has(rootOf(piece))) pieces.push(piece, '');
    else pieces[pieces.length - 1] += piece;
  }
  return pieces;
}
